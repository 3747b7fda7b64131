"""A u-blox without a battery: how long its first fix takes cold, and the next time, with what it knew."""

import os
import select
import signal
import subprocess
import tempfile
import time

import programs
import settings
from table import Row

HELPER = os.path.join(".build", "release", "simulated-ublox")


class Receiver:
    """The simulated receiver, powered as long as this lives."""

    def __init__(self, dialect: str) -> None:
        self.process = subprocess.Popen([HELPER, dialect], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = self.process.stdout.readline().strip()

    def unplug(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def run(dialect: str, state: str, seconds_after: float) -> float:
    """From power-on to the first fix of `locationctl watch`, which goes on for a while and is then ended."""
    begun = time.monotonic()
    # A fix of the run before may be fresh enough to be printed first.
    powered = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    receiver = Receiver(dialect)
    watch = programs.Ours("watch", f"serial:{receiver.path}@38400", state, {"LOCATIOND_GPSD": "off"})
    try:
        first = None
        while first is None or time.monotonic() < begun + first + seconds_after:
            ready, _, _ = select.select([watch.output], [], [], 1)
            if ready and any(stamp >= powered for stamp in watch.fixes()) and first is None:
                first = time.monotonic() - begun
            if time.monotonic() > begun + 120:
                raise TimeoutError(f"no fix from {dialect}")
        watch.process.send_signal(signal.SIGTERM)
        watch.process.wait(10)
        return first
    finally:
        watch.stop()
        receiver.unplug()


def rows() -> list[Row]:
    rows = []
    for dialect in settings.NEXT_START_DIALECTS:
        with tempfile.TemporaryDirectory() as state:
            # The first run also finds that this machine's clock is right, which it may say nowhere else.
            cold = run(dialect, state, 32)
            files = os.listdir(os.path.join(state, "assistance")) if os.path.isdir(os.path.join(state, "assistance")) else []
            again = run(dialect, state, 0)
        note = "the receiver's own hot start is 2 s after the last of it; " + (
            "its satellites were kept" if files else "nothing was kept")
        rows.append(Row(f"simulated {dialect} without a battery, second start → first fix", again, "s", 7,
                        "its first, cold", cold, note))
    return rows
