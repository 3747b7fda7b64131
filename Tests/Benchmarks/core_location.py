"""CoreLocation itself: how late delegates are called, what a thousand managers cost, a slow client, an idle one, distances."""

import os
import select
import statistics
import subprocess
import tempfile
import time

import daemon
import programs
import settings
from cost import cost
from epoch import key
from feeder import Feeder, step
from stream import Stream, WARM_UP, listen
from table import Row, absent
from terminal import Terminal

PROGRAM = os.path.join(".build", "release", "core-location-bench")
GEODESICS = os.path.join("geodesy", "geodtest_exact_6000.dat")
RATE = 10


class Client(programs.Program):
    """`core-location-bench` on a terminal; it says itself when its delegate was called."""

    name = "core-location-bench"

    def __init__(self, arguments: list[str], path: str, state: str, environment: dict[str, str] | None = None) -> None:
        environment = environment or {
            **os.environ, "LOCATIOND_SOURCE": f"serial:{path}", "LOCATIOND_GPSD": "off", "LOCATIOND_STATE": state}
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.output = self.process.stdout.fileno()
        self.called: dict[str, float] = {}
        self.words: list[list[str]] = []

    def fix_key(self, line: bytes) -> str | None:
        words = line.decode().split()
        if not words or not words[0].isdigit():
            self.words.append(words)
            return None
        moment = key(int(words[0]) / 1000)
        # A cached location is told again under its own moment; what counts is the first telling.
        self.called.setdefault(moment, int(words[1]) / 1e9)
        return moment

    def stop(self) -> None:
        self.process.stdin.close()
        super().stop()
        self.process.stdout.close()


class Served(Client):
    """The same at a `locationd` that has the receiver."""

    def __init__(self, arguments: list[str], path: str, state: str) -> None:
        self.daemon = daemon.Daemon(f"serial:{path}")
        super().__init__(arguments, path, state, self.daemon.environment)

    def stop(self) -> None:
        super().stop()
        self.daemon.stop()


class Watch(programs.Ours):
    def __init__(self, path: str, state: str) -> None:
        super().__init__("watch", f"serial:{path}", state, {"LOCATIOND_GPSD": "off"})


def resident(pid: int) -> float:
    """Megabytes that a process has in memory and shares with nobody's file."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("RssAnon"))


def measured(start, epochs: int, stream: Stream, own_clock: bool = False) -> None:
    """Adds what one program heard of `epochs` epochs; `own_clock`: the moments are the program's own."""
    terminal = Terminal()
    with tempfile.TemporaryDirectory() as state:
        program = start(terminal.path, state)
        feeder = Feeder(terminal, RATE)
        try:
            if own_clock:
                heard = Stream()
                listen(program, feeder, epochs, heard)
                keys = [k for k in feeder.keys[-epochs - 1:-1] if k in program.called]
                stream.delays += [program.called[k] - feeder.said[k] for k in keys]
                stream.epochs += epochs
            else:
                listen(program, feeder, epochs, stream)
        finally:
            program.stop()
            terminal.close()


def delays() -> list[Row]:
    called, served, computed, line, floor = Stream(), Stream(), Stream(), Stream(), Stream()
    blocks = 4
    for _ in range(blocks):
        epochs = settings.MANAGER_EPOCHS // blocks
        measured(lambda path, state: Client(["follow", "1"], path, state), epochs, called, own_clock=True)
        measured(lambda path, state: Served(["follow", "1"], path, state), epochs, served, own_clock=True)
        measured(lambda path, state: Client(["host"], path, state), epochs, computed, own_clock=True)
        measured(Watch, epochs, line)
        measured(lambda path, _: programs.Cat(path), epochs, floor)
    note = f"{called.epochs} epochs at {RATE} Hz"
    total = Row(
        "last byte of the epoch → delegate called on the main run loop, median", called.median, "ms", None, "cat",
        floor.median, f"{note}, p99 {called.percentile(0.99):.3f}, locationctl watch → line {line.median:.3f}")
    difference = Row(
        "fix computed → delegate called, main run loop, median", called.median - computed.median, "ms", 0.3,
        note=f"difference of the medians with and without CoreLocation, {called.median:.3f} − {computed.median:.3f}")
    through = Row(
        "fix computed → delegate called through locationd, main run loop, median", served.median - computed.median, "ms",
        note=f"{served.epochs} epochs, {served.median:.3f} − {computed.median:.3f}, p99 {served.percentile(0.99):.3f}, "
        f"{served.missed} missed")
    return [difference, through, total]


