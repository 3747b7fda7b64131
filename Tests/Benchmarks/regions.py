"""A million watched regions: what a fix costs among them, beside a grid of 40 lines of C."""

import os
import statistics
import subprocess
import tempfile

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")
NAME = "a fix against 1,000,000 circles"
PEER = "a grid of 40 lines of C"


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent(NAME, "us", "the target Benchmarks is not built")]
    return [row for extent in ("world", "city") for row in beside_peer(extent) + from_file(extent)] + from_store()


def run(*arguments: str) -> list[Row]:
    return told(subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout)


# Where the kernel puts a process's pages makes some of a third of what it costs to look at a hundred megabytes.
PROCESSES = 5


def median_of_processes(*arguments: str) -> list[Row]:
    runs = [run(*arguments) for _ in range(PROCESSES)]
    for number, row in enumerate(runs[0]):
        row.value = statistics.median(rows[number].value for rows in runs)
    return runs[0]


def beside_peer(extent: str) -> list[Row]:
    peer = {row.name: row.value for row in median_of_processes("regions-peer", extent)}
    ours = median_of_processes("regions", extent)
    for row in ours:
        if row.name in peer:
            row.peer, row.peer_value = PEER, peer[row.name]
    return ours


def from_file(extent: str) -> list[Row]:
    """Written by one process, read by another, as after a restart."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "regions")
        run("write-regions", extent, path)
        return median_of_processes("load-regions", extent, path)


def from_store() -> list[Row]:
    """As the service has them: brought in by one process, loaded by another, as after a restart."""
    with tempfile.TemporaryDirectory() as folder:
        return run("build-monitoring", folder, "1000000") + median_of_processes("load-monitoring", folder, "1000000")
