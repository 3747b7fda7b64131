"""From the start of the program to the first fix that it hands over, at a random moment of the receiver's second."""

import random
import statistics
import tempfile
import time

import programs
import settings
from feeder import Feeder, step
from table import Row
from terminal import Terminal


def until_first_fix(start_program) -> float:
    terminal = Terminal()
    program = None
    try:
        begun = time.monotonic()
        program = start_program(terminal.path)
        # The epochs are a second apart whenever the program was started.
        feeder = Feeder(terminal, rate=1, start=begun + random.random())
        while time.monotonic() < begun + 30:
            if fixes := step(feeder, program):
                return fixes[0][1] - begun
        return 30.0
    finally:
        if program:
            program.stop()
        terminal.close()


def ours() -> float:
    with tempfile.TemporaryDirectory() as state:
        return until_first_fix(lambda path: programs.Ours("fix", f"serial:{path}", state))


def rows() -> list[Row]:
    name = "open → first fix handed over, pty, 1 Hz, median"
    times, peer_times = [], []
    for run in range(settings.FIRST_FIX_RUNS):
        times.append(ours())
        if programs.GPSD and run < settings.GPSD_FIRST_FIX_RUNS:
            peer_times.append(until_first_fix(programs.Gpsd))
    row = Row(name, statistics.median(times), "s", 1.1, note=f"{len(times)} runs, worst {max(times):.2f} s")
    if peer_times:
        row.peer, row.peer_value = "gpsd", statistics.median(peer_times)
    return [row]
