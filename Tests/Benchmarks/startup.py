"""How long the smallest command takes, from spawning it to its end."""

import os
import statistics
import time

import programs
import settings
from table import Row


def spawn(arguments: list[str]) -> float:
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    begun = time.monotonic()
    pid = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=quiet)
    os.waitpid(pid, 0)
    return (time.monotonic() - begun) * 1000


def rows() -> list[Row]:
    ours, peers = [], []
    for _ in range(settings.STARTS):
        ours.append(spawn([programs.LOCATIONCTL, "--version"]))
        if programs.GPSD:
            peers.append(spawn([programs.GPSD, "-V"]))
    row = Row("locationctl --version, median", statistics.median(ours), "ms", 3.5, note=f"fastest {min(ours):.2f} ms")
    if peers:
        row.peer, row.peer_value = "gpsd -V", statistics.median(peers)
    return [row]
