"""Tiles of a real city's access points, and positions of simulated drives among them beside other methods."""

import os
import subprocess
import tempfile

import wifi_answer
from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")
CITY = os.path.join("wifi", "city_access_points.csv")
NAME = "positions by Wi-Fi"
# The tuning was chosen on seeds from 5000, 15000 and 25000 on.
SEED = "100"
POINTS = "10000000"


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "m", "the target Benchmarks is not built")]
    if not os.path.exists(os.path.join(os.environ.get("LOCATION_DATA", ""), CITY)):
        return [absent(NAME, "m", "LOCATION_DATA does not name a data folder with access points")]
    result = subprocess.run([PROGRAM, "wifi", SEED], capture_output=True, text=True)
    if result.returncode != 0:
        return [absent(NAME, "m", f"failed: Benchmarks ended with {result.returncode}")]
    city = os.path.join(os.environ["LOCATION_DATA"], CITY)
    return told(result.stdout) + wifi_answer.rows(city) + store()


def store() -> list[Row]:
    """Of as many as a country has; in a folder that goes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "build-places", folder, POINTS], check=True)
        result = subprocess.run([PROGRAM, "find-places", folder, POINTS], capture_output=True, text=True, check=True)
    return told(result.stdout)
