"""What locationd costs: idle, with one client and with a hundred; how fast it answers, and hands a fix on."""

import os
import statistics
import subprocess
import tempfile
import time

import feeder
import programs
import service
import settings
import startup
from table import Row, absent
from terminal import Terminal

LOCATIOND = os.path.join(".build", "release", "locationd")


class Daemon:
    """A locationd in a folder of its own."""

    def __init__(self, source: str, **variables: str) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="locationd-bench-")
        self.socket = os.path.join(self.folder.name, "socket")
        self.environment = {
            **os.environ, "LOCATIOND_SOCKET": self.socket, "LOCATIOND_STATE": self.folder.name + "/state",
            "LOCATIOND_GPSD": "off", "LOCATIOND_SOURCE": "", **variables}
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            [LOCATIOND, "--source", source], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        self.answered = service.wait_for(self.socket)

    def file(self, name: str) -> str:
        with open(f"/proc/{self.process.pid}/{name}") as file:
            return file.read()

    def kilobytes(self, *keys: str) -> int:
        found = dict(line.split(":", 1) for line in self.file("smaps_rollup").splitlines()[1:])
        return sum(int(found[key].split()[0]) for key in keys)

    def switches(self) -> int:
        found = dict(line.split(":", 1) for line in self.file("status").splitlines())
        return int(found["voluntary_ctxt_switches"])

    def cpu(self) -> float:
        return cpu(self.process)

    def stop(self) -> None:
        programs.end(self.process, 10)
        self.folder.cleanup()


def starts() -> list[Row]:
    times = []
    for _ in range(20):
        daemon = Daemon("auto")
        times.append((daemon.answered - daemon.begun) * 1000)
        daemon.stop()
    return [Row("locationd: start → socket answers, median", statistics.median(times), "ms", 10,
                note=f"fastest {min(times):.1f} ms, slowest {max(times):.1f} ms")]


def idle() -> list[Row]:
    daemon = Daemon("auto")
    try:
        time.sleep(1)
        before = daemon.switches()
        time.sleep(settings.IDLE_SECONDS)
        wakeups = daemon.switches() - before
        return [
            Row("locationd: idle, resident", daemon.kilobytes("Rss") / 1000, "MB", 12),
            # What is clean comes from the program's file, and another locationd would share it.
            Row("locationd: idle, private and written", daemon.kilobytes("Private_Dirty") / 1000, "MB", 3),
            Row(f"locationd: idle, wakeups in {settings.IDLE_SECONDS} s", wakeups, "", 0),
        ]
    finally:
        daemon.stop()


def cpu(process: subprocess.Popen) -> float:
    """Seconds on a processor so far."""
    with open(f"/proc/{process.pid}/schedstat") as file:
        return int(file.read().split()[0]) / 1e9


def share(terminal: Terminal, process: subprocess.Popen, client, others) -> tuple[float, int]:
    """The share of one processor that a service uses at 10 Hz, in percent, and the number of updates."""
    source = feeder.Feeder(terminal, 10)
    received = 0
    while received < 20:
        received += len(feeder.step(source, client))
    for other in others:
        other.fixes()
    began, before = time.monotonic(), cpu(process)
    updates = 0
    while time.monotonic() - began < settings.LOAD_SECONDS:
        got = len(feeder.step(source, client))
        updates += got
        if got:
            for other in others:
                other.fixes()
    return (cpu(process) - before) / (time.monotonic() - began) * 100, updates


def gpsd_load() -> float:
    terminal = Terminal()
    peer = programs.Gpsd(terminal.path)
    try:
        return share(terminal, peer.process, peer, [])[0]
    finally:
        peer.stop()
        terminal.close()


def load(count: int, reach: float) -> Row:
    """The daemon's processor time with so many streams at 10 Hz; with one client beside gpsd, in the same run."""
    terminal = Terminal()
    daemon = Daemon(f"serial:{terminal.path}")
    clients = []
    try:
        clients = [service.Client(daemon.socket) for _ in range(count)]
        value, updates = share(terminal, daemon.process, clients[0], clients[1:])
    finally:
        for client in clients:
            client.close()
        daemon.stop()
        terminal.close()
    row = Row(f"locationd: processor time at 10 Hz, {count} client{'s' if count > 1 else ''}", value, "%", reach,
              note=f"{updates} updates")
    if count == 1 and programs.GPSD:
        row.peer, row.peer_value = "gpsd", gpsd_load()
        row.reach = row.peer_value * 1.1
    return row


def fresh_fix() -> list[Row]:
    """`locationctl fix` as a whole process, while another client keeps the receiver: once an epoch, and one after the other."""
    terminal = Terminal()
    daemon = Daemon(f"serial:{terminal.path}")
    keeper = service.Client(daemon.socket)
    try:
        source = feeder.Feeder(terminal, 10)
        heard, times, together = 0, [], []
        variables = {key: value for key, value in daemon.environment.items() if key.startswith("LOCATIOND_")}
        os.environ.update(variables)
        while heard < 20 or len(times) < 100:
            got = len(feeder.step(source, keeper))
            heard += got
            if got and heard > 20:
                times.append(startup.spawn([programs.LOCATIONCTL, "fix"]))
                while source.due - time.monotonic() > 0.03:
                    together.append(startup.spawn([programs.LOCATIONCTL, "fix"]))
        return [
            Row("locationctl fix, fresh fix in locationd, median", statistics.median(times), "ms", 4,
                note=f"fastest {min(times):.2f} ms"),
            Row("the same, one after the other", statistics.median(together), "ms", 4, note=f"{len(together)} of them")]
    finally:
        for key in variables:
            del os.environ[key]
        keeper.close()
        daemon.stop()
        terminal.close()


def delays(program, terminal: Terminal, rate: int) -> list[float]:
    source = feeder.Feeder(terminal, rate)
    times: list[float] = []
    skipped = 0
    while len(times) < settings.DAEMON_EPOCHS:
        for key, at in feeder.step(source, program):
            skipped += 1
            if skipped > 20 and key in source.said:
                times.append((at - source.said[key]) * 1000)
    return times


def hand_over() -> Row:
    """From an epoch's last byte to the fix at a client, 10 Hz; gpsd in turn."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(settings.BLOCKS):
        terminal = Terminal()
        daemon = Daemon(f"serial:{terminal.path}")
        client = service.Client(daemon.socket)
        try:
            ours += delays(client, terminal, 10)
        finally:
            client.close()
            daemon.stop()
            terminal.close()
        if programs.GPSD:
            terminal = Terminal()
            peer = programs.Gpsd(terminal.path)
            try:
                theirs += delays(peer, terminal, 10)
            finally:
                peer.stop()
                terminal.close()
    row = Row("last byte of the epoch → client of locationd, 10 Hz, median", statistics.median(ours), "ms", 0.25,
              note=f"p99 {statistics.quantiles(ours, n=100)[98]:.2f} ms")
    if theirs:
        row.peer, row.peer_value = "gpsd", statistics.median(theirs)
    return row


def rows() -> list[Row]:
    if not os.access(LOCATIOND, os.X_OK):
        return [absent("locationd", "", "not built: make build")]
    return [*starts(), *idle(), load(1, 0.2), load(100, 3), *fresh_fix(), hand_over()]
