"""Scripts that all ask for a fix at once, without a daemon: one opens the receiver, the others share its fix."""

import math
import os
import subprocess
import tempfile
import time

import programs
import settings
from feeder import Feeder
from table import Row
from terminal import Terminal

PATIENCE = 60


def all_at_once(count: int) -> tuple[float, int]:
    """How long until the last has ended, and how many failed."""
    terminal = Terminal()
    try:
        with tempfile.TemporaryDirectory() as state:
            variables = {**os.environ, "LOCATIOND_STATE": state, "LOCATIOND_SOCKET": f"{state}/none"}
            now = time.time()
            # An epoch is written a tenth of a second after its moment, as by a receiver.
            feeder = Feeder(terminal, rate=1, start=time.monotonic() + math.ceil(now) - now + 0.1)
            begun = time.monotonic()
            runs = [
                subprocess.Popen(
                    [programs.LOCATIONCTL, "fix", "--source", f"serial:{terminal.path}"],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=variables)
                for _ in range(count)
            ]
            while any(run.poll() is None for run in runs) and time.monotonic() < begun + PATIENCE:
                if time.monotonic() >= feeder.due:
                    feeder.speak()
                time.sleep(0.005)
            took = time.monotonic() - begun
            for run in runs:
                if run.poll() is None:
                    run.kill()
            return took, sum(run.wait() != 0 for run in runs)
    finally:
        terminal.close()


def rows() -> list[Row]:
    results = [all_at_once(20) for _ in range(settings.ONE_SHOT_RUNS)]
    took, failed = max(result[0] for result in results), sum(result[1] for result in results)
    if failed:
        raise OSError(f"{failed} of {20 * len(results)} found no fix")
    name = "20 x fix at once, no daemon, pty, 1 Hz, until the last has ended, the longest"
    return [Row(name, took, "s", 2, note=f"{len(results)} runs")]
