"""A log is recorded, stopped and gone on with; whenever the power might go, what is read back is the beginning of the whole, as
far as it was synced."""

SET = "full"
STATE = "/var/lib/locationd"
# By a service inside the process: nobody listens there.
EXPORT = "LOCATIOND_SOCKET=/run/bench/nobody LOCATIOND_STATE={state} locationctl log export cut --format csv"
# The longest time in seconds from one sync to the next (LogPace), and how many seconds the receiver may take to its first fix.
# The first sync comes a quarter of a second after the first fix, and each interval is twice the one before: of the seconds since the
# first fix, the first half is synced.
SYNC, LATE = 30, 6


def run(bench):
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        with bench.recorded_disk(STATE):
            stopped = record(bench)
            bench.shell("systemctl stop locationd.service")
            whole = bench.shell(EXPORT.format(state=STATE) + " 2>/dev/null").splitlines()
    least = {"begun": 0, "synced": (SYNC - LATE) // 2 - 1, "stopped": stopped, "again": stopped, "over": len(whole)}
    states = bench.disk_states(EXPORT.format(state="$STATE"))
    before = 0
    for state in states:
        lines = state["content"].splitlines()
        told = f"at '{state['mark']}', {len(lines)} of {len(whole)} lines after {before}: {state['errors'].strip()}"
        bench.check(lines == whole[: len(lines)], f"not what was recorded, {told}")
        bench.check(len(lines) >= max(before, least[state["mark"]]), f"too few, {told}")
        # A log of which nothing is synced yet may be none.
        bench.check(state["status"] == 0 or not lines, f"status {state['status']}, {told}")
        before = len(lines)
    bench.check(before == len(whole) > SYNC, f"at the end {before} of {len(whole)}")
    bench.note(f"{len(states)} flushes, {len(whole) - 1} fixes")


def record(bench) -> int:
    """Leaves marks; the lines that the log had when it was stopped first."""
    bench.mark_disk("begun")
    with bench.watch() as watch:
        bench.shell("locationctl log start cut --standing")
        began = bench.now()
        watch.fix(after=began + SYNC + 2, within=SYNC + 30)
        bench.mark_disk("synced")
        watch.fix(after=began + SYNC + 6, within=30)
        bench.shell("locationctl log stop cut")
        bench.mark_disk("stopped")
        lines = bench.shell("locationctl log export cut --format csv 2>/dev/null").splitlines()
        bench.mark_disk("again")
        bench.shell("locationctl log start cut --standing")
        watch.fix(after=bench.now() + 4, within=30)
        bench.shell("locationctl log stop cut")
        bench.mark_disk("over")
    return len(lines)
