"""A receiver that is unplugged and comes back on the same path: when fixes come again, and how often."""

import os
import random
import statistics
import tempfile
import time

import programs
import settings
from feeder import Feeder, step
from table import Row, absent
from terminal import Terminal


class Socket:
    """A path that stays the same, like a udev rule's, and a receiver behind it that comes and goes."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, "receiver")
        self.terminal: Terminal | None = None

    def plug(self) -> Terminal:
        self.terminal = Terminal()
        os.symlink(self.terminal.path, self.path)
        return self.terminal

    def unplug(self) -> None:
        os.unlink(self.path)
        self.terminal.close()
        self.terminal = None


def until_fixes_again(program, feeder: Feeder, patience: float) -> float | None:
    """Seconds from the last byte of the first epoch after `feeder` began to a fix of its epochs."""
    while not feeder.keys or time.monotonic() < feeder.said[feeder.keys[0]] + patience:
        for key, at in step(feeder, program):
            if key in feeder.said:
                return at - feeder.said[feeder.keys[0]]
    return None


def replug(program, socket: Socket, patience: float) -> float | None:
    socket.unplug()
    time.sleep(random.uniform(0.3, 2))
    return until_fixes_again(program, Feeder(socket.plug(), 1, start=time.monotonic() + random.random()), patience)


def measure(start_program, times: int, patience: float) -> list[float | None]:
    with tempfile.TemporaryDirectory() as folder:
        # gpsd looks the path up without its privileges.
        os.chmod(folder, 0o755)
        socket = Socket(folder)
        feeder = Feeder(socket.plug(), 1)
        program = start_program(socket.path, folder)
        try:
            if until_fixes_again(program, feeder, 30) is None:
                raise TimeoutError(f"{program.name} gave no fix before it was unplugged")
            return [replug(program, socket, patience) for _ in range(times)]
        finally:
            program.stop()
            if socket.terminal:
                socket.unplug()


def rows() -> list[Row]:
    ours = measure(
        lambda path, folder: programs.Ours("watch", f"serial:{path}", os.path.join(folder, "state")),
        settings.REPLUGS, patience=10)
    back = [seconds for seconds in ours if seconds is not None]
    in_time = sum(seconds <= 2 for seconds in back)
    row = Row(
        "replug on the same path: first new epoch → fix, worst", max(back, default=None), "s", 2,
        note=f"{in_time} of {len(ours)} within 2 s, median {statistics.median(back) if back else 0:.2f} s")
    if programs.GPSD:
        # One after the other, as it does not recover from most.
        runs = [measure(lambda path, _: programs.Gpsd(path), 1, patience=20)[0] for _ in range(settings.GPSD_REPLUGS)]
        recovered = [seconds for seconds in runs if seconds is not None]
        row.peer = f"gpsd, {len(recovered)} of {len(runs)} within 20 s:"
        row.peer_value = max(recovered, default=None)
    other = absent(
        "replug under another name: first new epoch → fix", "s",
        "only the same name is measured here; LinuxDevicesTests/HotplugTests shows that the other name is followed")
    return [row, other]
