"""What clients of gpsd's protocol cost locationd and gpsd: processor time with 1, 10 and 50 of them, memory, bytes and delay."""

import json
import os
import selectors
import socket
import statistics
import time

import daemon
import epoch
import feeder
import programs
import settings
from table import Row, absent
from terminal import Terminal

COUNTS = (1, 10, 50)
SECONDS = 60 if settings.FULL else 20
# Of one user: gpsd has 64 at most, locationd 128 of a user.
MEMORY_CLIENTS = 100
# With the ten of an epoch, 14 satellites.
MORE_SATELLITES = epoch.sentence("GLGSV,1,1,04,66,41,064,38,67,68,310,42,75,24,190,35,82,17,335,31")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Watcher:
    """A client that watches JSON."""

    def __init__(self, port: int) -> None:
        deadline = time.monotonic() + 10
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self.socket.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self.output = self.socket.fileno()
        self.pending = b""
        self.bytes = 0

    def fixes(self) -> list[str]:
        """The times of the fixes that can be read now."""
        self.pending += self.socket.recv(65536)
        *lines, self.pending = self.pending.split(b"\n")
        found = []
        for line in lines:
            if line.startswith((b'{"class":"TPV"', b'{"class":"SKY"', b'{"class":"GST"')):
                self.bytes += len(line) + 1
            if line.startswith(b'{"class":"TPV"'):
                report = json.loads(line)
                if report.get("mode", 0) >= 2 and "time" in report:
                    found.append(report["time"])
        return found

    def close(self) -> None:
        self.socket.close()


class Server:
    """A service on a pty, and its port."""

    def __init__(self, terminal: Terminal, is_gpsd: bool) -> None:
        self.peer = programs.Gpsd(terminal.path) if is_gpsd else None
        if self.peer:
            self.port, self.process = self.peer.port, self.peer.process
            # Only the clients below are counted.
            self.peer.client.sendall(b'?WATCH={"enable":false};\n')
        else:
            self.port = free_port()
            self.daemon = daemon.Daemon(f"serial:{terminal.path}", LOCATIOND_GPSD_LISTEN=f"127.0.0.1:{self.port}")
            self.process = self.daemon.process

    def private(self) -> int:
        """Memory of its own, bytes."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(("Private_Dirty", "Private_Clean")))

    def stop(self) -> None:
        self.peer.stop() if self.peer else self.daemon.stop()


def run(is_gpsd: bool, count: int, rate: int, seconds: float, tail: bytes = b"") -> dict[str, float | list[float]]:
    """Feeds a receiver for so long: share of a processor in percent, bytes per epoch, delays in milliseconds."""
    terminal = Terminal()
    server = Server(terminal, is_gpsd)
    watchers: list[Watcher] = []
    try:
        watchers = [Watcher(server.port) for _ in range(count)]
        source = feeder.Feeder(terminal, rate, tail=tail)
        ready = selectors.DefaultSelector()
        for watcher in watchers:
            ready.register(watcher.output, selectors.EVENT_READ, watcher)
        delays: list[float] = []
        epochs = skipped = 0
        began = before = None
        while began is None or time.monotonic() - began < seconds:
            events = ready.select(max(0.0, source.due - time.monotonic()))
            at = time.monotonic()
            for key, _ in events:
                for fix in key.data.fixes():
                    if key.data is not watchers[0]:
                        continue
                    skipped += 1
                    if began is None and skipped > 5:
                        began, before = at, daemon.cpu(server.process)
                        for watcher in watchers:
                            watcher.bytes = 0
                    elif began is not None:
                        epochs += 1
                        if fix in source.said:
                            delays.append((at - source.said[fix]) * 1000)
            if not events and at >= source.due:
                source.speak()
        share = (daemon.cpu(server.process) - before) / (time.monotonic() - began) * 100
        return {"share": share, "bytes": watchers[0].bytes / max(1, epochs), "delays": delays}
    finally:
        for watcher in watchers:
            watcher.close()
        server.stop()
        terminal.close()


def load() -> list[Row]:
    rows, shares = [], {}
    for count in COUNTS:
        ours = run(False, count, 1, SECONDS)
        shares[count] = ours["share"]
        row = Row(f"locationd: processor time at 1 Hz, {count} client{'s' if count > 1 else ''} of gpsd's protocol",
                  ours["share"], "%")
        if programs.GPSD:
            theirs = run(True, count, 1, SECONDS)
            row.peer, row.peer_value = "gpsd", theirs["share"]
            row.reach = row.peer_value / (2 if count >= 50 else 1)
        rows.append(row)
    rows.append(Row("the same: each further client, from the 2nd to the 50th", (shares[50] - shares[1]) / 49, "%"))
    return rows


def size() -> Row:
    row = Row("locationd: bytes of gpsd's protocol per epoch, 14 satellites",
              run(False, 1, 1, 10, MORE_SATELLITES)["bytes"], "B", 1700)
    if programs.GPSD:
        row.peer, row.peer_value = "gpsd", run(True, 1, 1, 10, MORE_SATELLITES)["bytes"]
    return row


def memory() -> Row:
    terminal = Terminal()
    server = Server(terminal, False)
    watchers: list[Watcher] = []
    try:
        source = feeder.Feeder(terminal, 10)

        def settle(epochs: int) -> None:
            seen = 0
            while seen < epochs:
                for watcher in watchers[1:]:
                    watcher.socket.setblocking(False)
                    try:
                        watcher.fixes()
                    except BlockingIOError:
                        pass
                seen += len(feeder.step(source, watchers[0]))

        watchers.append(Watcher(server.port))
        settle(50)
        before = server.private()
        watchers += [Watcher(server.port) for _ in range(MEMORY_CLIENTS)]
        settle(50)
        return Row("locationd: memory of a client of gpsd's protocol", (server.private() - before) / MEMORY_CLIENTS, "B", 4096)
    finally:
        for watcher in watchers:
            watcher.close()
        server.stop()
        terminal.close()


def delay() -> list[Row]:
    rows = []
    for rate in (1, 10):
        ours = run(False, 1, rate, SECONDS)["delays"]
        median = Row(f"last byte of the epoch → TPV, {rate} Hz, median", statistics.median(ours), "ms",
                     note=f"{len(ours)} epochs")
        last = Row("the same, p99", statistics.quantiles(ours, n=100)[98], "ms", 1)
        if programs.GPSD:
            theirs = run(True, 1, rate, SECONDS)["delays"]
            if len(theirs) > 1:
                median.peer = last.peer = "gpsd"
                median.reach = median.peer_value = statistics.median(theirs)
                last.peer_value = statistics.quantiles(theirs, n=100)[98]
        rows += [median, last]
    return rows


def rows() -> list[Row]:
    if not os.access(daemon.LOCATIOND, os.X_OK):
        return [absent("clients of gpsd's protocol", "", "not built: make build")]
    return [*load(), size(), memory(), *delay()]
