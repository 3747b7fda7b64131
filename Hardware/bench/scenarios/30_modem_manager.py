"""ModemManager beside us leaves a receiver alone: no AT command reaches it."""

SET = "full"
UNITS = ["ModemManager.service"]


def run(bench):
    bench.awake(UNITS)
    bench.shell("systemctl start ModemManager.service", timeout=120)
    try:
        with bench.receiver("ublox7") as receiver:
            plugged = receiver.plug()
            receiver.node()
            with bench.watch() as watch:
                watch.fix(after=plugged)
                # Its probing begins within a few seconds and takes ten.
                watch.fix(after=plugged + 15, within=30)
            heard = bytes.fromhex(receiver.requests()["heard"])
            bench.check(b"AT" not in heard, f"the receiver was told {heard[:80]!r}")
    finally:
        bench.asleep(UNITS)
