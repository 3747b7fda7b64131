"""Who may know: how soon a stranger learns that nobody has decided, and how soon a refusal holds."""

import contextlib
import ctypes
import json
import os
import select
import shutil
import statistics
import subprocess
import tempfile
import time

import decode
import feeder
import service
from daemon import Daemon
from settings import TRIES
from table import Row, absent
from terminal import Terminal

# A person of whom nothing was decided; nobody has to have that number.
STRANGER = 1999
ASKED, REVOKED = 200, 20
PEER_BED = os.path.join(".build", "release", "peer-bed")


def locate(request: int) -> bytes:
    options = field_of_options(timeout=10)
    return service.frame(2, service.field(1, request) + service.field(2, options))


def field_of_options(timeout: int) -> bytes:
    return service.field(2, service.signed(timeout * 10**9)) + service.field(3, 0)


def decide(request: int, identity: bytes, decision: int) -> bytes:
    """1: always, 2: denied."""
    content = service.field(1, 6) + service.field(7, identity) + service.field(8, service.field(1, decision))
    return service.frame(13, service.field(1, request) + service.field(2, content))


def answer(client: service.Client) -> bytes:
    """The next message that is no fix."""
    while True:
        for index, message in enumerate(client.messages):
            if message[0] in (4, 10):
                del client.messages[index]
                return message
        client.receive()


def failure(message: bytes) -> dict:
    return service.fields(service.fields(message[1:])[2])


@contextlib.contextmanager
def as_stranger(body):
    """`body` in a process of that user, which is given what it reads from, and what it writes to, one line each."""
    (reads, told), (heard, says) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(told)
            os.close(heard)
            os.setgroups([])
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            with os.fdopen(reads) as orders, os.fdopen(says, "w", buffering=1) as results:
                body(orders, results)
        finally:
            os._exit(0)
    os.close(reads)
    os.close(says)
    with os.fdopen(told, "w", buffering=1) as orders, os.fdopen(heard) as results:
        try:
            yield orders, results
        finally:
            orders.close()
            os.waitpid(child, 0)


def reachable(daemon: Daemon) -> None:
    os.chmod(daemon.folder.name, 0o755)


def asking(daemon: Daemon) -> list[Row]:
    """The whole way: connect, greet, be told apart by the kernel's word, ask, and hear that nobody has decided."""

    def ask(_, results) -> None:
        for request in range(1, ASKED + 1):
            begun = time.monotonic()
            client = service.Client(daemon.socket, wants_updates=False)
            client.socket.sendall(locate(request))
            told = failure(answer(client))
            results.write(f"{time.monotonic() - begun} {told[1]} {told.get(19, b'').hex()}\n")
            client.close()

    with as_stranger(ask) as (_, results):
        lines = [line.split() for line in results]
    refused = [line for line in lines if line[1] == "22"]
    if len(refused) != ASKED:
        return [absent("a request that nobody is there to decide", "ms", f"failed: {len(refused)} of {ASKED} were refused")]
    times = [float(line[0]) * 1000 for line in refused]
    daemon.identity = bytes.fromhex(refused[0][2])
    return [Row("a request that nobody is there to decide → answer, median", statistics.median(times), "ms", 20,
                note=f"slowest {max(times):.1f} ms")]


def revoking(daemon: Daemon, terminal: Terminal) -> list[Row]:
    def follow(orders, results) -> None:
        for _ in orders:
            client = service.Client(daemon.socket)
            hear_fix(client)
            results.write("fix\n")
            told = failure(answer(client))
            at = time.monotonic()
            client.messages.clear()
            client.socket.settimeout(0.5)
            later = 0
            with contextlib.suppress(TimeoutError):
                while True:
                    later += len(client.fixes())
            results.write(f"{at} {told[1]} {later}\n")
            client.close()

    keeper = service.Client(daemon.socket)
    master = service.Client(daemon.socket, wants_updates=False)
    source = feeder.Feeder(terminal, 10)
    times, later = [], 0
    try:
        with as_stranger(follow) as (orders, results):
            os.set_blocking(results.fileno(), True)
            for turn in range(REVOKED):
                master.socket.sendall(decide(2 * turn + 1, daemon.identity, 1))
                answer(master)
                orders.write("go\n")
                feed_until(results, source, keeper)
                results.readline()
                begun = time.monotonic()
                master.socket.sendall(decide(2 * turn + 2, daemon.identity, 2))
                answer(master)
                feed_until(results, source, keeper)
                at, code, fixes = results.readline().split()
                assert code == "22", code
                times.append((float(at) - begun) * 1000)
                later += int(fixes)
        return [Row("revoke → the running client is told, worst", max(times), "ms", 100,
                    note=f"median {statistics.median(times):.2f} ms of {REVOKED}"),
                Row("the same: fixes after it", later, "", 0)]
    finally:
        keeper.close()
        master.close()


