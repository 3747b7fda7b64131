"""A receiver that is unplugged and comes back, on the same path or another: when fixes come again, and how often."""

import os
import random
import statistics
import tempfile
import time

import programs
import settings
from bed import Bed
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


def measure(socket, start_program, times: int, patience: float) -> list[float | None]:
    """`start_program` is given a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        feeder = Feeder(socket.plug(), 1)
        program = start_program(folder)
        try:
            if until_fixes_again(program, feeder, 30) is None:
                raise TimeoutError(f"{program.name} gave no fix before it was unplugged")
            return [replug(program, socket, patience) for _ in range(times)]
        finally:
            program.stop()
            if socket.terminal:
                socket.unplug()


def same_path(start_program, times: int, patience: float) -> list[float | None]:
    with tempfile.TemporaryDirectory() as folder:
        # gpsd looks the path up without its privileges.
        os.chmod(folder, 0o755)
        socket = Socket(folder)
        return measure(socket, lambda state: start_program(socket.path, state), times, patience)


def other_name(times: int, patience: float) -> list[float | None]:
    with Bed() as bed:
        return measure(
            bed, lambda state: programs.Ours("watch", "auto", state, bed.environment), times, patience)


def row(name: str, seconds: list[float | None]) -> Row:
    back = [value for value in seconds if value is not None]
    in_time = sum(value <= 2 for value in back)
    median = f"median {statistics.median(back):.2f} s" if back else "none came back"
    return Row(name, max(back, default=None), "s", 2, note=f"{in_time} of {len(seconds)} within 2 s, {median}")


def rows() -> list[Row]:
    same = row(
        "replug on the same path: first new epoch → fix, worst",
        same_path(
            lambda path, state: programs.Ours("watch", f"serial:{path}", state), settings.REPLUGS, patience=10))
    if programs.GPSD:
        # One after the other, as it does not recover from most.
        runs = [same_path(lambda path, _: programs.Gpsd(path), 1, patience=20)[0] for _ in range(settings.GPSD_REPLUGS)]
        recovered = [seconds for seconds in runs if seconds is not None]
        same.peer = f"gpsd, {len(recovered)} of {len(runs)} within 20 s:"
        same.peer_value = max(recovered, default=None)
    name = "replug under another name, by udev's events: first new epoch → fix, worst"
    missing = Bed.whats_missing()
    other = absent(name, "s", missing) if missing else row(name, other_name(settings.REPLUGS, patience=10))
    return [same, other]
