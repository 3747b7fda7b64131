"""The package goes in: its units are known, its user and group are there, and the unit is as narrow as it says."""

SET = "ci"


def run(bench):
    bench.shell("find / -xdev -not -path '/proc/*' | sort > /root/before")
    bench.shell(f"dpkg --install {bench.package}", timeout=300)
    bench.shell("systemctl is-enabled locationd.socket locationd.service")
    bench.shell("systemctl is-active locationd.socket")
    bench.shell("! systemctl is-enabled locationd-gpsd.socket locationd-gpsd6.socket locationd-nmea.socket locationd-nmea6.socket")
    bench.shell("getent group location && getent passwd locationd")
    # Tenths; 25 is 2.5.
    security = bench.shell("systemd-analyze security --threshold=25 --no-pager locationd.service > /tmp/security; s=$?; tail -n 1 /tmp/security; exit $s")
    bench.note(security.strip("→ \n").rstrip("😀🙂 ").replace("Overall exposure level for locationd.service", "exposure"))
