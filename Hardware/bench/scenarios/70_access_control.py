"""Access control for two users, a session, a system service, a Flatpak and a Snap, each identified by the kernel."""

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
    denied(bench, as_user("alice"), "a user without a decision got the position")
    bench.shell("locationctl grant alice --always")
    allowed(bench, as_user("alice"))
    denied(bench, as_user("other"), "the grant of one user serves another")
    with bench.watch(user="alice") as watch:
        watch.fix(after=0)
        bench.shell("locationctl revoke alice")
        revoked = bench.now()
        told = watch.event("denied", after=0)
        bench.figure("revoke → denied event", max(0, told["time"] - revoked), at_most=0.1)
        later = [line for line in watch.lines(after=told["time"]) if "latitude" in line["line"]]
        bench.check(not later, f"a fix after the denied event: {later}")
    denied(bench, as_user("alice"), "a user whose grant was revoked got the position")


def sessions(bench):
    """While in use, by what logind says of the session."""
    bench.shell("locationctl grant other")
    denied(bench, as_user("other"), "a program without a session counts as in use")
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
    denied(bench, unit.format("weather.service"), "a service without a decision got the position")
    bench.shell("locationctl grant weather/service:weather.service --always")
    allowed(bench, unit.format("weather.service"))
    denied(bench, unit.format("other.service"), "the grant of one service serves another")


CONFINED = {
    "other/flatpak:org.bench.Maps": "app-flatpak-org.bench.Maps-77.scope",
    "other/snap:maps": "snap.maps.maps-5e0f3c1a-1b2c-4d3e-8f90-0123456789ab.scope",
}


def confined(bench):
    for who, unit in CONFINED.items():
        denied(bench, scope(unit, "other"), f"{who} got the position without a decision")
        bench.shell(f"locationctl grant {who} --always")
        allowed(bench, scope(unit, "other"))
        # The grant holds for the confined program only.
        denied(bench, as_user("other"), f"the grant of {who} serves its user")
    logs(bench)


def logs(bench):
    """A log belongs to its client: a confined program of the same user can neither read nor stop it."""
    bench.shell("locationctl grant other --always")
    bench.shell(as_user("other", "log start walk"))
    bench.shell(as_user("other", "watch --count 3"))
    for unit in CONFINED.values():
        for command in ("log list", "log export walk", "log stop walk", "status"):
            output = bench.shell(f"{scope(unit, 'other', command)} 2>/dev/null", expect=None)
            # `status` has the last position, to which the program's own grant entitles it.
            leaked = "walk" in output or ("latitude" in output and command != "status")
            bench.check(not leaked, f"'{command}' in {unit} printed: {output[-300:]}")
    listed = bench.shell(as_user("other", "log list"))
    bench.check('"running":true' in listed, f"a confined program has stopped a log: {listed}")
    # Recording pauses while its owner has no access.
    bench.shell("locationctl revoke other")
    bench.check('"problem"' in bench.shell(as_user("other", "log list")), "a log whose owner has no access does not say so")
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
