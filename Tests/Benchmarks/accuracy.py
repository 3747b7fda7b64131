"""Accuracy and radius on halves of recorded tracks that were not used for tuning, with and without Wi-Fi."""

import os
import subprocess

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")
NAME = "accuracy on held-out halves"


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "m", "the target Benchmarks is not built")]
    if not os.environ.get("LOCATION_DATA"):
        return [absent(NAME, "m", "LOCATION_DATA does not name a data folder")]
    result = subprocess.run([PROGRAM, "accuracy", os.environ["LOCATION_DATA"]], capture_output=True, text=True)
    if result.returncode != 0:
        return [absent(NAME, "m", f"failed: Benchmarks ended with {result.returncode}")]
    return told(result.stdout)
