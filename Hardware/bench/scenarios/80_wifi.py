"""What a radio hears is told as it was sent: by others' scans without any right, by our own through the helper, and never whom asks
to be left out. The radio is the kernel's own simulated one; what its driver does is the kernel's, and nothing of a real one's."""

import re

import air
from air import FREQUENCIES, INTERFACE, point

SET = "full"


# Whoever is left out, each for a reason of its own.
LEFT_OUT = [
    point(1001, name="home_nomap"), point(1002, name="Home_NoMap"), point(1003, name="a_optout_b"), point(1004, name=""),
    point(1005, nameBytes="0000000000"),
]


def run(bench):
    air.needs(bench)
    try:
        without_a_kernel_for_it(bench)
        air.plug(bench)
        others_scan(bench)
        own_scans(bench)
        down_and_gone(bench)
    finally:
        air.unplug(bench)


def watch(bench, name: str, *options: str, user: str = "user"):
    bench.call("watch", name=name, command=["/bench/bin/wifi-watch", *options], user=user)


def event(bench, name: str, kind: str, after: float = 0, within: float = 40) -> dict:
    return bench.call("wait_for", name=name, key="event", value=kind, after=after, within=within, patience=within + 30)


def problem(bench, name: str, within: float = 20) -> str:
    """The first that it tells of."""
    end = bench.now() + within
    while bench.now() < end:
        for line in bench.call("lines", name=name, after=0):
            if line["line"].get("problem"):
                return line["line"]["problem"]
        bench.shell("sleep 0.1")
    bench.check(False, f"{name} tells of no problem")


def without_a_kernel_for_it(bench):
    bench.shell("modprobe -r mac80211_hwsim mac80211 cfg80211")
    watch(bench, "early")
    # Where a user asks for it the kernel loads cfg80211 by its alias, or has none: either is said.
    told = event(bench, "early", "deaf")
    bench.check("no nl80211" in told["line"]["problem"] or "There is no Wi-Fi radio" in told["line"]["problem"], str(told))
    plugged = bench.now()
    bench.shell("modprobe mac80211_hwsim radios=1")
    event(bench, "early", "listening", after=plugged)
    bench.call("end_watch", name="early")
    bench.shell("modprobe -r mac80211_hwsim")


def others_scan(bench):
    for count in [1, 30, 150]:
        points = [point(number) for number in range(count)]
        air.fill(bench, points + LEFT_OUT)
        watch(bench, f"others-{count}")
        event(bench, f"others-{count}", "listening")
        # What is known already comes first: nothing.
        event(bench, f"others-{count}", "heard")
        began = bench.now()
        bench.shell(f"iw dev {INTERFACE} scan freq {' '.join(map(str, FREQUENCIES))} passive > /run/bench/scan")
        ended = bench.now()
        heard = event(bench, f"others-{count}", "heard", after=began)
        bench.figure("iw has its list → told", heard["time"] - ended, at_most=1)
        dumped = dump(bench)
        bench.call("end_watch", name=f"others-{count}")
        compare(bench, heard["line"]["sightings"], points, dumped)
        bench.note(f"{count}: {len(heard['line']['sightings'])} told of {len(dumped)} in iw's list")


def dump(bench) -> dict:
    """What iw makes of the kernel's list: the signal and the name of each address."""
    text = bench.shell(f"iw dev {INTERFACE} scan dump")
    found = {}
    for part in re.split(r"^BSS ", text, flags=re.MULTILINE)[1:]:
        signal = re.search(r"signal: (-?[\d.]+) dBm", part)
        frequency = re.search(r"freq: (\d+)", part)
        name = re.search(r"^\tSSID: ?(.*)$", part, flags=re.MULTILINE)
        found[part[:17]] = (float(signal[1]), int(frequency[1]), name[1] if name else "")
    return found


def compare(bench, sightings: list[dict], points: list[dict], dumped: dict) -> None:
    told = {sighting["bssid"]: (sighting["signal"], sighting["frequency"]) for sighting in sightings}
    sent = {one["bssid"]: (float(one["signal"]), one["frequency"]) for one in points}
    # Its air is a busy one: what the radio has not heard iw has not either.
    bench.check(set(told.items()) <= set(sent.items()), f"told and not sent: {set(told.items()) - set(sent.items())}")
    left_out = {one["bssid"] for one in LEFT_OUT}
    bench.check(left_out <= dumped.keys(), f"left out by the radio: {left_out - dumped.keys()}")
    expected = {address: value[:2] for address, value in dumped.items() if address not in left_out}
    bench.check(told == expected, f"not as iw: {set(told.items()) ^ set(expected.items())}")
    bench.check(len(told) == len(points), f"{len(told)} of {len(points)} were heard")


