"""Tiles of a real city's access points, and positions of simulated drives among them beside other methods."""

import json
import os
import subprocess

from table import Row, absent

PROGRAM = os.path.join(".build-dev", "release", "Benchmarks")
CITY = os.path.join("wifi", "city_access_points.csv")
NAME = "positions by Wi-Fi"
# The tuning was chosen on seeds from 5000, 15000 and 25000 on.
SEED = "100"


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "m", "the target Benchmarks is not built")]
    if not os.path.exists(os.path.join(os.environ.get("LOCATION_DATA", ""), CITY)):
        return [absent(NAME, "m", "LOCATION_DATA does not name a data folder with access points")]
    result = subprocess.run([PROGRAM, "wifi", SEED], capture_output=True, text=True)
    if result.returncode != 0:
        return [absent(NAME, "m", f"failed: Benchmarks ended with {result.returncode}")]
    return [
        Row(record["name"], record["value"], record["unit"], record.get("reach"), record.get("peer"),
            record.get("peerValue"))
        for record in map(json.loads, result.stdout.splitlines())
    ]
