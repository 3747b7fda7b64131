"""Places: what is at a position and where an address is, beside other programs; and imports of extracts."""

import json
import os
import statistics
import subprocess
import tempfile
import time

import settings
from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "places-bench")
IMPORT = os.path.join(".build", "release", "locationctl-places")
LOCATIONCTL = os.path.join(".build", "release", "locationctl")
WORLD = os.path.join(".build", "places-data")
# tzfpy and timezonefinder, installed by .ci/places-peers.
PEERS = os.path.join(".build", "places-peers", "bin", "python3")
NAME = "places"
POINTS = 100_000 if settings.FULL else 20_000

# One look-up after the other, as a program makes them: the median of groups of 100, in microseconds, and the memory in MB.
PEER = """
import json, resource, sys, time
points = [tuple(map(float, line.split()[:2])) for line in open(sys.argv[2])]
if sys.argv[1] == "tzfpy":
    import tzfpy
    def find(latitude, longitude): return tzfpy.get_tz(longitude, latitude)
else:
    import timezonefinder
    finder = timezonefinder.TimezoneFinder(in_memory=True)
    def find(latitude, longitude): return finder.timezone_at(lat=latitude, lng=longitude)
find(47.1, 9.5)
times, found = [], []
for start in range(0, len(points), 100):
    part = points[start:start + 100]
    begin = time.perf_counter()
    zones = [find(*point) for point in part]
    times.append((time.perf_counter() - begin) / len(part) * 1e6)
    found += zones
times.sort()
print(json.dumps([times[len(times) // 2], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, found]))
"""


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "", "places-bench is not built")]
    return zones() + imports()


def run(*command: str, **environment: str) -> str:
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if result.returncode != 0:
        raise OSError(f"{command[0]} ended with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def zones() -> list[Row]:
    if not os.path.exists(os.path.join(WORLD, "world.zones")):
        return [absent("time zone of a position", "µs", "run 'make places-data'")]
    ours = told(run(PROGRAM, "--zones", WORLD))
    ours.append(Row("the same: size of the file", os.path.getsize(os.path.join(WORLD, "world.zones")) / 1e6, "MB", 6))
    if not os.access(PEERS, os.X_OK):
        return ours + [absent("time zones beside tzfpy and timezonefinder", "µs", "PyPI could not be reached")]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "points")
        text = run(PROGRAM, "--points", WORLD, str(POINTS), "2")
        with open(path, "w") as file:
            file.write(text)
        fast, memory, _ = json.loads(run(PEERS, "-c", PEER, "tzfpy", path))
        _, _, exact = json.loads(run(PEERS, "-c", PEER, "timezonefinder", path))
    ours[0].peer, ours[0].peer_value = "tzfpy", fast
    ours[-1].peer, ours[-1].peer_value = "tzfpy's memory with Python", memory
    found = [line.split()[2] for line in text.splitlines()]
    other = sum(one != two for one, two in zip(found, exact)) * 100 / len(found)
    return ours + [Row("time zones other than timezonefinder's, random positions", other, "%", 0.1)]


def imports() -> list[Row]:
    data = os.path.join(os.environ.get("LOCATION_DATA", ""), "places", "liechtenstein-2024.osm.pbf")
    if not os.path.exists(data):
        return [absent("import of Liechtenstein", "s", "LOCATION_DATA does not name a data folder with extracts")]
    with tempfile.TemporaryDirectory() as home:
        begin = time.monotonic()
        run(IMPORT, "import", data, "--name", "here", XDG_DATA_HOME=home)
        seconds = time.monotonic() - begin
        path = os.path.join(home, "locationd", "places", "here.places")
        found = [
            Row("import of Liechtenstein", seconds, "s", 3, "Nominatim", 109),
            Row("the same: size of the file", os.path.getsize(path) / 1e6, "MB", 4, "Nominatim", 143),
        ]
        found += told(run(PROGRAM, "--rows", path))
        for row in found:
            if row.name == "address of a position known to 30 m":
                row.peer, row.peer_value = "Nominatim", 14_300
            elif row.name == "search for an address":
                row.peer, row.peer_value = "Nominatim", 17
        times = []
        for _ in range(30):
            begin = time.perf_counter()
            run(LOCATIONCTL, "places", "at", "47.1393,9.5228", XDG_DATA_HOME=home, LOCATIOND_WORLD=os.path.abspath(WORLD))
            times.append((time.perf_counter() - begin) * 1000)
        return found + [Row("'places at LAT,LON' as a process, median", statistics.median(times), "ms", 5)]