def own_scans(bench):
    air.fill(bench, [point(number) for number in range(5)])
    # Without the right.
    watch(bench, "unprivileged", "--every", "5")
    bench.check("may not scan" in problem(bench, "unprivileged"), problem(bench, "unprivileged"))
    bench.call("end_watch", name="unprivileged")
    # Through the helper, which only the service's user reaches.
    bench.shell("systemctl is-active location-scan.socket")
    bench.shell("su user -c 'python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect(\\\"/run/locationd/scan\\\")\"'", expect=1)
    began = bench.now()
    watch(bench, "helped", "--every", "5", "--helper", "/run/locationd/scan", user="locationd")
    heard = five(bench, "helped", began)
    bench.figure("asked by the helper → five heard", heard["time"] - began, at_most=15)
    # While it goes on others scan as well: each is told the other's result, and nobody is kept out for long.
    for _ in range(3):
        bench.shell(f"iw dev {INTERFACE} scan freq {' '.join(map(str, FREQUENCIES))} passive > /dev/null", expect=None)
    after = bench.now()
    five(bench, "helped", after)
    # One that begins while another's is under way finds the radio busy, says nothing of it, and has its turn.
    bench.shell(f"(iw dev {INTERFACE} scan passive >/dev/null &) ; sleep 0.3")
    busy = bench.now()
    watch(bench, "late", "--every", "3", "--helper", "/run/locationd/scan", user="locationd")
    five(bench, "late", busy)
    bench.check(not any(line["line"].get("problem") for line in bench.call("lines", name="late", after=busy)), "busy is told")
    bench.call("end_watch", name="late")
    lines = bench.call("lines", name="helped", after=began)
    bench.check(not any(line["line"].get("problem") for line in lines), f"a problem: {lines}")
    bench.call("end_watch", name="helped")
    bench.wait_until("! systemctl is-active location-scan.service >/dev/null", "the helper stays", within=40)
    security = bench.shell("systemd-analyze security --no-pager location-scan.service | tail -n 1")
    bench.note("helper's exposure " + re.search(r"\d+\.\d+", security)[0])


def five(bench, name: str, after: float) -> dict:
    end = bench.now() + 40
    while bench.now() < end:
        heard = event(bench, name, "heard", after=after)
        if len(heard["line"]["sightings"]) == 5:
            return heard
        after = heard["time"] + 0.001
    bench.check(False, "five were not heard")


def serves_others(bench):
    """An access point beside it on the same radio, and then itself one."""
    for become, end in [
        (f"iw dev {INTERFACE} interface add ap0 type __ap", "iw dev ap0 del"),
        (f"ip link set {INTERFACE} down; iw dev {INTERFACE} set type __ap", f"iw dev {INTERFACE} set type managed; ip link set {INTERFACE} up"),
    ]:
        began = bench.now()
        bench.shell(become)
        told = event(bench, "down", "listening", after=began, within=10)["line"]["problem"]
        bench.check("is an access point" in told, f"{become}: {told}")
        ended = bench.now()
        bench.shell(end)
        told = event(bench, "down", "listening", after=ended, within=10)["line"]["problem"]
        bench.check("is an access point" not in told, f"{end}: {told}")


def down_and_gone(bench):
    bench.shell(f"ip link set {INTERFACE} down")
    watch(bench, "down", "--every", "5", user="root")
    bench.check(f"{INTERFACE} is down" in problem(bench, "down"), problem(bench, "down"))
    up = bench.now()
    bench.shell(f"ip link set {INTERFACE} up")
    bench.check(not event(bench, "down", "listening", after=up)["line"]["problem"], "up, and it does not say so")
    serves_others(bench)
    gone = bench.now()
    bench.shell("modprobe -r mac80211_hwsim")
    told = event(bench, "down", "deaf", after=gone)
    bench.figure("gone → told", told["time"] - gone, at_most=2)
    back = bench.now()
    bench.shell("modprobe mac80211_hwsim radios=1")
    event(bench, "down", "listening", after=back)
    bench.call("end_watch", name="down")
