"""Visits of simulated weeks beside a stay-point detector's."""

import os
import subprocess

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent("visits", "", "the target Benchmarks is not built")]
    return told(subprocess.run([PROGRAM, "visits"], capture_output=True, text=True, check=True).stdout)
