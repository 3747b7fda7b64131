"""General adapters: never opened before they are trusted, then as good as any receiver."""

SET = "ci"


def run(bench):
    for kind in ("cp2102n", "pl2303", "ft232r"):
        with bench.receiver(kind) as receiver:
            receiver.plug()
            receiver.node()
            status = bench.status("locationctl fix --max-age 0 --timeout 3 2>/dev/null")
            bench.check(status == 69, f"{kind}: without trust the status is {status}")
            bench.check(receiver.requests()["openings"] == 0, f"{kind}: opened without trust")
            bench.trust(receiver)
            with bench.watch() as watch:
                watch.fix(after=0)
                bench.check(receiver.requests()["openings"] > 0, f"{kind}: nobody saw it opened")
                bench.unplug_and_plug(receiver, watch, bench.replugs)
