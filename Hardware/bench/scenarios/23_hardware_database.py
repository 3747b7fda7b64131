"""What the machine calls a receiver; and an adapter that its owner has called one needs no trust."""

SET = "full"
OWN = "/etc/udev/hwdb.d/70-gnss.hwdb"


def run(bench):
    named = bench.shell("systemd-hwdb query usb:v1546p01A9d0100dc02")
    bench.check("ID_MODEL_FROM_DATABASE=u-blox 9" in named.splitlines(), f"a u-blox 9 is called {named!r}")
    bench.shell(f"mkdir -p $(dirname {OWN}); printf 'usb:v10C4pEA60*\\n ID_GNSS_RECEIVER=1\\n' > {OWN}; systemd-hwdb update", timeout=300)
    try:
        bench.shell("rm -f /var/lib/locationd/trusted-devices; udevadm control --reload")
        bench.restart_service()
        with bench.receiver("cp2102n") as receiver:
            receiver.plug()
            told = bench.shell(f"udevadm info --query=property {receiver.node()}").splitlines()
            for word in ("ID_GNSS_RECEIVER=1", "ID_MM_PORT_IGNORE=1"):
                bench.check(word in told, f"no {word} in {told}")
            bench.check("latitude" in bench.fix("--timeout", "30", "--wait"), "no fix of what the owner calls a receiver")
    finally:
        bench.shell(f"rm -f {OWN} /etc/udev/hwdb.bin; udevadm control --reload")
