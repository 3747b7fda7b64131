"""The time that locationd and gpsd make of a receiver's messages: how far samples for a clock daemon scatter, and how soon chronyd selects
them. Both get the same bytes at the same moments."""

import ctypes
import os
import random
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import tempfile
import threading
import time

import daemon
import epoch
import programs
import settings
from table import Row, absent
from terminal import Terminal

SECONDS = 120 if settings.FULL else 40
# Until the window of the filter is full, and gpsd has its first fixes.
WARM_UP = 22
CHRONYD = shutil.which("chronyd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
# ntpshmwrite.c: the unit for messages of the first receiver of a gpsd that root has started.
SHARED_MEMORY_KEY = 0x4E545030
SHARED_MEMORY_SIZE = 96
IPC_CREAT = 0o1000


def ubx(message_class: int, number: int, payload: bytes) -> bytes:
    body = struct.pack("<BBH", message_class, number, len(payload)) + payload
    a = b = 0
    for byte in body:
        a = (a + byte) & 255
        b = (b + a) & 255
    return b"\xb5\x62" + body + bytes([a, b])


# UBX-NAV-TIMELS: 18 leap seconds, from GPS, no event. Without it, locationd waits for 15 minutes.
LEAP = ubx(1, 0x26, struct.pack("<IB3sBbBbiHH3sB", 0, 0, b"\0\0\0", 2, 18, 0, 0, 0, 0, 0, b"\0\0\0", 1))


class Line:
    """Sends epochs to a pty for locationd and to a TCP client, gpsd: from the beginning of each epoch on, as a line of that speed does."""

    PIECE = 16

    def __init__(self, rate: int, baud: int, jitter: float) -> None:
        self.rate, self.baud, self.jitter = rate, baud, jitter
        self.terminal = Terminal()
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(1)
        self.port = self.listener.getsockname()[1]
        self.clients: list[socket.socket] = []
        self.random = random.Random(28)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        # 100 ms after the second: the delay of a usual receiver.
        base = int(time.time()) + 1
        number = 0
        while not self.ended.is_set():
            moment = base + number / self.rate
            begin = moment + 0.1 + (abs(self.random.gauss(0, self.jitter)) if self.jitter else 0)
            data = epoch.epoch(moment, number)
            number += 1
            for start in range(0, len(data), self.PIECE):
                piece = data[start : start + self.PIECE]
                self.wait(begin + start * 10 / self.baud)
                self.terminal.write(piece + (LEAP if start + self.PIECE >= len(data) else b""))
                self.accept()
                for client in self.clients:
                    try:
                        client.send(piece)
                    except OSError:
                        pass

    def accept(self) -> None:
        if select.select([self.listener], [], [], 0)[0]:
            client, _ = self.listener.accept()
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.clients.append(client)

    def wait(self, until: float) -> None:
        while (left := until - time.time()) > 0 and not self.ended.is_set():
            # The end of the wait is exact, and between the pieces the programs that are measured can run, also on one processor.
            time.sleep(left - 0.0005 if left > 0.001 else 0)

    def stop(self) -> None:
        self.ended.set()
        self.thread.join()
        for client in self.clients:
            client.close()
        self.listener.close()
        self.terminal.close()


class SharedMemory:
    """The segment into which gpsd writes its samples; it exists before gpsd does."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        identifier = libc.shmget(SHARED_MEMORY_KEY, SHARED_MEMORY_SIZE, IPC_CREAT | 0o600)
        if identifier < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        self.address = libc.shmat(identifier, None, 0)
        self.count = self.read()[0]

    def read(self) -> tuple[int, float]:
        """The number of the sample, and true time minus system's clock."""
        data = ctypes.string_at(self.address, SHARED_MEMORY_SIZE)
        (count,) = struct.unpack_from("@i", data, 4)
        clock, clock_microseconds = struct.unpack_from("@qi", data, 8)
        received, received_microseconds = struct.unpack_from("@qi", data, 24)
        clock_nanoseconds, received_nanoseconds = struct.unpack_from("@II", data, 52)
        return count, (clock - received) + (clock_nanoseconds - received_nanoseconds) / 1e9

    def next(self) -> float | None:
        count, offset = self.read()
        if count == self.count or count % 2:
            return None
        self.count = count
        return offset


def gpsd(port: int) -> subprocess.Popen:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = free.getsockname()[1]
    return subprocess.Popen(
        [programs.GPSD, "-N", "-n", "-D", "0", "-S", str(own), f"tcp://127.0.0.1:{port}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def locationd(terminal: Terminal, path: str) -> daemon.Daemon:
    return daemon.Daemon(f"serial:{terminal.path}", LOCATIOND_TIME="chrony", LOCATIOND_TIME_SOCKET=path)


def samples(rate: int, baud: int, jitter: float) -> tuple[list[float], list[float]]:
    """The offsets of locationd's and of gpsd's samples, seconds."""
    ours: list[float] = []
    theirs: list[float] = []
    line = Line(rate, baud, jitter)
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        path = f"{folder}/chrony.locationd.sock"
        receiver.bind(path)
        server = locationd(line.terminal, path)
        memory = SharedMemory() if programs.GPSD else None
        peer = gpsd(line.port) if programs.GPSD else None
        try:
            began = time.monotonic()
            while time.monotonic() - began < WARM_UP + SECONDS:
                is_warm = time.monotonic() - began >= WARM_UP
                if select.select([receiver], [], [], 0.02)[0]:
                    _, _, offset, *_ = struct.unpack("@qqdiiii", receiver.recv(64))
                    if is_warm:
                        ours.append(offset)
                if memory and (offset := memory.next()) is not None and is_warm:
                    theirs.append(offset)
        finally:
            server.stop()
            if peer:
                programs.end(peer, 5)
            line.stop()
    return ours, theirs


def scatter() -> list[Row]:
    rows = []
    means = {}
    for name, rate, baud, jitter, reach in (
        ("no jitter, 115200 baud", 1, 115_200, 0.0, 0.3), ("9600 baud", 1, 9600, 0.0, None),
        ("arrivals with 8 ms of jitter", 1, 115_200, 0.008, 2), ("5 Hz", 5, 115_200, 0.0, 0.5),
    ):
        ours, theirs = samples(rate, baud, jitter)
        name = f"samples for chronyd, {name}: standard deviation"
        if len(ours) < 5:
            rows.append(absent(name, "ms", f"failed: {len(ours)} samples"))
            continue
        means[baud] = means.get(baud) or (statistics.fmean(ours), statistics.fmean(theirs) if theirs else None)
        row = Row(name, statistics.pstdev(ours) * 1000, "ms", reach, note=f"{len(ours)} samples")
        if len(theirs) >= 5:
            row.peer, row.peer_value = "gpsd", statistics.pstdev(theirs) * 1000
        rows.append(row)
    if 9600 in means and 115_200 in means:
        (fast, gpsd_fast), (slow, gpsd_slow) = means[115_200], means[9600]
        row = Row("samples for chronyd, 9600 and 115200 baud: apart", abs(fast - slow) * 1000, "ms", 1)
        if gpsd_fast is not None and gpsd_slow is not None:
            row.peer, row.peer_value = "gpsd", abs(gpsd_fast - gpsd_slow) * 1000
        rows.append(row)
    return rows


class Chronyd:
    """A chronyd that does not touch the clock, with one reference clock."""

    def __init__(self, line: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        folder = self.folder.name
        with open(f"{folder}/chrony.conf", "w") as file:
            file.write(f"""{line.replace("FOLDER", folder)} refid GNSS poll 2 delay 0.2 precision 1e-3
port 0
cmdport 0
bindcmdaddress {folder}/chronyd.sock
pidfile {folder}/chronyd.pid
driftfile {folder}/drift
""")
        user = ["-u", "root"] if os.geteuid() == 0 else ["-U"]
        self.messages = f"{folder}/messages"
        self.process = subprocess.Popen(
            [CHRONYD, "-x", "-d", *user, "-f", f"{folder}/chrony.conf"], stdin=subprocess.DEVNULL,
            stdout=open(self.messages, "wb"), stderr=subprocess.STDOUT)
        self.began = time.monotonic()
        self.selected: int | None = None

    def look(self) -> None:
        with open(self.messages) as file:
            if self.selected is None and "Selected source" in file.read():
                # Its polls are 4 s apart: parts of a second say only which of two was started first.
                self.selected = round(time.monotonic() - self.began)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()


def pass_on(offset: float, path: str) -> None:
    """The layout is that of chrony's refclock_sock.c."""
    now = time.time()
    sample = struct.pack("@qqdiiii", int(now), int(now % 1 * 1e6), offset, 0, 0, 0, 0x534F434B)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        try:
            sender.sendto(sample, path)
        except OSError:
            pass  # chronyd has not created it yet.


def selection() -> Row:
    """Both receivers' programs have run for a while, then chronyd starts, as after its restart.

    Debian 12's gpsd writes messages' time only to shared memory, which chronyd polls otherwise: its samples are passed on to a socket at once,
    as newer ones send them.
    """
    name = "chronyd: start → the receiver is selected, poll 2"
    if not CHRONYD:
        return absent(name, "s", "no chrony is installed")
    line = Line(1, 115_200, 0.0)
    clients: list[Chronyd] = []
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/chrony.locationd.sock"
        server = locationd(line.terminal, path)
        memory = SharedMemory() if programs.GPSD else None
        peer = gpsd(line.port) if memory else None
        try:
            time.sleep(WARM_UP)
            clients.append(Chronyd(f"refclock SOCK {path}"))
            if memory:
                clients.append(Chronyd("refclock SOCK FOLDER/gpsd.sock"))
            while time.monotonic() - clients[0].began < 60 and any(client.selected is None for client in clients):
                time.sleep(0.02)
                if memory and (offset := memory.next()) is not None:
                    pass_on(offset, f"{clients[1].folder.name}/gpsd.sock")
                for client in clients:
                    client.look()
            selected = [client.selected for client in clients]
        finally:
            for client in clients:
                client.stop()
            server.stop()
            if peer:
                programs.end(peer, 5)
            line.stop()
    if selected[0] is None:
        return absent(name, "s", "failed: not within 60 s")
    row = Row(name, selected[0], "s", 15)
    if len(selected) > 1 and selected[1] is not None:
        row.peer, row.peer_value = "gpsd", selected[1]
        row.reach = min(15, row.peer_value)
    return row


def rows() -> list[Row]:
    if not os.access(daemon.LOCATIOND, os.X_OK):
        return [absent("samples for chronyd", "", "not built: make build")]
    return [*scatter(), selection()]
