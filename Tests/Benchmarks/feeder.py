"""A receiver that speaks at its pace, at once or as a line of some speed carries it, and notes when it had said all."""

import math
import select
import time

import epoch


class Feeder:
    """Epochs at `rate` a second, from `start` (monotonic seconds) on, written to `terminal`.

    With `baud` an epoch comes in pieces of 12 bytes, each when a line of that speed has carried it.
    """

    PIECE = 12

    def __init__(
        self, terminal, rate: int, baud: int | None = None, start: float | None = None, tail: bytes = b""
    ) -> None:
        self.terminal = terminal
        self.rate = rate
        self.baud = baud
        # Sent at the end of each epoch.
        self.tail = tail
        self.start = time.monotonic() + 0.2 if start is None else start
        self.base = math.ceil(time.time())
        self.number = 0
        self.said: dict[str, float] = {}
        self.keys: list[str] = []
        self.pieces: list[tuple[float, bytes]] = []
        self.prepare()

    def prepare(self) -> None:
        """The next epoch's pieces, the last one first."""
        moment = self.base + self.number / self.rate
        self.key = epoch.key(moment)
        data = epoch.epoch(moment, self.number) + self.tail
        begin = self.start + self.number / self.rate
        size = self.PIECE if self.baud else len(data)
        cuts = range(0, len(data), size)
        self.pieces = [
            (begin + (min(cut + size, len(data)) * 10 / self.baud if self.baud else 0), data[cut : cut + size])
            for cut in cuts
        ][::-1]

    @property
    def due(self) -> float:
        return self.pieces[-1][0]

    def speak(self) -> None:
        """Writes the piece that is due; the moment of an epoch's last byte is taken before it is written."""
        _, data = self.pieces.pop()
        if not self.pieces:
            self.said[self.key] = time.monotonic()
            self.keys.append(self.key)
        self.terminal.write(data)
        if not self.pieces:
            self.number += 1
            self.prepare()


def step(feeder: Feeder, program) -> list[tuple[str, float]]:
    """Reads what the program gives, else speaks when it is time: one or the other, in one thread.

    The fixes that came, each with the moment when it could be read.
    """
    wait = max(0.0, feeder.due - time.monotonic())
    ready, _, _ = select.select([program.output], [], [], wait)
    at = time.monotonic()
    if ready:
        return [(key, at) for key in program.fixes()]
    if at >= feeder.due:
        feeder.speak()
    return []
