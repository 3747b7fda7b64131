"""A running stream: delay from an epoch's last byte to the reader, CPU and wakeups an epoch."""

import tempfile

import programs
import settings
from feeder import Feeder
from stream import Stream, listen
from table import Row
from terminal import Terminal


def measure(start_program, rate: int, baud: int | None, epochs: int, stream: Stream) -> None:
    terminal = Terminal()
    program = None
    try:
        program = start_program(terminal.path)
        listen(program, Feeder(terminal, rate, baud), epochs, stream)
    finally:
        if program:
            program.stop()
        terminal.close()


def both(rate: int, baud: int | None, epochs: int) -> tuple[Stream, Stream | None]:
    """Ours and gpsd in turns."""
    ours, peer = Stream(), Stream() if programs.GPSD else None
    for _ in range(settings.BLOCKS):
        with tempfile.TemporaryDirectory() as state:
            watch = lambda path: programs.Ours("watch", f"serial:{path}", state)
            measure(watch, rate, baud, epochs // settings.BLOCKS, ours)
        if peer is not None:
            measure(programs.Gpsd, rate, baud, epochs // settings.BLOCKS, peer)
    return ours, peer


def compared(name: str, unit: str, ours: Stream, peer: Stream | None, reach: float | None, value) -> Row:
    missed = f", {ours.missed} missed" if ours.missed else ""
    row = Row(name, value(ours), unit, reach, note=f"{ours.epochs} epochs{missed}")
    if peer is not None:
        row.peer, row.peer_value = "gpsd", value(peer)
        if peer.missed:
            row.note += f", gpsd missed {peer.missed}"
    return row


def delays(carried: str, ours: Stream, peer: Stream | None) -> list[Row]:
    name = f"last byte of the epoch → line at the reader, {carried}"
    return [
        compared(f"{name}, median", "ms", ours, peer, 0.2, lambda stream: stream.median),
        compared(f"{name}, p99", "ms", ours, peer, 2, lambda stream: stream.percentile(0.99)),
    ]


def costs(carried: str, ours: Stream, peer: Stream | None) -> list[Row]:
    half = peer.cpu_milliseconds / peer.epochs / 2 if peer is not None else None
    return [
        compared(
            f"CPU an epoch, {carried}", "ms", ours, peer, half, lambda stream: stream.cpu_milliseconds / stream.epochs),
        compared(f"wakeups an epoch, {carried}", "", ours, peer, None, lambda stream: stream.wakeups / stream.epochs),
    ]


def rows() -> list[Row]:
    found: list[Row] = []
    for rate, epochs in settings.EPOCHS_AT_ONCE.items():
        ours, peer = both(rate, None, epochs)
        floor = Stream()
        measure(programs.Cat, rate, None, epochs // 3, floor)
        found += delays(f"{rate} Hz", ours, peer) + costs(f"{rate} Hz", ours, peer)
        found[-4].note += f", with cat {floor.median:.3f}"
        found[-3].note += f", with cat {floor.percentile(0.99):.3f}"
        if peer is not None:
            # The bound on CPU is for dribbling lines.
            found[-2].reach = None
    for (rate, epochs), baud in zip(settings.EPOCHS_DRIBBLED.items(), (9600, 115200)):
        carried = f"{rate} Hz dribbled at {baud} baud"
        ours, peer = both(rate, baud, epochs)
        found += delays(carried, ours, peer) + costs(carried, ours, peer)
    return found
