"""What corrections cost: an NTRIP stream of 1 kB/s to a receiver, ours against str2str; and the bytes of a receiver to a TCP client."""

import os
import select
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

import caster
import daemon
import feeder
import gpsd_clients
import programs
import settings
from table import Row, absent
from terminal import Terminal

STR2STR = shutil.which("str2str")
SECONDS = 60 if settings.FULL else 20
RATE = 1000


def children(process: subprocess.Popen) -> list[int]:
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        return [int(word) for word in file.read().split()]


def busy(number: int) -> float:
    """Processor seconds of a process, all threads."""
    total = 0.0
    for thread in os.listdir(f"/proc/{number}/task"):
        with open(f"/proc/{number}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0]) / 1e9
    return total


class Reader:
    """Drains what is written to the receiver, and lets it send an epoch a second."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal, self.source, self.received = terminal, feeder.Feeder(terminal, 1), 0

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            if now >= self.source.due:
                self.source.speak()
            ready, _, _ = select.select([self.terminal.master], [], [], max(0.0, min(self.source.due, end) - now))
            if ready:
                try:
                    self.received += len(os.read(self.terminal.master, 65536))
                except OSError:
                    time.sleep(0.01)


def ours(server: caster.Caster | None) -> tuple[float, int]:
    """Share of a processor of locationd and of its helper, in percent, with or without corrections, and the bytes to the receiver."""
    terminal = Terminal()
    with tempfile.TemporaryDirectory() as root:
        variables = {}
        if server:
            folder = os.path.join(root, "etc/locationd/ntrip")
            os.makedirs(folder)
            path = os.path.join(folder, "base")
            with open(path, "w") as file:
                file.write(f"url=ntrip://127.0.0.1:{server.port}/BASE\n")
            os.chmod(path, 0o600)
            variables = {"LOCATIOND_CORRECTIONS": "base", "LOCATIOND_CORRECTED_RECEIVERS": terminal.path,
                         "LOCATIOND_CONFIG": root}
        port = gpsd_clients.free_port()
        running = daemon.Daemon(f"serial:{terminal.path}", LOCATIOND_GPSD_LISTEN=f"127.0.0.1:{port}", **variables)
        watcher = gpsd_clients.Watcher(port)
        reader = Reader(terminal)
        try:
            reader.run(8)
            before = [busy(number) for number in (running.process.pid, *children(running.process))]
            began, received = time.monotonic(), reader.received
            reader.run(SECONDS)
            after = [busy(number) for number in (running.process.pid, *children(running.process))]
            share = (sum(after) - sum(before)) / (time.monotonic() - began) * 100
            return share, reader.received - received
        finally:
            watcher.close()
            running.stop()
            terminal.close()


def theirs(server: caster.Caster) -> float:
    terminal = Terminal()
    process = subprocess.Popen(
        [STR2STR, "-in", f"ntrip://user:password@127.0.0.1:{server.port}/BASE", "-out",
         f"serial://{terminal.path.removeprefix('/dev/')}:115200"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    reader = Reader(terminal)
    try:
        reader.run(3)
        before, began, received = busy(process.pid), time.monotonic(), reader.received
        reader.run(SECONDS)
        share = (busy(process.pid) - before) / (time.monotonic() - began) * 100
        if reader.received == received:
            raise TimeoutError("str2str passes nothing on")
        return share
    finally:
        programs.end(process, 5)
        terminal.close()


def corrections() -> list[Row]:
    server = caster.Caster("v1", RATE)
    alone, _ = ours(None)
    share, received = ours(server)
    row = Row("locationd and its network helper: NTRIP at 1 kB/s, processor time beside that of the receiver",
              max(0.0, share - alone), "%", 0.1, note=f"{received / SECONDS:.0f} B/s; the receiver alone {alone:.3f} %")
    if STR2STR:
        row.peer, row.peer_value = "str2str", theirs(server)
    server.close()
    return [row]


class Recorder:
    """A terminal that keeps the last epoch that was written."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal, self.last = terminal, b""

    def write(self, data: bytes) -> None:
        self.last = data
        self.terminal.write(data)


def raw(is_ours: bool, rate: int) -> tuple[float, list[float]]:
    """Serial port to a TCP client: share of a processor in percent, and the delays of the last byte in milliseconds."""
    terminal = Terminal()
    port = gpsd_clients.free_port()
    if is_ours:
        running = daemon.Daemon(f"serial:{terminal.path}", LOCATIOND_GPSD_LISTEN=f"127.0.0.1:{port}")
        process = running.process
    else:
        process = subprocess.Popen(
            [STR2STR, "-in", f"serial://{terminal.path.removeprefix('/dev/')}:115200", "-out", f"tcpsvr://:{port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = None
    try:
        deadline = time.monotonic() + 10
        while client is None:
            try:
                client = socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        if is_ours:
            client.sendall(b'?WATCH={"enable":true,"raw":2};\n')
        recorder = Recorder(terminal)
        source = feeder.Feeder(recorder, rate)
        pending, delays = b"", []
        waiting = None
        before = began = None
        start = time.monotonic()
        while began is None or time.monotonic() - began < SECONDS:
            if began is None and time.monotonic() - start > 5:
                began, before = time.monotonic(), busy(process.pid)
                delays = []
            ready, _, _ = select.select([client], [], [], max(0.0, source.due - time.monotonic()))
            at = time.monotonic()
            if ready:
                pending = (pending + client.recv(65536))[-8192:]
                if waiting and waiting[0] in pending:
                    delays.append((at - waiting[1]) * 1000)
                    waiting, pending = None, b""
            elif at >= source.due:
                key = source.key
                source.speak()
                if key in source.said:
                    waiting = (recorder.last[-60:], source.said[key])
        return (busy(process.pid) - before) / (time.monotonic() - began) * 100, delays
    finally:
        if client:
            client.close()
        if is_ours:
            running.stop()
        else:
            programs.end(process, 5)
        terminal.close()


def bytes_of_a_receiver() -> list[Row]:
    rows = []
    for rate in (1, 10):
        share, delays = raw(True, rate)
        cost = Row(f"locationd: a receiver at {rate} Hz to a TCP client (raw), processor time", share, "%", 0.05 if rate == 1 else None)
        late = Row(f"the same: last byte → client, {rate} Hz, median", statistics.median(delays), "ms", 0.4,
                   note=f"p99 {statistics.quantiles(delays, n=100)[98]:.2f} ms, {len(delays)} epochs")
        if STR2STR:
            peer_share, peer_delays = raw(False, rate)
            cost.peer, cost.peer_value = "str2str", peer_share
            if peer_delays:
                late.peer, late.peer_value = "str2str", statistics.median(peer_delays)
        rows += [cost, late]
    return rows


def available(measure) -> list[Row]:
    if not os.access(daemon.LOCATIOND, os.X_OK):
        return [absent("corrections, and bytes of a receiver", "", "not built: make build")]
    return measure()


def rows() -> list[Row]:
    return available(corrections)


def serial_rows() -> list[Row]:
    return available(bytes_of_a_receiver)
