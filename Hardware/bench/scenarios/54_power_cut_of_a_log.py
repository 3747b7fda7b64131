"""A log is stopped, and the power goes: afterwards all that was recorded can be exported."""

SET = "full"
FIXES = 12


def run(bench):
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        bench.shell("locationctl log start cut --standing")
        with bench.watch("--count", str(FIXES)) as watch:
            began = bench.now()
            watch.fix(after=began + FIXES - 2, within=FIXES + 20)
        bench.shell("locationctl log stop cut")
        bench.power_cut()
    recorded = bench.shell("locationctl log export cut --format csv").splitlines()
    bench.check(len(recorded) > FIXES - 4, f"{len(recorded)} lines: {recorded[:3]}")
    bench.shell("locationctl log remove cut --force")
