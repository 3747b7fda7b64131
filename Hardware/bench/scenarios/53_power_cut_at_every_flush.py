"""Two devices are trusted and forgotten in turn; whenever the power might go, what is read back is what was said last, or what
was just being said."""

SET = "full"
STATE = "/var/lib/locationd"


def run(bench):
    with bench.recorded_disk(STATE):
        held = hear_turns(bench)
    states = bench.disk_states("cat $STATE/trusted-devices")
    for state in states:
        check(bench, state, held)
    # Each turn syncs a file and its folder.
    bench.check(len(states) >= len(held), f"only {len(states)} flushes for {len(held)} turns")
    bench.note(f"{len(states)} flushes")


def hear_turns(bench) -> list[set]:
    """What is trusted after each turn; marks on the disk say where one began and where it was done."""
    held = [set()]
    with bench.receiver("cp2102n") as first, bench.receiver("ft232r") as second:
        names = []
        for adapter in (first, second):
            adapter.plug()
            names.append(bench.identity(adapter))
        for turn in range(1, 9):
            name = names[(turn + 1) % 2]
            is_trusted = name in held[-1]
            bench.mark_disk(f"{turn}-begun")
            bench.shell(f"locationctl devices {'forget' if is_trusted else 'trust'} '{name}'")
            bench.mark_disk(f"{turn}-done")
            held.append(held[-1] ^ {name})
    return held


def check(bench, state, held):
    turn, word = state["mark"].split("-")
    allowed = [held[int(turn)]] + ([held[int(turn) - 1]] if word == "begun" else [])
    bench.check(set(state["content"].splitlines()) in allowed, f"at '{state['mark']}' it held {state['content']!r}")
