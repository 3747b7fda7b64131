"""Who may know: two users, a session, a system service, a Flatpak and a Snap, each by what the kernel vouches for."""

SET = "ci"
SESSIONS = "/run/systemd/sessions"


def run(bench):
    # `other` first: its number is the next after the guest's own user's.
    for user in ("other", "alice", "--system weather"):
        bench.shell(f"id {user.split()[-1]} >/dev/null 2>&1 || useradd {user}")
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        try:
            users(bench)
            sessions(bench)
            service(bench)
            confined(bench)
        finally:
            for who in ("alice", "other", "weather/service:weather.service", *CONFINED):
                bench.shell(f"locationctl revoke {who} --forget", expect=None)
            bench.shell(f"rm -f {SESSIONS}/7; userdel weather; userdel alice; userdel other", expect=None)


def users(bench):
    denied(bench, as_user("alice"), "nobody was asked about a user, who knows all the same")
    bench.shell("locationctl grant alice --always")
    allowed(bench, as_user("alice"))
    denied(bench, as_user("other"), "what was granted to one user is another's")
    with bench.watch(user="alice") as watch:
        watch.fix(after=0)
        bench.shell("locationctl revoke alice")
        revoked = bench.now()
        told = watch.event("denied", after=0)
        bench.figure("revoke → denied told", max(0, told["time"] - revoked), at_most=0.1)
        later = [line for line in watch.lines(after=told["time"]) if "latitude" in line["line"]]
        bench.check(not later, f"a fix after the denial: {later}")
    denied(bench, as_user("alice"), "a user who was refused knows")


def sessions(bench):
    """While in use, by what logind says of the session."""
    bench.shell("locationctl grant other")
    denied(bench, as_user("other"), "what has no session is in use")
    bench.shell(f"mkdir -p {SESSIONS}")
    session(bench, "active")
    allowed(bench, scope("session-7.scope", "other"))
    session(bench, "closing")
    denied(bench, scope("session-7.scope", "other"), "a session that is closing is in use")
    bench.shell("locationctl revoke other --forget")


def session(bench, state):
    lines = f"UID=1001\\nUSER=other\\nACTIVE=1\\nSTATE={state}\\nTYPE=tty\\nCLASS=user\\n"
    bench.shell(f"printf '{lines}' > {SESSIONS}/.7 && mv {SESSIONS}/.7 {SESSIONS}/7")


def service(bench):
    unit = "systemd-run --quiet --collect --wait --pipe --uid=weather --unit={} locationctl fix --timeout 30"
    denied(bench, unit.format("weather.service"), "a service of which nothing was decided knows")
    bench.shell("locationctl grant weather/service:weather.service --always")
    allowed(bench, unit.format("weather.service"))
    denied(bench, unit.format("other.service"), "what was granted to one service is another's")


CONFINED = {
    "other/flatpak:org.bench.Maps": "app-flatpak-org.bench.Maps-77.scope",
    "other/snap:maps": "snap.maps.maps-5e0f3c1a-1b2c-4d3e-8f90-0123456789ab.scope",
}


def confined(bench):
    for who, unit in CONFINED.items():
        denied(bench, scope(unit, "other"), f"{who} knows, and nobody was asked")
        bench.shell(f"locationctl grant {who} --always")
        allowed(bench, scope(unit, "other"))
        # The grant is the confined program's alone.
        denied(bench, as_user("other"), f"what was granted to {who} is its user's")
    logs(bench)


def logs(bench):
    """A log is its client's: what its user runs confined reads none of it, and ends none."""
    bench.shell("locationctl grant other --always")
    bench.shell(as_user("other", "log start walk"))
    bench.shell(as_user("other", "watch --count 3"))
    for unit in CONFINED.values():
        for command in ("log list", "log export walk", "log stop walk", "status"):
            output = bench.shell(f"{scope(unit, 'other', command)} 2>/dev/null", expect=None)
            bench.check("walk" not in output and "latitude" not in output, f"'{command}' in {unit} told: {output[-300:]}")
    listed = bench.shell(as_user("other", "log list"))
    bench.check('"running":true' in listed, f"a confined program has ended a log: {listed}")
    # It rests while its owner may not know.
    bench.shell("locationctl revoke other")
    bench.check('"problem"' in bench.shell(as_user("other", "log list")), "a log that rests does not say so")
    bench.shell("locationctl log remove walk --force")


def as_user(user, command="fix --timeout 30"):
    return f"setpriv --reuid {user} --regid {user} --clear-groups locationctl {command}"


def scope(unit, user, command="fix --timeout 30"):
    slice_ = "--slice=user-1001.slice " if unit.startswith("session-") else ""
    return f"systemd-run --quiet --scope {slice_}--unit={unit} --uid={user} locationctl {command}"


def allowed(bench, command):
    output = bench.shell(f"{command} 2>&1")
    bench.check('"latitude"' in output, f"'{command}' gave no position: {output[-300:]}")


def denied(bench, command, otherwise):
    output = bench.shell(f"{command} 2>&1", expect=77)
    bench.check('"latitude"' not in output, f"{otherwise}: {output[-300:]}")