def hear_fix(client: service.Client) -> None:
    while not client.fixes():
        pass


def feed_until(results, source, keeper) -> None:
    """The receiver goes on until the other process has something to say."""
    while not select.select([results], [], [], 0)[0]:
        feeder.step(source, keeper)


def trying(daemon: Daemon, terminal: Terminal) -> list[Row]:
    """A foreign user, by whatever name and as the root of namespaces of its own, while fixes are there to be had."""
    keeper = service.Client(daemon.socket)
    source = feeder.Feeder(terminal, 10)
    counts = [0, 0, 0]
    try:
        for is_root in (False, True):
            with as_stranger(lambda _, results: forge(daemon.socket, results, is_root)) as (_, results):
                feed_until(results, source, keeper)
                counts = [sum(pair) for pair in zip(counts, map(int, results.readline().split()))]
    finally:
        keeper.close()
    fixes, refused, closed = counts
    name = "a foreign user under forged names, and as root of namespaces of its own: fixes"
    # Two of the names are none, and end the connection; a user who is refused again and again is kept waiting.
    if fixes + refused + closed != TRIES or refused == 0:
        return [absent(name, "", f"failed: {fixes} fixes, {refused} refusals, {closed} closed of {TRIES} tries")]
    return [Row(name, fixes, "", 0, note=f"{TRIES} tries: {refused} refused, {closed} closed")]


def forge(path: str, results, is_root: bool) -> None:
    """Asks under one name after the other, and counts what is told."""
    if is_root:
        become_root_of_namespaces()
        child = os.fork()
        if child != 0:
            os.waitpid(child, 0)
            return
    names = [b"root", b"locationd", b"locationctl", b"../../root", b"snap.maps.maps", b"\0", b"\xff\xfe", b"0"]
    fixes = refused = closed = 0
    for number in range(TRIES // 2):
        service.HELLO = service.frame(
            1, service.field(1, service.VERSION) + service.field(2, service.VERSION)
            + service.field(3, names[number % len(names)]))
        try:
            client = service.Client(path, wants_updates=False)
            client.socket.sendall(locate(1))
            told = answer(client)
            client.close()
        except OSError:
            closed += 1
            continue
        if told[0] == 4:
            refused += 1
        else:
            fixes += 1
    results.write(f"{fixes} {refused} {closed}\n")


def become_root_of_namespaces() -> None:
    """Number 0 in a namespace of users and one of processes, as any user may (user_namespaces(7))."""
    library = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.getuid(), os.getgid()
    # One's own files in /proc are root's since the change of user (proc(5)).
    library.prctl(4, 1, 0, 0, 0)
    if library.unshare(0x10000000 | 0x20000000) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def reusing() -> list[Row]:
    name = "a client's process number given to another process: taken for it"
    if not os.access(PEER_BED, os.X_OK):
        return [absent(name, "", "peer-bed is not built")]
    folder = tempfile.mkdtemp()
    try:
        result = subprocess.run([PEER_BED, "apart", "reuse", f"{folder}/socket", str(TRIES)], capture_output=True, text=True)
    finally:
        shutil.rmtree(folder)
    words = result.stdout.split()
    counts = {name: int(count) for name, count in zip(words[::2], words[1::2])}
    if result.returncode or counts.get("reused") != TRIES:
        return [absent(name, "", f"failed: {result.stdout.strip()} {result.stderr.strip()[:200]}")]
    return [Row(name, counts["taken"], "", 0, note=f"{TRIES} numbers")]


def reducing() -> list[Row]:
    if not os.access(decode.PROGRAM, os.X_OK):
        return [absent("city-level answers", "", "the target Benchmarks is not built")]
    result = subprocess.run([decode.PROGRAM, "grid"], capture_output=True, text=True, check=True)
    record = json.loads(result.stdout)
    return [Row(record["name"], record["value"], record["unit"], record["reach"])]


def rows() -> list[Row]:
    if os.getuid() != 0:
        return [absent("authorization", "", "needs root, to ask as another user")]
    terminal = Terminal()
    daemon = Daemon(f"serial:{terminal.path}")
    try:
        reachable(daemon)
        found = asking(daemon)
        if found[0].value is not None:
            found += trying(daemon, terminal)
            found += revoking(daemon, terminal)
        return found + reusing() + reducing()
    finally:
        daemon.stop()
        terminal.close()
