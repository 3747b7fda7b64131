"""What the bench does inside the guest: a JSON request a line on a virtio port, a JSON answer a line.

A request is {"call": NAME, ...arguments}; an answer {"result": ...} or {"error": TEXT}. Times are this machine's monotonic
clock in seconds, so that they can be compared with each other however slow the guest is."""

import json
import os
import subprocess
import time
import traceback

import gadgets
from flushes import RecordedDisk
from receivers import RECEIVERS
from watches import Watch

PORT = "/dev/virtio-ports/bench.0"
PROGRAMS = "/bench/bin"
WORK = "/run/bench"


class Agent:
    def __init__(self) -> None:
        self.receivers = {}
        self.watches: dict[str, Watch] = {}
        self.held: list[int] = []
        os.makedirs(WORK, exist_ok=True)
        gadgets.prepare()

    def now(self) -> float:
        return time.monotonic()

    def shell(self, command: str, timeout: float = 60) -> dict:
        # A file, not a pipe: a daemon that the command leaves behind must not keep the answer waiting.
        with open(f"{WORK}/output", "w+b") as output:
            process = subprocess.Popen(
                ["/bin/bash", "-c", command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
            try:
                status = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                status = 124
            output.seek(0)
            return {"status": status, "output": output.read().decode("utf-8", "replace")}

    # Receivers

    def receiver(self, name: str, kind: str, **settings) -> None:
        self.receivers[name] = RECEIVERS[kind](name, PROGRAMS, **settings)

    def plug(self, name: str) -> float:
        return self.receivers[name].plug()

    def unplug(self, name: str) -> float:
        return self.receivers[name].unplug()

    def node(self, name: str, within: float = 10) -> str:
        """The port that the kernel made for it, once udev has done its part."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            if found := self.receivers[name].node():
                subprocess.run(["udevadm", "settle", "--timeout=10"], check=False)
                return found
            time.sleep(0.02)
        raise TimeoutError(f"no port for {name} within {within} s")

    def usb(self, name: str) -> list:
        """The numbers of its maker and its product, as they are written everywhere."""
        identity = self.receivers[name].gadget.identity
        return [f"{identity.vendor:04x}", f"{identity.product:04x}"]

    def requests(self, name: str) -> dict:
        """What was asked of an adapter's chip: how often it was opened, and at which speeds; and what any receiver was told."""
        receiver = self.receivers[name]
        return {
            "openings": receiver.openings, "speeds": receiver.speeds, "speed": receiver.speed, "heard": receiver.heard.hex()
        }

    def hold(self, path: str) -> None:
        """Keeps a port open, so that its name is not free for the next that is plugged in."""
        self.held.append(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))

    def let_go(self) -> None:
        while self.held:
            os.close(self.held.pop())

    # `locationctl watch`, and whatever else prints JSON lines

    def watch(self, name: str, command: list, user: str = "root") -> float:
        self.watches[name] = Watch(command, user)
        return self.watches[name].started

    def wait_for(self, name: str, key: str, value=None, after: float = 0, within: float = 10) -> dict:
        return self.watches[name].wait_for(key, value, after, within)

    def lines(self, name: str, after: float = 0) -> list:
        return self.watches[name].lines_after(after)

    def end_watch(self, name: str) -> dict:
        return self.watches.pop(name).end()

    # Power cuts at every flush

    def record_disk(self, path: str, owner: str) -> None:
        self.disk = RecordedDisk(path, owner)

    def mark_disk(self, text: str) -> None:
        self.disk.mark(text)

    def end_disk(self) -> None:
        self.disk.end()

    def disk_states(self, command: str) -> list:
        return self.disk.states(command)

    def remove(self, name: str) -> None:
        self.receivers.pop(name).remove()

    def clear(self) -> None:
        """What a scenario has left behind goes."""
        self.let_go()
        for name in list(self.watches):
            self.end_watch(name)
        for name in list(self.receivers):
            self.remove(name)


def serve() -> None:
    agent = Agent()
    while not os.path.exists(PORT):
        time.sleep(0.05)
    port = os.open(PORT, os.O_RDWR)

    def answer(value: dict) -> None:
        rest = json.dumps(value).encode() + b"\n"
        while rest:
            rest = rest[os.write(port, rest):]

    answer({"result": float(open("/proc/uptime").read().split()[0])})
    buffer = b""
    while True:
        chunk = os.read(port, 65536)
        if not chunk:  # Nobody is at the other end.
            time.sleep(0.1)
        buffer += chunk
        while b"\n" in buffer:
            line, buffer = buffer.split(b"\n", 1)
            request = json.loads(line)
            try:
                answer({"result": getattr(agent, request.pop("call"))(**request)})
            except Exception as failure:
                answer({"error": f"{failure}", "trace": traceback.format_exc()})


serve()
