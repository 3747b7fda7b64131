"""Two at once: one is unplugged, and the position is not lost."""

SET = "full"


def run(bench):
    with bench.receiver("ublox6") as first, bench.receiver("cp2102n") as second:
        first.plug()
        second.plug()
        bench.trust(second)
        with bench.watch() as watch:
            streamed = watch.fix(after=0)["line"]["device"]
            bench.wait_until("[ $(locationctl devices --listen 0 | grep -c '\"protocol\"') = 2 ]", "two are not heard")
            gone, other = (first, second) if streamed.startswith("/dev/ttyACM") else (second, first)
            unplugged = gone.unplug()
            fix = watch.fix(after=unplugged + 0.5)
            bench.check(fix["line"]["device"] == other.node(), f"the fix came from {fix['line']['device']}")
            lost = [line for line in watch.lines(after=unplugged) if line["line"].get("event") == "lost"]
            bench.check(not lost or fix["time"] - lost[0]["time"] < 3, "the other receiver took more than three seconds to stand in")
