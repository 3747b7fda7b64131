"""Booted without a clock, the machine believes that it is 1970; the receiver knows better, and the fix has its time."""

import time

SET = "full"


def run(bench):
    bench.reboot(clock="1970-01-02")
    # systemd has put it on to its own date of birth.
    bench.shell("systemctl stop locationd.service; date --utc --set=1970-01-02")
    sky = int(time.time())
    try:
        with bench.receiver("ublox7", options=["hot", str(sky)]) as receiver:
            receiver.plug()
            fix = bench.fix("--timeout", "30", "--wait")
            told = bench.shell(f"date --utc --date={fix['timestamp']} +%s")
            bench.check(sky <= int(told) < sky + 60, f"it said {fix['timestamp']}")
    finally:
        bench.shell(f"date --utc --set=@{int(time.time())}")
        bench.restart_service()
