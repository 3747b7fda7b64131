"""How soon a user's command runs after its event, beside who starts a shell without any agent."""

import os
import select
import shutil
import statistics
import subprocess
import tempfile
import time

from table import Row, absent, told

PROGRAM = os.path.join(".build", "release", "Benchmarks")
AGENT = os.path.abspath(os.path.join(".build", "release", "locationd"))
TRIES = 200


def rows() -> list[Row]:
    name = "event → its command runs"
    if not os.access(PROGRAM, os.X_OK) or not os.access(AGENT, os.X_OK):
        return [absent(name, "ms", "the targets Benchmarks and locationd are not built")]
    with tempfile.TemporaryDirectory() as home:
        result = subprocess.run([PROGRAM, "launch", AGENT, home], capture_output=True, text=True)
    if result.returncode:
        return [absent(name, "ms", f"failed: {result.stdout.strip()[:200]}")]
    ours = told(result.stdout)
    ours[0].peer, ours[0].peer_value = "a shell started by Python", starting(["/bin/sh", "-c"], TRIES)
    # A service of its own for each command: what systemd has for that, where this user has one.
    if shutil.which("systemd-run"):
        by_unit = starting(["systemd-run", "--user", "--quiet", "--collect", "/bin/sh", "-c"], 20)
        if by_unit is not None:
            ours[1].peer, ours[1].peer_value = "systemd-run --user", by_unit
    return ours


def starting(words: list[str], tries: int) -> float | None:
    """The same first act of the same shell; median in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fifo")
        os.mkfifo(path)
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        times = []
        try:
            for _ in range(tries):
                begun = time.monotonic()
                process = subprocess.Popen([*words, f"echo >{path}"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if not select.select([pipe], [], [], 5)[0]:
                    process.wait()
                    return None
                os.read(pipe, 16)
                times.append((time.monotonic() - begun) * 1000)
                process.wait()
        finally:
            os.close(pipe)
    return statistics.median(times)
