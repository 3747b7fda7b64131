"""The decoder's own benchmark: the executable `Benchmarks`, where it is built and has data."""

import os
import subprocess

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")
LOG = os.path.join("gnss", "MTV.Local1.ublox-F9K.20200206-181434.nmea")
NAME = "full NMEA decode, one core"


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "ns/sentence", "the target Benchmarks is not built")]
    if not os.environ.get("LOCATION_DATA"):
        return [absent(NAME, "ns/sentence", "LOCATION_DATA does not name a data folder")]
    log = os.path.join(os.environ["LOCATION_DATA"], LOG)
    result = subprocess.run([PROGRAM, "decode", log], capture_output=True, text=True)
    if result.returncode != 0:
        return [absent(NAME, "ns/sentence", f"Benchmarks ended with {result.returncode}")]
    return told(result.stdout)
