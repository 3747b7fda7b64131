"""A receiver that talks at one speed alone is found at it: the speed stands in the adapter's control requests."""

SET = "ci"


def run(bench):
    for kind, baud in (("cp2102n", 115200), ("pl2303", 4800), ("ft232r", 38400)):
        with bench.receiver(kind, baud=baud) as receiver:
            plugged = receiver.plug()
            bench.trust(receiver)
            with bench.watch() as watch:
                fix = watch.fix(after=plugged, within=40)
                # Drivers ask for what the chip can make of it: a CP2102N makes 115384 of 115200.
                speed = receiver.requests()["speed"]
                bench.check(abs(speed - baud) < baud * 0.01, f"{kind}: a fix at {speed} baud")
                bench.check(fix["line"]["device"].startswith("/dev/ttyUSB"), f"{kind}: the fix came from {fix}")
