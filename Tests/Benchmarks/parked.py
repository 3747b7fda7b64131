"""For how much of a night the receiver is on where only regions are watched."""

import os
import subprocess
import tempfile

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent("parked", "%", "the target Benchmarks is not built")]
    with tempfile.TemporaryDirectory() as folder:
        return told(subprocess.run([PROGRAM, "parked", folder], capture_output=True, text=True, check=True).stdout)
