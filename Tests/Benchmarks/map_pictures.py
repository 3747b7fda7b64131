"""Pictures of the map, each by a process of its own, as a script makes them."""

import os
import statistics
import subprocess
import tempfile
import time
from math import cos, sin

import programs
import settings
from table import Row, absent

NAME = "map"
PROGRAM = os.path.join(".build", "release", "locationctl-map")
WEB = os.path.join("Sources", "locationctl-map", "Web")
WORLD = os.path.join(".build", "places-data")
POINTS = 100_000
RUNS = 41 if settings.FULL else 15


def track(points: int) -> str:
    """A drive on a growing spiral around Vaduz, one fix a second, from 2026-11-01."""
    lines = []
    for index in range(points):
        angle, radius = index / 400, 0.02 + index * 4e-6
        day, seconds = divmod(index, 86_400)
        moment = f"2026-11-{1 + day:02d}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}Z"
        place = f'lat="{47.14 + radius * sin(angle):.6f}" lon="{9.52 + 1.5 * radius * cos(angle):.6f}"'
        lines.append(f"<trkpt {place}><time>{moment}</time></trkpt>\n")
    return f'<gpx version="1.1" creator="bench"><trk><trkseg>{"".join(lines)}</trkseg></trk></gpx>'


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "", "locationctl-map is not built")]
    with tempfile.TemporaryDirectory(prefix="map-") as folder:
        environment = os.environ | {
            "HOME": folder, "LOCATIOND_SOCKET": f"{folder}/socket", "LOCATIOND_STATE": f"{folder}/state", "LOCATIOND_CONFIG": folder,
            "LOCATIOND_GPSD": "off", "LOCATIOND_SOURCE": "", "LOCATIOND_MAP": WEB, "LOCATIOND_WORLD": WORLD,
        }
        small, large = os.path.join(folder, "small.gpx"), os.path.join(folder, "large.gpx")
        for path, points in ((small, 600), (large, POINTS)):
            with open(path, "w", encoding="ascii") as file:
                file.write(track(points))
        result = [
            Row("picture of a file, 512 × 512, PNG", median(environment, folder, "--overlay", small), "ms", 40),
            Row("the same, SVG", median(environment, folder, "--overlay", small, suffix="svg"), "ms", 40),
        ]
        daemon = subprocess.Popen(
            [os.path.join(".build", "release", "locationd")], env=environment, stderr=subprocess.PIPE, text=True)
        try:
            for line in daemon.stderr:
                if "Listening" in line:
                    break
            subprocess.run(
                [programs.LOCATIONCTL, "log", "import", "large", large], env=environment, check=True, capture_output=True)
            result.append(
                Row(f"picture of a log of {POINTS:,} points", median(environment, folder, "--log", "large"), "ms", 150))
        finally:
            programs.end(daemon, 10)
        return result


def median(environment: dict, folder: str, *arguments: str, suffix: str = "png") -> float:
    """Milliseconds from the start of the process to its end."""
    command = [programs.LOCATIONCTL, "map", "--snapshot", os.path.join(folder, f"map.{suffix}"), "--force", *arguments]
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)
