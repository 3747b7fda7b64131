"""What a logged fix costs an SD card: bytes at a block device of its own below ext4, beside SQLite's; and what a seal adds."""

import datetime
import json
import os
import random
import sqlite3
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import decode
import programs
import settings
from table import Row, absent

NAME = "bytes at the block device a logged fix, 1 Hz, a sync each 30 s"
FIXES = 7200
BATCH = 30
KINDS = {"estimated": 0, "2d": 1, "3d": 2, "dgnss": 3, "rtkFloat": 4, "rtkFixed": 5}
KEYS = ("ellipsoidalAltitude", "altitude", "verticalAccuracy", "speed", "speedAccuracy", "course", "courseAccuracy",
        "satellitesUsed")


class NoDisk(Exception):
    pass


class Disk:
    """An ext4 on a loop device of its own."""

    def counted(self) -> int:
        with open(self.counters) as file:
            return int(file.read().split()[6]) * 512

    def __init__(self, folder: str, device: str):
        self.folder = folder
        self.counters = f"/sys/block/{os.path.basename(device)}/stat"

    def written(self) -> int:
        subprocess.run(["sync", "-f", self.folder], check=True)
        return self.counted()


@contextmanager
def disk():
    """As a Raspberry Pi's card is formatted: blocks of 4,096 bytes."""
    with tempfile.TemporaryDirectory() as place:
        image, folder = os.path.join(place, "image"), os.path.join(place, "disk")
        os.mkdir(folder)
        with open(image, "wb") as file:
            file.truncate(64 << 20)
        device = None
        try:
            run("mkfs.ext4", "-q", "-F", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
            device = run("losetup", "--find", "--show", image).strip()
            run("mount", device, folder)
        except (OSError, subprocess.CalledProcessError) as failure:
            if device:
                subprocess.run(["losetup", "-d", device])
            raise NoDisk(f"no loop device can be mounted here: {failure}") from failure
        try:
            yield Disk(folder, device)
        finally:
            subprocess.run(["umount", folder], check=True)
            subprocess.run(["losetup", "-d", device], check=True)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def recorded() -> list[dict]:
    """The recorded F9K as the command line tells it."""
    log = os.path.join(os.environ.get("LOCATION_DATA", ""), decode.LOG)
    if not os.path.exists(log):
        return []
    lines = run(programs.LOCATIONCTL, "replay", log, "--format", "json").splitlines()
    return [fix for fix in map(json.loads, lines) if "latitude" in fix]


def invented() -> list[dict]:
    """A drive with the noise of a good receiver, for machines without recorded ones."""
    seeded = random.Random(1)
    latitude, longitude, speed, course = 47.0, 8.0, 12.0, 45.0
    fixes = []
    for second in range(1800):
        speed = min(max(speed + seeded.gauss(0, 0.7), 0), 35)
        course = (course + seeded.gauss(0, 3)) % 360
        latitude += speed * 6.5e-6
        longitude += speed * 9e-6
        fixes.append({
            "timestamp": f"2026-08-01T12:{second // 60:02}:{second % 60:02}.000Z",
            "latitude": round(latitude + seeded.gauss(0, 2e-7), 7), "longitude": round(longitude + seeded.gauss(0, 2e-7), 7),
            "horizontalAccuracy": round(1.5 + seeded.gauss(0, 0.02), 3), "altitude": round(400 + seeded.gauss(0, 0.1), 3),
            "ellipsoidalAltitude": round(447.5 + seeded.gauss(0, 0.1), 3), "verticalAccuracy": 2.1,
            "speed": round(speed, 3), "speedAccuracy": round(0.2 + seeded.gauss(0, 0.01), 3), "course": round(course, 3),
            "courseAccuracy": round(1 + seeded.gauss(0, 0.1), 2), "satellitesUsed": seeded.choice((17, 18)), "fix": "3d"})
    return fixes[:1800]


def line(fix: dict) -> str:
    time = datetime.datetime.fromisoformat(fix["timestamp"].replace("Z", "+00:00")).timestamp()
    values = [f"{time:.3f}", fix["latitude"], fix["longitude"], fix["horizontalAccuracy"]]
    values += [fix.get(key, "-") for key in KEYS] + [KINDS[fix["fix"]]]
    return " ".join(map(str, values))


@dataclass
class Cost:
    """A fix: bytes at the block device, bytes in the log's files, and nanoseconds of CPU, the kernel's among them."""
    device: float
    file: float
    cpu: float


def ours(fixes: str, key: str = "-") -> Cost:
    with disk() as here:
        before = here.written()
        log = here.folder + "/log"
        cpu = json.loads(run(decode.PROGRAM, "track", fixes, log, str(FIXES), "0", key))["cpu"]
        size = sum(os.path.getsize(os.path.join(log, name)) for name in os.listdir(log))
        return Cost((here.written() - before) / FIXES, size / FIXES, cpu)


def sealed(fixes: str) -> list[Row]:
    """Each the better of three: the noise of the machine only adds."""
    with tempfile.TemporaryDirectory() as place:
        key = run(programs.LOCATIONCTL, "log", "keygen", os.path.join(place, "key")).strip()
    tries = [(ours(fixes), ours(fixes, key)) for _ in range(3)]
    opened, closed = ([min(getattr(pair[side], what) for pair in tries) for what in ("device", "file", "cpu")]
                      for side in (0, 1))
    return [
        Row("the same, sealed", closed[0], "B", None, "open", opened[0]),
        Row("bytes in the files of a log a fix, sealed", closed[1], "B", None, "open", opened[1]),
        Row("CPU a logged fix with the kernel's part, sealed", closed[2] / 1000, "us", None, "open", opened[2] / 1000),
    ]


def ours_paced(fixes: str, count: int) -> float:
    """After the first minute: what was taken beforehand lasts for hours."""
    with disk() as here:
        logger = subprocess.Popen([decode.PROGRAM, "track", fixes, here.folder + "/log", str(count), "1000000", "-"])
        time.sleep(60)
        before = here.counted()
        if logger.wait() != 0:
            raise OSError("the logger failed")
        return (here.written() - before) / (count - 60)


def database(lines: list[str], synchronous: str, count: int = FIXES, pace: float = 0) -> float:
    """A row a fix, a transaction each half minute: what a logger on SQLite does."""
    with disk() as here:
        before, first = here.written(), 0
        connection = sqlite3.connect(here.folder + "/log.sqlite", isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute(
            "CREATE TABLE fixes (time INTEGER PRIMARY KEY, lat REAL, lon REAL, r REAL, h REAL, msl REAL, v REAL, speed REAL, "
            "speed_r REAL, course REAL, course_r REAL, satellites INTEGER, kind INTEGER)")
        for start in range(0, count, BATCH):
            if pace and start == 60:
                before, first = here.counted(), start
            time.sleep(pace * BATCH)
            connection.execute("BEGIN")
            for number in range(start, start + BATCH):
                values = [None if value == "-" else float(value) for value in lines[number % len(lines)].split()]
                values[0] = int(values[0] * 1000) + number * 10_000_000
                connection.execute(f"INSERT INTO fixes VALUES ({','.join('?' * 13)})", values)
            connection.execute("COMMIT")
        connection.close()
        return (here.written() - before) / (count - first)


def rows() -> list[Row]:
    if not os.access(decode.PROGRAM, os.X_OK):
        return [absent(NAME, "B", "the target Benchmarks is not built")]
    fixes = recorded()
    note = "recorded F9K" if fixes else "an invented drive: LOCATION_DATA does not name a data folder"
    lines = [line(fix) for fix in fixes or invented()]
    with tempfile.NamedTemporaryFile("w", suffix=".fixes") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        try:
            value = ours(file.name).device
            result = [
                Row(NAME, value, "B", 80, "SQLite WAL FULL", database(lines, "FULL"), note),
                Row("the same beside a database that does not sync", value, "B", None, "SQLite WAL NORMAL",
                    database(lines, "NORMAL")),
            ]
            result += sealed(file.name)
            return result + (paced(file.name, lines) if settings.FULL else [])
        except NoDisk as failure:
            return [absent(NAME, "B", str(failure))]


def paced(fixes: str, lines: list[str]) -> list[Row]:
    """At a fix a second, ext4 also writes by the clock: each write dates the file anew, and its journal says so."""
    with ThreadPoolExecutor() as pool:
        value = pool.submit(ours_paced, fixes, settings.PACED_FIXES)
        peer = pool.submit(database, lines, "FULL", settings.PACED_FIXES, 1)
        return [Row("the same at its own pace, with what ext4's journal writes by the clock", value.result(), "B", None,
                    "SQLite WAL FULL", peer.result(), f"{settings.PACED_FIXES} s")]
