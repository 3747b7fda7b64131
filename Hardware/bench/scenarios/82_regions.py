"""A user's command is run for what happens, by their own agent, with nobody logged in: also for an event whose agent was away when
the power went."""

import json

SET = "full"
EVENTS = "/home/alice/events"
# Written through, so that the power cut takes nothing that was said to be done.
NOTE = f"echo \"$LOCATION_EVENT $LOCATION_ATTEMPT $(id -un)\" >> {EVENTS}; sync"


def run(bench):
    bench.shell("id alice >/dev/null 2>&1 || useradd --create-home alice")
    user = bench.shell("id -u alice").strip()
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        try:
            bench.shell("locationctl grant alice --always")
            first(bench)
            bench.shell(as_alice("locationctl region add home --at 47.0,8.0 --radius 200 --notify"))
            # The receiver goes with the power, and is not needed for what has happened before.
            kept_over_a_power_cut(bench, user)
            bench.wait_until(f"[ $(wc -l < {EVENTS}) -ge 2 ]", "what had happened before the power cut was lost", within=120)
            told = bench.shell(f"cat {EVENTS}").splitlines()
            bench.check(all(line.startswith("moved ") and line.endswith(" alice") for line in told), f"told: {told}")
            listed = [json.loads(line) for line in bench.shell(as_alice("locationctl region list")).splitlines()]
            bench.check([region["region"] for region in listed] == ["home"], f"regions: {listed}")
            nobody_elses(bench)
        finally:
            for command in ("significant off", "region remove --all --force"):
                bench.status(as_alice(f"locationctl {command}"))
            # What is off has no command noted any more.
            left = bench.shell("ls /home/alice/.local/state/locationd/commands")
            # Nobody can be removed, with their home, whose agent still runs: it ends a minute after its last event.
            bench.shell(f"systemctl stop location-agent@{user}.socket location-agent@{user}.service")
            bench.shell("locationctl revoke alice --forget; userdel --remove alice")
            bench.check(not left, f"commands that nothing runs: {left}")


def as_alice(command: str) -> str:
    return f"su alice -s /bin/sh -c 'HOME=/home/alice {command}'"


def first(bench):
    """The socket of an agent that there was none of starts by itself."""
    bench.shell(f"printf '%s' '{NOTE}' > /run/bench/note")
    bench.shell("su alice -s /bin/sh -c 'HOME=/home/alice locationctl significant on --on-move \"$(cat /run/bench/note)\"'")
    began = bench.now()
    bench.wait_until(f"[ -s {EVENTS} ]", "no command was run for the first event", within=120)
    bench.note(f"the first event's command after {bench.now() - began:.0f} s")
    # Nobody is logged in, and it runs as alice all the same.
    bench.check("moved 1 alice" in bench.shell(f"cat {EVENTS}"), bench.shell(f"cat {EVENTS}"))


def kept_over_a_power_cut(bench, user: str) -> None:
    """The agent is away while something happens; then the power goes."""
    bench.shell(f"systemctl stop location-agent@{user}.socket location-agent@{user}.service")
    bench.shell("su alice -s /bin/sh -c 'HOME=/home/alice locationctl significant off'")
    bench.shell("su alice -s /bin/sh -c 'HOME=/home/alice locationctl significant on --on-move \"$(cat /run/bench/note)\"'")
    bench.wait_until(
        "journalctl -u locationd.service --no-pager | grep -q \"location-agent@\"", "the service says nothing of the agent",
        within=60)
    bench.power_cut()


def nobody_elses(bench):
    """Another user sees none of it, and may have nothing of hers taken away."""
    bench.shell("id other >/dev/null 2>&1 || useradd other")
    try:
        bench.check(bench.shell("su other -s /bin/sh -c 'HOME=/ locationctl region list 2>/dev/null'").strip() == "", "seen by another")
        bench.shell("su other -s /bin/sh -c 'HOME=/ locationctl region remove home'", expect=64)
    finally:
        bench.shell("userdel other", expect=None)
