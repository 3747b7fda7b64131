"""Each receiver with a USB port of its own: plug, fix; unplug, the loss is told at once; and again."""

SET = "ci"


def run(bench):
    for kind in ("ublox6", "ublox7"):
        with bench.receiver(kind) as receiver:
            receiver.plug()
            receiver.node()
            with bench.watch() as watch:
                watch.fix(after=0)
                bench.unplug_and_plug(receiver, watch, bench.replugs)
