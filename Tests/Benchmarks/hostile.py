"""Users without any right who try to deny the service to the others: how long root waits beside them, and what they cost."""

import os
import subprocess
import threading
import time

import settings
from daemon import Daemon
from table import Row, absent

HELPER = os.path.join(".build", "release", "hostile-clients")
LOCATIONCTL = os.path.join(".build", "release", "locationctl")
FIRST_USER = 4_200_101


def open_to_all() -> Daemon:
    """A daemon whose socket every user reaches."""
    daemon = Daemon("simulator")
    os.chmod(daemon.folder.name, 0o755)
    return daemon


class Attack:
    """`hostile-clients` as one user; it has begun when this is made."""

    def __init__(self, daemon: Daemon, kind: str, connections: int, user: int) -> None:
        self.process = subprocess.Popen(
            [HELPER, daemon.socket, str(user), kind, str(connections)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.begin = self.numbers()

    def numbers(self) -> dict[str, int]:
        words = self.process.stdout.readline().split()[1:]
        return {key: int(value) for key, value in (word.split("=") for word in words)}

    def end(self) -> dict[str, int]:
        self.process.stdin.close()
        numbers = self.numbers()
        self.process.wait()
        return numbers


def command(daemon: Daemon, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([LOCATIONCTL, *arguments], env=daemon.environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def served(daemon: Daemon, seconds: float) -> tuple[list[float], int]:
    """How long root's fixes take, in milliseconds, one each 0.3 s; and how many failed."""
    times, failures = [], 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.monotonic()
        failures += command(daemon, "fix", "--timeout", "5").returncode != 0
        times.append((time.monotonic() - begin) * 1000)
        time.sleep(0.3)
    return times, failures


def told(times: list[float], failures: int) -> str:
    return f"{len(times)} fixes, {failures} failed, median {sorted(times)[len(times) // 2]:.0f} ms"


def beside_all() -> list[Row]:
    daemon = open_to_all()
    try:
        for user in range(FIRST_USER, FIRST_USER + 3):
            command(daemon, "grant", str(user), "--always")
        kinds = ["updates", "fixes", "churn", "silent", "mute", "regions", "connects"]
        seconds = 100 if settings.FULL else 15
        # While the receiver rests, a fix younger than two seconds is answered at once, and any other waits for the next update of
        # a receiver that sends one each second: that is no work of an attacker's.
        alone, _ = served(daemon, seconds)
        attacks = [Attack(daemon, kind, 29, FIRST_USER + number) for number, kind in enumerate(kinds)]
        resting, failures = served(daemon, seconds)
        rows = [Row("locationd at rest: root's fix beside 200 hostile clients, slowest", max(resting), "ms",
                    peer="without them", peer_value=max(alone), note=told(resting, failures))]
        watch = subprocess.Popen([LOCATIONCTL, "watch"], env=daemon.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        watch.stdout.readline()
        threading.Thread(target=watch.stdout.read, daemon=True).start()
        logging, failures = served(daemon, seconds)
        watch.terminate()
        watch.wait()
        for attack in attacks:
            attack.end()
        return rows + [Row("locationd with a stream of root's: root's fix beside 200 hostile clients, slowest", max(logging), "ms",
                           1000, note=told(logging, failures))]
    finally:
        daemon.stop()


def streams() -> list[Row]:
    daemon = open_to_all()
    try:
        before, begin = daemon.cpu(), time.monotonic()
        attack = Attack(daemon, "updates", 63, 0)
        row = Row("locationd: 4,032 streams of root set up, processor time", daemon.cpu() - before, "s", 1,
                  note=f"{time.monotonic() - begin:.1f} s with the helper's own waiting")
        attack.end()
        # Memory is given back some seconds after a peak.
        time.sleep(4)
        return [row, Row("locationd: resident after these", daemon.kilobytes("Rss") / 1000, "MB", 30)]
    finally:
        daemon.stop()


def regions() -> list[Row]:
    daemon = open_to_all()
    try:
        attack = Attack(daemon, "regions", 8, FIRST_USER)
        time.sleep(20 if settings.FULL else 8)
        outcome = attack.end()
        return [Row("locationd: resident after an undecided user's flood of regions", daemon.kilobytes("Rss") / 1000, "MB",
                    30, note=f"{outcome['served']} regions kept, {outcome['failed']} requests refused")]
    finally:
        daemon.stop()


def rows() -> list[Row]:
    if os.geteuid() != 0:
        return [absent("locationd: beside hostile clients", "ms", "only root can be other users")]
    return beside_all() + streams() + regions()
