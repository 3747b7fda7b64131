"""Booted in 2020 without a network, the machine gets its clock from a receiver, once: by the helper of locationd, or by chrony, which gets
the receiver's time. The times of a log stay in order."""

import csv
import time

SET = "full"
CHRONYD = "/usr/sbin/chronyd"
BOOTED = "2020-01-02"
# Whole seconds, and the time between two commands.
CLOSE = 2


def run(bench):
    bench.needs(bench.status(f"test -x {CHRONYD}") == 0, "the guest has no chrony: create it again")
    bench.shell(f"mv {CHRONYD} {CHRONYD}.away")
    try:
        # What was done to the clock since the boot is forgotten with /run.
        bench.shell("locationctl time set-clock on")
        once(bench, "without chrony", by_helper=True)
    finally:
        bench.shell(f"mv {CHRONYD}.away {CHRONYD}; locationctl time set-clock off", expect=None)
    try:
        bench.awake(["chrony.service"])
        bench.shell("locationctl time setup 2>&1")
        once(bench, "with chrony", by_helper=False)
    finally:
        bench.shell("locationctl time off 2>&1", expect=None)
        bench.check(bench.status("test -e /etc/chrony/conf.d/locationd.conf") != 0, "'time off' has left its file for chrony")
        bench.check(bench.status("systemctl is-active --quiet location-time.socket") != 0, "'time off' has left the socket of the helper")
        bench.asleep(["chrony.service"])
        bench.shell(f"date --utc --set=@{int(time.time())}")
        bench.restart_service()


def clock(bench, date: str = "") -> int:
    return int(bench.shell(f"date --utc {date} +%s"))


def once(bench, name: str, by_helper: bool):
    bench.reboot(clock=BOOTED)
    bench.shell(f"systemctl stop locationd.service chrony.service; date --utc --set={BOOTED}", expect=None)
    bench.shell("systemctl start locationd.service" + ("" if by_helper else " chrony.service"))
    bench.shell("locationctl log start clock")
    sky = int(time.time())
    try:
        with bench.receiver("ublox8", options=["hot", "driving", str(sky)]) as receiver:
            receiver.plug()
            receiver.node()
            bench.fix("--timeout", "30", "--wait")
            fixed = bench.now()
            bench.wait_until(f"test $(date +%s) -ge {sky}", f"{name}: the clock was not set", within=60)
            bench.figure(f"fix → clock set, {name}", bench.now() - fixed, at_most=60)
            # The receiver's own time, at this moment.
            fix = bench.fix("--timeout", "10")
            bench.check(abs(clock(bench, f"--date={fix['timestamp']}") - clock(bench)) <= CLOSE, f"{name}: the clock is off, {fix}")
            bench.shell("sleep 20")
            lines = bench.shell("journalctl --unit=location-time.service --boot --no-pager --output=cat | grep -c 'clock was set' || true")
            bench.check(int(lines) == (1 if by_helper else 0), f"{name}: the helper has set the clock {lines.strip()} times")
    finally:
        bench.shell("locationctl log stop clock", expect=None)
    points = csv.DictReader(bench.shell("locationctl log export clock --format csv 2>/dev/null").splitlines())
    times = [point["timestamp"] for point in points]
    swapped = [pair for pair in zip(times, times[1:]) if pair[0] > pair[1]]
    bench.check(len(times) > 10 and not swapped, f"{name}: the times of the log are not in order: {swapped[:3]} of {len(times)}")
    bench.shell("locationctl log remove clock --force", expect=None)
