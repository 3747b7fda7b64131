"""The recorded F9K through gpsd: our radius and gpsd's, each against the truth beside the log."""

import glob
import json
import math
import os
import select
import statistics
import tempfile
import time

import programs
import settings
from table import Row, absent
from terminal import Terminal

DATA = os.environ.get("LOCATION_DATA", "")
# Epochs a second instead of the receiver's one: the log is half an hour long.
PACE = 5


def second_of_day(clock: str) -> float:
    return int(clock[:2]) * 3600 + int(clock[2:4]) * 60 + float(clock[4:])


def degrees(text: str, hemisphere: str, width: int) -> float:
    value = int(text[:width]) + float(text[width:]) / 60
    return -value if hemisphere in "SW" else value


def truth() -> dict[float, tuple[float, float]]:
    (path,) = glob.glob(os.path.join(DATA, "gnss", "*.SPAN.*.gga"))
    places = {}
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            field = line.split(",")
            if field[0][3:] == "GGA" and len(field) > 6 and field[2]:
                places[second_of_day(field[1])] = (degrees(field[2], field[3], 2), degrees(field[4], field[5], 3))
    return places


def epochs() -> list[bytes]:
    """The log's bytes, cut before each RMC, with which its epochs begin."""
    (path,) = glob.glob(os.path.join(DATA, "gnss", "*.ublox-F9K.*.nmea"))
    with open(path, "rb") as file:
        pieces = file.read().split(b"$GNRMC")
    return [b"$GNRMC" + piece for piece in pieces[1:]][: settings.F9K_EPOCHS]


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    north = (a[0] - b[0]) * 111_132.9
    return math.hypot(north, (a[1] - b[1]) * 111_412.8 * math.cos(math.radians(a[0])))


class Watch(programs.Ours):
    """All fixes of `locationctl watch`, by their second of the day: where, and the radius."""

    def __init__(self, port: int, state: str) -> None:
        super().__init__("watch", f"gpsd:127.0.0.1:{port}", state)
        self.heard: dict[float, tuple[tuple[float, float], float]] = {}

    def fix_key(self, line: bytes) -> str | None:
        fix = json.loads(line)
        if "latitude" in fix:
            clock = fix["timestamp"][11:23].replace(":", "")
            self.heard[second_of_day(clock)] = ((fix["latitude"], fix["longitude"]), fix["horizontalAccuracy"])
        return None


class Reports(programs.Gpsd):
    """All fixes that gpsd reports, with its own estimate of their error."""

    def __init__(self, path: str) -> None:
        self.heard: dict[float, tuple[tuple[float, float], float]] = {}
        super().__init__(path)

    def fix_key(self, line: bytes) -> str | None:
        report = json.loads(line) if line.startswith(b'{"class":"TPV"') else {}
        if "lat" in report and "eph" in report and "time" in report:
            clock = report["time"][11:23].replace(":", "")
            self.heard[second_of_day(clock)] = ((report["lat"], report["lon"]), report["eph"])
        return None


def play() -> tuple[dict, dict]:
    terminal = Terminal()
    gpsd = Reports(terminal.path)
    with tempfile.TemporaryDirectory() as state:
        ours = Watch(gpsd.port, state)
        try:
            begin = time.monotonic() + 2
            for number, data in enumerate(epochs()):
                while (wait := begin + number / PACE - time.monotonic()) > 0:
                    ready, _, _ = select.select([ours.output, gpsd.output], [], [], wait)
                    for program in (ours, gpsd):
                        if program.output in ready:
                            program.fixes()
                terminal.write(data)
        finally:
            ours.stop()
            gpsd.stop()
            terminal.close()
    return ours.heard, gpsd.heard


def rows() -> list[Row]:
    names = [
        "recorded F9K through gpsd: radius, median",
        "the same: true error, median",
        "the same: share of errors beyond 3 × the radius",
    ]
    if not programs.GPSD or not DATA:
        why = "no gpsd is installed" if DATA else "LOCATION_DATA names no recorded receiver"
        return [absent(name, "", why) for name in names]
    places = truth()
    ours, peer = play()

    def judged(heard: dict) -> list[tuple[float, float]]:
        return [(metres(place, places[at]), radius) for at, (place, radius) in heard.items() if at in places]

    mine, theirs = judged(ours), judged(peer)
    radius = statistics.median(radius for _, radius in mine)
    beyond = 100 * sum(error > 3 * radius for error, radius in mine) / len(mine)
    note = f"{len(mine)} epochs; at least {min(radius for _, radius in mine):.2f} m"
    return [
        Row(names[0], radius, "m", 2, "gpsd's eph", statistics.median(eph for _, eph in theirs), note),
        Row(names[1], statistics.median(error for error, _ in mine), "m", None, "gpsd",
            statistics.median(error for error, _ in theirs)),
        Row(names[2], beyond, "%", 1),
    ]
