"""How long a script in Python waits for a fix that the daemon has, from the import of the package."""

import json
import os
import py_compile
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import service
from daemon import Daemon
from table import Row

PACKAGE = Path("Sources/python3-locationd/locationd")
RUNS = 30
# The standard library is loaded first, for a figure of its own: any script that talks to a socket needs it.
SCRIPT = """
import json, time
begin = time.perf_counter()
import datetime, enum, os, random, socket, struct, typing
standard = time.perf_counter()
import locationd
imported = time.perf_counter()
with locationd.Client("benchmark") as client:
    connected = time.perf_counter()
    client.fix(max_age_s=10)
    end = time.perf_counter()
print(json.dumps([end - begin, imported - standard, end - imported]))
"""


def rows() -> list[Row]:
    daemon = Daemon("simulator")
    with tempfile.TemporaryDirectory() as folder:
        try:
            # Compiled, as a Debian package is when it is installed.
            shutil.copytree(PACKAGE, f"{folder}/locationd", ignore=shutil.ignore_patterns("__pycache__"))
            for source in Path(folder, "locationd").glob("*.py"):
                py_compile.compile(str(source), doraise=True)
            keeper = service.Client(daemon.socket)
            while not keeper.fixes():
                pass
            environment = {**os.environ, "LOCATIOND_SOCKET": daemon.socket, "PYTHONPATH": folder}
            figures = []
            for _ in range(RUNS):
                run = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
                figures.append([second * 1000 for second in json.loads(run.stdout)])
            keeper.close()
        finally:
            daemon.stop()
    total, ours, answer = (statistics.median(column) for column in zip(*figures))
    return [
        Row("Python: import → fix, median", total, "ms", 30, note="with the standard library that the package imports"),
        Row("Python: import of the package alone, median", ours, "ms", 5),
        Row("Python: connection → fix, median", answer, "ms"),
    ]
