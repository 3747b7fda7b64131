"""Where the machine is by access points alone, through the package: from others' scans and from our own, and only for who may
know. What was imported is the truth here; the radio is the kernel's own simulated one."""

import json
import math

import air

SET = "full"
HERE = (47.28, 8.56)


def place(number: int) -> tuple[float, float]:
    """On a circle of 60 m around the machine, so that equal signals are a position in its middle."""
    angle = math.tau * number / 12
    return HERE[0] + 60 * math.cos(angle) / 111_180, HERE[1] + 60 * math.sin(angle) / 75_540


def run(bench):
    try:
        without(bench)
        air.plug(bench)
        air.fill(bench, [air.point(number, signal=-65) for number in range(12)])
        knows_nowhere(bench)
        imported(bench)
        cached(bench)
        only_who_may(bench)
        stream(bench)
        taught(bench)
    finally:
        bench.status("locationctl wifi forget imported --force; rm -f /run/bench/places.csv")
        air.unplug(bench)


def without(bench):
    told = bench.shell("locationctl wifi scan 2>&1", expect=69)
    bench.check("Wi-Fi" in told, told)


def knows_nowhere(bench):
    told = bench.shell("locationctl fix --source wifi 2>&1", expect=69)
    bench.check("Wi-Fi access points in range are unknown" in told, told)


def imported(bench):
    rows = "\n".join(f"{air.point(number)['bssid']},{place(number)[0]:.6f},{place(number)[1]:.6f}" for number in range(12))
    bench.shell(f"printf 'bssid,latitude,longitude\\n{rows}\\n' > /run/bench/places.csv")
    told = bench.shell("locationctl wifi import /run/bench/places.csv 2>&1")
    bench.check("12 access points imported" in told, told)
    # By our own scan, through the helper.
    heard = [json.loads(line) for line in bench.shell("locationctl wifi scan --json").splitlines()]
    bench.check(len(heard) == 12 and all(point["known"] for point in heard), f"heard: {heard}")
    check(bench, json.loads(bench.shell("locationctl wifi locate")))


def check(bench, fix: dict) -> None:
    north = (fix["latitude"] - HERE[0]) * 111_180
    east = (fix["longitude"] - HERE[1]) * 75_540
    error = math.hypot(north, east)
    bench.check(fix["technologies"] == ["wifi"], str(fix))
    bench.check(error < 40 and error < 3 * fix["horizontalAccuracy"], f"{error:.0f} m off: {fix}")
    bench.note(f"{error:.1f} m off ± {fix['horizontalAccuracy']:.0f} m")


def cached(bench):
    """Somebody has scanned: the answer is there at once, also for a command that serves itself."""
    bench.shell(f"iw dev {air.INTERFACE} scan freq {' '.join(map(str, air.FREQUENCIES))} passive > /dev/null")
    for command in ["locationctl fix", "locationctl fix --source wifi"]:
        began = bench.now()
        fix = json.loads(bench.shell(command))
        bench.figure(f"{command.split(' ', 1)[1]}, with what others have scanned for", bench.now() - began, at_most=2)
        check(bench, fix)


def only_who_may(bench):
    bench.shell("id alice >/dev/null 2>&1 || useradd alice")
    try:
        for command in ["scan", "locate", "learned", "import /run/bench/places.csv", "forget imported --force"]:
            bench.shell(f"su alice -s /bin/sh -c 'locationctl wifi {command}'", expect=77)
    finally:
        bench.shell("userdel alice", expect=None)
    bench.check('"imported":12' in bench.shell("locationctl wifi learned --json"), "somebody has forgotten them")


def stream(bench):
    """Satellites go before; where they are gone, what is heard by radio takes over."""
    with bench.receiver("ublox7") as receiver, bench.watch() as watch:
        began = bench.now()
        bench.check(watch.fix(after=began, within=60)["line"]["technologies"] == ["wifi"], "no fix by radio")
        plugged = receiver.plug()
        end = bench.now() + 60
        after = plugged
        while bench.now() < end:
            fix = watch.fix(after=after, within=60)
            if fix["line"]["technologies"] == ["gnss"]:
                break
            after = fix["time"] + 0.001
        else:
            bench.check(False, "the receiver's fix was never told")
        told = json.loads(bench.shell("locationctl status --json"))["wifi"]
        bench.check(told == {"state": "listening", "heard": 12, "known": 12}, f"status: {told}")
        unplugged = receiver.unplug()
        # What the receiver said last is known better for a while.
        fix = watch.fix(after=unplugged, within=60)
        bench.check("wifi" in fix["line"]["technologies"], f"after the receiver: {fix}")


def taught(bench):
    """What was heard beside the receiver's fixes has been learnt, by a radio that is on no network."""
    told = json.loads(bench.shell("locationctl wifi learned --json"))
    bench.check(told["learned"] == 12, f"learnt: {told}")
    bench.shell("locationctl wifi forget learned --force")
