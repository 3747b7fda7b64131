"""Simulated and recorded tracks through `locationctl simulate` and `locationctl evaluate`."""

import json
import math
import os
import subprocess
import tempfile
import time

import programs
from table import Row, absent

HOUR = 3600
# Tracks whose receiver filters by itself: they are to be left as they are.
FILTERED = {
    "F9K RTK from its NMEA": ["MTV.Local1.ublox-F9K.20200206-181434.nmea", "MTV.Local1.SPAN.20200206-181434.gga"],
    "comma2k19 10 Hz": ["comma2k19_ublox_live.csv"],
}
NAGOYA = ["nagoya_gtsam_spp.csv"]


def track(path: str) -> None:
    """An hour on a road that bends, a point a second."""
    with open(path, "w") as file:
        file.write('<gpx version="1.1"><trk><trkseg>\n')
        for second in range(HOUR + 1):
            latitude, longitude = 47.2 + 1e-3 * math.sin(second / 30), 8.5 + 1.6e-4 * second
            stamp = f"2026-03-01T{12 + second // 3600}:{second // 60 % 60:02}:{second % 60:02}Z"
            file.write(f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><time>{stamp}</time></trkpt>\n')
        file.write("</trkseg></trk></gpx>\n")


def seconds(arguments: list[str]) -> float:
    begun = time.monotonic()
    # Without a time limit, whose polling would be measured too.
    subprocess.run([programs.LOCATIONCTL, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def simulated() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        gpx, log, truth = (os.path.join(folder, name) for name in ("hour.gpx", "hour.nmea", "hour.csv"))
        track(gpx)
        made = min(seconds(["simulate", gpx, "--output", log, "--truth", truth, "--force"]) for _ in range(3))
        played = min(seconds(["replay", log, "--format", "json"]) for _ in range(3))
        judged = min(seconds(["evaluate", log, "--truth", truth]) for _ in range(3))
    # A thousand times as fast as it happens.
    return [
        Row(f"an hour of a track, {what}", value, "s", HOUR / 1000, note=f"{HOUR / value:,.0f} x real time")
        for what, value in (("simulated", made), ("the same replayed", played), ("the same evaluated", judged))
    ]


def evaluate(names: list[str]) -> dict:
    log, *truth = (os.path.join(os.environ["LOCATION_DATA"], "gnss", name) for name in names)
    arguments = ["evaluate", log] + (["--truth", *truth] if truth else [])
    run = subprocess.run([programs.LOCATIONCTL, *arguments], capture_output=True, check=True, timeout=60)
    return json.loads(run.stdout)


def recorded() -> list[Row]:
    if not os.environ.get("LOCATION_DATA"):
        return [absent("recorded tracks beside the truth", "m", "LOCATION_DATA does not name a data folder")]
    rows = []
    for title, names in FILTERED.items():
        result = evaluate(names)
        raw, causal = result["raw"]["p95"], result["causal"]["p95"]
        rows.append(Row(f"evaluate: {title}, p95 of the answer at once", causal, "m", 1.02 * raw, "raw", raw))
    result = evaluate(NAGOYA)
    raw, causal, lagged = result["raw"], result["causal"], result.get("lagged")
    rows.append(Row("evaluate: Nagoya, rms of the answer at once", causal["rms"], "m", 4.5, "raw", raw["rms"]))
    if lagged:
        rows.append(Row(
            "evaluate: Nagoya, rms of the lagged answer", lagged["rms"], "m", 3.2, "raw", raw["rms"],
            note=f"{lagged['latency']:.1f} s later"))
    rows.append(Row(
        "evaluate: Nagoya, errors beyond 3 x the radius", 100 * result["beyond3"], "%", 1, "raw", 100 * raw["beyond3"]))
    return rows


def rows() -> list[Row]:
    try:
        return simulated() + recorded()
    except subprocess.SubprocessError as failure:
        return [absent("simulated and recorded tracks", "", f"failed: {failure}")]
