"""The clock is set ten years forward, and back: the stream goes on, nothing is lost and nothing grows old."""

SET = "full"


def run(bench):
    with bench.receiver("ublox7") as receiver:
        plugged = receiver.plug()
        receiver.node()
        with bench.watch() as watch:
            watch.fix(after=plugged)
            for step in ("+10 years", "-10 years"):
                bench.shell(f"date --utc --set=\"$(date --utc --date='{step}')\"")
                stepped = bench.now()
                fix = watch.fix(after=stepped)
                bench.figure("clock stepped → next fix", fix["time"] - stepped, at_most=2)
                bench.check(fix["line"]["age"] < 5, f"it is {fix['line']['age']} s old")
            events = [line["line"] for line in watch.lines(after=plugged) if "event" in line["line"]]
            bench.check(not events, f"the stream said {events}")
