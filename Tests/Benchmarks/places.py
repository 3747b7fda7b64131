"""Places: what is at a position and where an address is, beside other programs; and imports of extracts."""

import json
import math
import os
import statistics
import subprocess
import tempfile
import time

import nominatim
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
# Positions and addresses that Nominatim is asked for.
ASKED = 1000 if settings.FULL else 400

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
        found += told(run(PROGRAM, "--rows", path)) + beside_nominatim(data, path)
        for row in found:
            if row.name == "address of a position known to 30 m":
                row.peer, row.peer_value = "Nominatim, in an earlier run", 14_300
            elif row.name == "search for an address":
                row.peer, row.peer_value = "Nominatim, in an earlier run", 17
        times = []
        for _ in range(30):
            begin = time.perf_counter()
            run(LOCATIONCTL, "places", "at", "47.1393,9.5228", XDG_DATA_HOME=home, LOCATIOND_WORLD=os.path.abspath(WORLD))
            times.append((time.perf_counter() - begin) * 1000)
        return found + [Row("'places at LAT,LON' as a process, median", statistics.median(times), "ms", 5)]


def beside_nominatim(extract: str, path: str) -> list[Row]:
    """The same questions for Nominatim and for our file of the same extract. Times are those of one call after the other."""
    name = "addresses beside Nominatim"
    if not nominatim.is_there():
        return [absent(name, "", "needs root, Nominatim and PostgreSQL: run .ci/places-peers")]
    questions = [json.loads(line) for line in run(PROGRAM, "--questions", path, str(ASKED), "4").splitlines()]
    with nominatim.Nominatim(extract) as peer:
        answers = peer.ask([
            {"latitude": question["position"][0], "longitude": question["position"][1]} if question["position"]
            else {"text": question["text"]} for question in questions
        ])
        seconds, megabytes = peer.seconds, peer.megabytes
    pairs = list(zip(questions, answers))
    reverse = [(ours, theirs) for ours, theirs in pairs if ours["position"]]
    forward = [(ours, theirs) for ours, theirs in pairs if not ours["position"]]
    both = [(ours, theirs) for ours, theirs in reverse if ours["foundStreet"] and theirs["street"]]
    told_numbers = [ours for ours, _ in reverse if ours["foundNumber"]]

    def share(part: int, whole: int) -> float:
        return part * 100 / max(whole, 1)

    def is_same(one: str | None, two: str | None) -> bool:
        return one is not None and two is not None and plain(one) == plain(two)

    def rightly(ours: dict, street: str | None, number: str | None) -> bool:
        return is_same(street, ours["street"]) and is_same(number, ours["number"])

    def is_near(ours: dict, found: list | None) -> bool:
        return found is not None and distance(ours["middle"], found) <= 30

    # How often the program was wrong, in percent.
    theirs_elsewhere = share(sum(not is_same(ours["foundStreet"], theirs["street"]) for ours, theirs in both), len(both))
    our_street = share(sum(not is_same(ours["foundStreet"], ours["street"]) for ours, _ in reverse), len(reverse))
    their_street = share(sum(not is_same(theirs["street"], ours["street"]) for ours, theirs in reverse), len(reverse))
    our_number = share(
        sum(not rightly(ours, ours["foundStreet"], ours["foundNumber"]) for ours in told_numbers), len(told_numbers))
    their_number = share(sum(not rightly(ours, theirs["street"], theirs["number"]) for ours, theirs in reverse), len(reverse))
    our_search = share(sum(not is_near(ours, ours["found"]) for ours, _ in forward), len(forward))
    their_search = share(sum(not is_near(ours, theirs["position"]) for ours, theirs in forward), len(forward))

    def medians(of: list[tuple[dict, dict]]) -> tuple[float, float]:
        return (statistics.median(ours["microseconds"] for ours, _ in of),
                statistics.median(theirs["milliseconds"] * 1000 for _, theirs in of))

    (our_time, their_time), (our_search_time, their_search_time) = medians(reverse), medians(forward)
    return [
        Row("positions known to 4 m: another street than Nominatim's", theirs_elsewhere, "%", 3,
            f"Nominatim (import: {seconds:.0f} s) of MB", megabytes),
        Row("the same: another street than the right one", our_street, "%", None, "Nominatim", their_street),
        Row("the same: a wrong number where one is reported", our_number, "%", 7, "Nominatim", their_number),
        Row("the same: no number", 100 - share(len(told_numbers), len(reverse)), "%"),
        Row("the same: time, median", our_time, "µs", None, "Nominatim", their_time),
        Row("searches for 'street number, town': farther than 30 m", our_search, "%", 2, "Nominatim", their_search),
        Row("the same: time, median", our_search_time, "µs", None, "Nominatim", their_search_time),
    ]


def plain(name: str) -> str:
    """The name of a street or a number without differences in spelling: Nominatim reports the name of the road, which says "Sankt" where
    addresses say "St."."""
    name = name.lower()
    for short, long in (("st.", "sankt"), ("dr.", "doktor")):
        name = name.replace(short, long)
    return "".join(letter for letter in name if letter.isalnum())


def distance(first: list[float], second: list[float]) -> float:
    """Meters between two near positions."""
    north = (second[0] - first[0]) * 111_195
    east = (second[1] - first[1]) * 111_195 * math.cos(math.radians(first[0]))
    return math.hypot(north, east)
