"""A full disk, then one that cannot be written: fixes come all the same, and what cannot be kept is said."""

SET = "full"
STATE = "/var/lib/locationd"


def run(bench):
    bench.shell(f"systemctl stop locationd.service; mount -t tmpfs -o size=64k,mode=750,uid=locationd,gid=location tmpfs {STATE}")
    try:
        for trouble in (f"head -c 100k /dev/zero > {STATE}/filler; true", f"rm -f {STATE}/filler; mount -o remount,ro {STATE}"):
            bench.shell(trouble)
            bench.restart_service()
            with bench.receiver("ublox7") as receiver, bench.receiver("cp2102n") as adapter:
                receiver.plug()
                bench.check("latitude" in bench.fix("--timeout", "20", "--wait"), f"no fix after '{trouble}'")
                adapter.plug()
                node = adapter.node()
                bench.wait_until(f"locationctl devices --listen 0 | grep -q '\"{node}\"'", f"{node} is not listed")
                bench.check(bench.status(f"locationctl devices trust {node} 2>/dev/null") == 73, "trust that was not kept")
    finally:
        bench.shell(f"systemctl stop locationd.service; umount {STATE}")
        bench.restart_service()
