"""Back under another name, as where somebody still holds the old one."""

SET = "full"


def run(bench):
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        with bench.watch() as watch:
            watch.fix(after=0)
            for _ in range(bench.replugs):
                before = receiver.node()
                bench.call("hold", path=before)
                unplugged = receiver.unplug()
                watch.event("lost", after=unplugged)
                plugged = receiver.plug()
                fix = watch.fix(after=plugged)
                bench.check(fix["line"]["device"] != before, f"it came back as {before}")
                bench.figure("plug under another name → fix", fix["time"] - plugged, at_most=3)
                bench.call("let_go")