def crowd(form: str, name: str) -> list[Row]:
    """Many managers of one program."""
    terminal = Terminal()
    with tempfile.TemporaryDirectory() as state:
        program = Client([form, str(settings.MANAGERS)], terminal.path, state)
        feeder = Feeder(terminal, RATE)
        try:
            stream = Stream()
            # The first seconds' growth is what a thousand managers are; what counts is whether it goes on.
            listen(program, feeder, 5 * RATE, Stream())
            memory = resident(program.process.pid)
            begun = time.monotonic()
            listen(program, feeder, settings.MANAGER_EPOCHS, stream)
            seconds = time.monotonic() - begun
            growth = resident(program.process.pid) - memory
            heard = len(program.called)
            program.process.stdin.close()
            while not any(words[:1] == ["heard"] for words in program.words):
                program.fixes()
            least, most, failures = map(int, next(w for w in program.words if w[:1] == ["heard"])[1:])
        finally:
            program.stop()
            terminal.close()
    share = stream.cpu_milliseconds / (stream.epochs * 1000 / RATE) * 100
    told = f"{stream.epochs} epochs in {seconds:.0f} s, {stream.wakeups / stream.epochs:.1f} wakeups an epoch"
    rows = [
        Row(f"CPU of {name}", share, "% of a core", 10, note=told),
        Row(f"memory that they grow by meanwhile, {name}", growth, "MB", 1, note=f"{memory:.1f} MB at its beginning"),
    ]
    if form == "follow":
        dropped = max(heard, most) - least + stream.missed + failures
        rows.append(
            Row(f"locations dropped, {name}", dropped, "", 0, note=f"each manager heard {least} to {most}"))
    return rows


def slow() -> list[Row]:
    terminal = Terminal()
    with tempfile.TemporaryDirectory() as state:
        program = Client(["slow", str(settings.SLOW)], terminal.path, state)
        feeder = Feeder(terminal, RATE)
        memory = growth = 0.0
        try:
            deadline = time.monotonic() + 60 + settings.SLOW
            while not any(words[:1] == ["woke"] for words in program.words):
                if time.monotonic() > deadline:
                    raise TimeoutError("the slow client never woke")
                step(feeder, program)
                if ["sleeping"] in program.words:
                    memory = memory or resident(program.process.pid)
                    growth = resident(program.process.pid) - memory
            _, count, is_ordered, newest = next(words for words in program.words if words[:1] == ["woke"])
        finally:
            program.stop()
            terminal.close()
    behind = feeder.keys.index(key(int(newest) / 1000))
    lag = len(feeder.keys) - 1 - behind
    note = f"one call with {count} locations of {settings.SLOW * RATE}, in order {is_ordered}, {growth:.2f} MB more"
    return [Row(f"client slow by {settings.SLOW} s: epochs that the newest of its call is behind", lag, "", 1, note=note)]


def idle(form: str, name: str, client: type[Client] = Client) -> Row:
    terminal = Terminal()
    with tempfile.TemporaryDirectory() as state:
        program = client([form], terminal.path, state)
        feeder = Feeder(terminal, RATE)
        try:
            until = time.monotonic() + 60
            while ["idle"] not in program.words and time.monotonic() < until:
                step(feeder, program)
            # The receiver is put back and let go of; then nothing is left to do.
            feed(feeder, time.monotonic() + 8)
            before = cost(program.process.pid)
            feed(feeder, time.monotonic() + settings.IDLE)
            spent = cost(program.process.pid) - before
        finally:
            program.stop()
            terminal.close()
    note = f"{spent.wakeups} in {settings.IDLE} s, {spent.cpu_milliseconds:.2f} ms of CPU"
    return Row(f"wakeups a second, {name}", spent.wakeups / settings.IDLE, "", 0, note=note)


def feed(feeder: Feeder, until: float) -> None:
    """The receiver goes on talking, whoever listens."""
    while time.monotonic() < until:
        select.select([], [], [], max(0.0, min(feeder.due, until) - time.monotonic()))
        if time.monotonic() >= feeder.due:
            feeder.speak()


def geodesic() -> Row:
    name = "CLLocation.distance(from:), largest error on GeodTest's cases"
    if not os.environ.get("LOCATION_DATA"):
        return absent(name, "m", "LOCATION_DATA does not name a data folder")
    path = os.path.join(os.environ["LOCATION_DATA"], GEODESICS)
    output = subprocess.run([PROGRAM, "geodesic", path], capture_output=True, text=True, check=True).stdout.split()
    count, error, failures, nanoseconds = int(output[0]), float(output[1]), int(output[2]), int(output[3])
    # A failure is an error of any size.
    return Row(
        name, error if failures == 0 else float("inf"), "m", 2e-8,
        note=f"{count} cases, {failures} failures, {nanoseconds} ns each")


def rows() -> list[Row]:
    if not os.access(PROGRAM, os.X_OK):
        return [absent("CoreLocation", "", "the target core-location-bench is not built")]
    many = f"{settings.MANAGERS} managers at {RATE} Hz"
    return [
        *delays(),
        *crowd("follow", many),
        *crowd("follow-filtered", f"{many}, each with a distance filter of its own"),
        *slow(),
        idle("idle", "a manager without updates"),
        idle("idle-after", "a manager whose updates were stopped"),
        idle("idle-after", "a manager whose updates through locationd were stopped", Served),
        geodesic(),
    ]
