"""Who may know: how soon a stranger learns that nobody has decided, and how soon a refusal holds."""

import contextlib
import os
import select
import statistics
import time

import feeder
import service
from daemon import Daemon
from table import Row, absent
from terminal import Terminal

# A person of whom nothing was decided; nobody has to have that number.
STRANGER = 1999
ASKED, REVOKED = 200, 20


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


def rows() -> list[Row]:
    if os.getuid() != 0:
        return [absent("authorization", "", "needs root, to ask as another user")]
    terminal = Terminal()
    daemon = Daemon(f"serial:{terminal.path}")
    try:
        reachable(daemon)
        found = asking(daemon)
        if found[0].value is not None:
            found += revoking(daemon, terminal)
        return found
    finally:
        daemon.stop()
        terminal.close()
