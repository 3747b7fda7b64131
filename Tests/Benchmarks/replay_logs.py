"""The logs that are played: a recorded drive, one of gpsd's recordings, and simulated ones of three kinds."""

import glob
import math
import os
import subprocess
import time
from dataclasses import dataclass

import programs

DRIVE = os.path.join("gnss", "MTV.Local1.ublox-F9K.20200206-181434.nmea")
# The longest of those that `.ci/conformance` has fetched.
RECORDING = os.path.join(".build", "conformance", "gpsd-*", "test", "daemon", "bundg_zeus_9.log")
SECONDS = 20_000


@dataclass(frozen=True)
class Log:
    name: str
    path: str
    is_nmea: bool = True

    @property
    def size(self) -> int:
        return os.path.getsize(self.path)

    @property
    def sentences(self) -> int:
        """Lines that begin as sentences do; 0 where there are other frames too, so that none is counted by chance."""
        if not self.is_nmea:
            return 0
        with open(self.path, "rb") as file:
            return sum(line[:1] in (b"$", b"!") for line in file)


def all_of(folder: str) -> list[Log]:
    logs = []
    drive = os.path.join(os.environ.get("LOCATION_DATA", ""), DRIVE)
    if os.path.exists(drive):
        logs.append(Log("F9K", drive))
    logs += [Log("gpsd's bundg_zeus_9", path) for path in sorted(glob.glob(RECORDING))[-1:]]
    nmea, ubx = simulated(folder, "nmea"), simulated(folder, "ubx")
    sentences = read(nmea).splitlines(keepends=True)
    sparse = written(folder, "sparse.nmea", (line for line in sentences if line[3:6] in (b"RMC", b"GGA")))
    both = (part for pair in zip(nmea_epochs(sentences), ubx_epochs(read(ubx))) for part in pair)
    return logs + [
        Log("simulated, 17 sentences a fix", nmea),
        Log("simulated, a fix in every second sentence", sparse),
        Log("simulated, UBX and NMEA", written(folder, "both.log", both), is_nmea=False),
        Log("simulated, UBX", ubx, is_nmea=False),
    ]


def beginning(folder: str) -> str:
    """A log of two sentences, for what a program costs before it has read any."""
    with open(os.path.join(folder, "sparse.nmea"), "rb") as file:
        return written(folder, "beginning.nmea", [file.readline(), file.readline()])


def simulated(folder: str, protocol: str) -> str:
    track = os.path.join(folder, "track.gpx")
    if not os.path.exists(track):
        written(folder, "track.gpx", [gpx().encode()])
    path = os.path.join(folder, f"simulated.{protocol}")
    subprocess.run(
        [programs.LOCATIONCTL, "simulate", track, "--protocol", protocol, "--output", path], check=True)
    return path


def gpx() -> str:
    """A drive of some hours around a town."""
    points = []
    for second in range(0, SECONDS, 10):
        turn = second / 600
        latitude = 48.1 + 0.05 * math.sin(turn) + 0.01 * math.sin(7 * turn)
        longitude = 11.5 + 0.08 * math.sin(1.3 * turn) + 0.01 * math.cos(5 * turn)
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_772_366_400 + second))
        points.append(f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><ele>500</ele><time>{moment}</time></trkpt>')
    return ('<gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
            f'{"".join(points)}</trkseg></trk></gpx>')


def nmea_epochs(sentences: list[bytes]):
    epoch: list[bytes] = []
    for sentence in sentences:
        if sentence[3:6] == b"RMC" and epoch:
            yield b"".join(epoch)
            epoch = []
        epoch.append(sentence)
    yield b"".join(epoch)


def ubx_epochs(data: bytes):
    """An epoch ends with NAV-EOE (0x01 0x61)."""
    start = place = 0
    while place < len(data):
        end = place + 8 + int.from_bytes(data[place + 4:place + 6], "little")
        if data[place + 2:place + 4] == b"\x01\x61":
            yield data[start:end]
            start = end
        place = end


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def written(folder: str, name: str, parts) -> str:
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.writelines(parts)
    return path
