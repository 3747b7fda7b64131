"""The package goes in while a receiver is plugged in, which has a fix soon; its units are known, its user and group are there, and the unit
is as narrow as it says."""

SET = "ci"
STARTED = ("locationd.socket", "location-agents.path", "location-fetch.socket", "location-fleet.socket", "location-net.socket",
           "location-scan.socket")
OFF = ("locationd-gpsd.socket", "locationd-gpsd6.socket", "locationd-nmea.socket", "locationd-nmea6.socket",
       "locationd-metrics.socket", "location-time.socket")


def run(bench):
    bench.shell("find / -xdev -not -path '/proc/*' | sort > /root/before")
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        began = bench.now()
        # What it needs is there, as the guest has no network: as after the download.
        bench.shell(f"DEBIAN_FRONTEND=noninteractive apt-get --yes install {bench.package}", timeout=300)
        installed = bench.now()
        fix = bench.fix("--timeout", "60")
        bench.check("latitude" in fix, f"no fix: {fix}")
        bench.figure("apt-get install → first fix", bench.now() - began, at_most=20)
        bench.note(f"of it apt-get {installed - began:.1f} s")
    bench.shell("systemctl is-enabled locationd.service " + " ".join(STARTED))
    bench.shell("systemctl is-active " + " ".join(STARTED))
    for unit in OFF:
        bench.shell(f"! systemctl is-enabled {unit} && ! systemctl is-active {unit}")
    bench.shell("getent group location && getent passwd locationd")
    # Tenths; 25 is 2.5.
    security = bench.shell("systemd-analyze security --threshold=25 --no-pager locationd.service > /tmp/security; s=$?; tail -n 1 /tmp/security; exit $s")
    bench.note(security.strip("→ \n").rstrip("😀🙂 ").replace("Overall exposure level for locationd.service", "exposure"))
