"""The programs under test: ours, and gpsd with a client; each gives the fixes that it hands over."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time

LOCATIONCTL = os.path.join(".build", "release", "locationctl")
GPSD = shutil.which("gpsd") or (shutil.which("gpsd", path="/usr/sbin:/usr/local/sbin:.build/gpsd/usr/sbin"))


class EndOfOutput(Exception):
    """The program under test has ended of itself."""


def end(process: subprocess.Popen, patience: float) -> None:
    """Asks it to end, and sees to it."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Program:
    """A running program whose output is JSON lines."""

    process: subprocess.Popen
    output: int
    pending = b""

    def fixes(self) -> list[str]:
        """The moments of the fixes in what can be read now."""
        data = os.read(self.output, 65536)
        if not data:
            raise EndOfOutput(f"status {self.process.poll()}")
        *lines, self.pending = (self.pending + data).split(b"\n")
        return [key for key in map(self.fix_key, lines) if key]

    def fix_key(self, line: bytes) -> str | None:
        raise NotImplementedError

    def stop(self) -> None:
        end(self.process, 5)


class Ours(Program):
    """`locationctl fix` or `watch` on one source, through a pipe."""

    name = "locationctl"

    def __init__(self, command: str, source: str, state: str, environment: dict[str, str] | None = None) -> None:
        variables = {**os.environ, "LOCATIOND_STATE": state, **(environment or {})}
        self.process = subprocess.Popen(
            [LOCATIONCTL, command, "--source", source, "--format", "json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=variables)
        self.output = self.process.stdout.fileno()

    def fix_key(self, line: bytes) -> str | None:
        return json.loads(line).get("timestamp") if b'"latitude"' in line else None

    def stop(self) -> None:
        super().stop()
        self.process.stdout.close()
        self.process.stderr.close()


class Cat(Program):
    """`cat`, which does nothing but read and write: the floor under every delay measured here."""

    name = "cat"

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(["cat", path], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.output = self.process.stdout.fileno()

    def fix_key(self, line: bytes) -> str | None:
        if not line.startswith(b"$GNGLL"):
            return None
        clock = line.split(b",")[5].decode()
        return f"{time.strftime('%Y-%m-%d', time.gmtime())}T{clock[:2]}:{clock[2:4]}:{clock[4:6]}.{clock[7:9]}0Z"

    def stop(self) -> None:
        super().stop()
        self.process.stdout.close()


class Gpsd(Program):
    """A gpsd of its own with one JSON client."""

    name = "gpsd"

    def __init__(self, path: str, opens_unasked: bool = True) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [GPSD, "-N", *(["-n"] if opens_unasked else []), "-D", "0", "-S", str(self.port), path],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.client = self.connect(self.port)
        self.client.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self.output = self.client.fileno()

    def connect(self, port: int) -> socket.socket:
        deadline = time.monotonic() + 10
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.001)

    def devices(self) -> str:
        """Its list of devices, asked on a connection of its own; empty where it has gone."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 10) as connection:
                connection.sendall(b"?DEVICES;\n")
                for line in connection.makefile():
                    if '"DEVICES"' in line:
                        return line
        except OSError:
            pass
        return ""

    def fix_key(self, line: bytes) -> str | None:
        if not line.startswith(b'{"class":"TPV"'):
            return None
        report = json.loads(line)
        return report.get("time") if report.get("mode", 0) >= 2 else None

    def stop(self) -> None:
        self.client.close()
        super().stop()
