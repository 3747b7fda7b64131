"""A stream of fixes while a receiver speaks: how late they come and what they cost."""

import math
import statistics
from dataclasses import dataclass, field

from cost import cost
from feeder import Feeder, step


@dataclass
class Stream:
    """What was measured of one program, over one block or several."""

    delays: list[float] = field(default_factory=list)
    epochs: int = 0
    cpu_milliseconds: float = 0
    wakeups: int = 0

    @property
    def missed(self) -> int:
        return self.epochs - len(self.delays)

    @property
    def median(self) -> float:
        return statistics.median(self.delays) * 1000 if self.delays else math.inf

    def percentile(self, share: float) -> float:
        ordered = sorted(self.delays)
        return ordered[math.ceil(share * len(ordered)) - 1] * 1000 if ordered else math.inf


WARM_UP = 5


def listen(program, feeder: Feeder, epochs: int, stream: Stream) -> None:
    """Adds the delays and the cost of `epochs` epochs to `stream`, after some that give fixes already and do not count."""
    heard: dict[str, float] = {}

    def until(number: int) -> None:
        while feeder.number < number:
            heard.update(step(feeder, program))

    while len(heard) < WARM_UP:
        heard.update(step(feeder, program))
        if feeder.number > 60 * feeder.rate:
            raise TimeoutError(f"{program.name} gave no fixes for a minute")
    first = feeder.number + 1
    until(first)
    before = cost(program.process.pid)
    until(first + epochs)
    spent = cost(program.process.pid) - before
    until(first + epochs + 1)

    # Of several lines of one epoch the last is the whole one.
    keys = feeder.keys[first : first + epochs]
    stream.delays += [heard[key] - feeder.said[key] for key in keys if key in heard]
    stream.epochs += epochs
    stream.cpu_milliseconds += spent.cpu_milliseconds
    stream.wakeups += spent.wakeups
