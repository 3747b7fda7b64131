"""When borders of regions are told to be crossed, on simulated and recorded drives, beside a test of each fix by itself."""

import os
import subprocess

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent("crossings", "", "the target Benchmarks is not built")]
    found = told(subprocess.run([PROGRAM, "crossings"], capture_output=True, text=True, check=True).stdout)
    if not os.environ.get("LOCATION_DATA"):
        found.append(absent("crossings of recorded drives", "", "LOCATION_DATA does not name a data folder"))
    return found
