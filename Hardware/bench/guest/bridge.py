"""A USB-to-serial adapter with a receiver behind it, by FunctionFS: each control request is seen and answered here."""

import os
import queue
import random
import struct
import subprocess
import threading

from gadgets import Gadget, Identity
from speaker import Speaker

HAS_FULL_SPEED, ALL_CONTROL, CONFIGURATION_0 = 1, 64, 128
ENABLE, DISABLE, SETUP = 2, 3, 4


class Bridge:
    """One chip's kind of adapter; a subclass knows its requests.

    The receiver behind it talks at `baud`; where the host has set another speed both hear noise."""

    identity: Identity
    # Address, transfer type and interval of each endpoint: 2 is bulk, 3 interrupt.
    endpoints = [(0x81, 2, 0), (0x02, 2, 0)]

    def __init__(self, name: str, programs: str, dialect: str, options: list[str], baud: int) -> None:
        self.programs, self.dialect, self.options, self.baud = programs, dialect, options, baud
        self.openings = 0
        self.speeds: list[int] = []
        self.speed = 9600
        self.heard = b""
        self.speaker: Speaker | None = None
        self.noise = random.Random(1)
        # What nobody takes is lost, as in the chip's own small buffer.
        self.outgoing: queue.Queue[bytes] = queue.Queue(maxsize=4)
        self.gadget = Gadget(name, self.identity, f"ffs.{name}")
        self.mount = f"/run/bench/{name}"
        self._describe(name)
        for work in (self._control, self._hear_host, self._speak_to_host):
            threading.Thread(target=work, daemon=True).start()

    def _describe(self, name: str) -> None:
        os.makedirs(self.mount, exist_ok=True)
        subprocess.run(["mount", "-t", "functionfs", name, self.mount], check=True)
        interface = struct.pack("<9B", 9, 4, 0, 0, len(self.endpoints), 0xFF, 0, 0, 0)
        for address, kind, interval in self.endpoints:
            interface += struct.pack("<BBBBHB", 7, 5, address, kind, 64 if kind == 2 else 10, interval)
        count = 1 + len(self.endpoints)
        flags = HAS_FULL_SPEED | ALL_CONTROL | CONFIGURATION_0
        self.control = os.open(f"{self.mount}/ep0", os.O_RDWR)
        os.write(self.control, struct.pack("<IIII", 3, 16 + len(interface), flags, count) + interface)
        os.write(self.control, struct.pack("<IIII", 2, 16, 0, 0))
        self.pipes = {
            address: os.open(f"{self.mount}/ep{number + 1}", os.O_RDWR)
            for number, (address, _, _) in enumerate(self.endpoints)
        }

    # What a chip knows

    def asked(self, request: int, value: int, index: int, length: int) -> bytes:
        """The answer to a request that wants one."""
        return bytes(length)

    def told(self, request: int, value: int, index: int, data: bytes) -> None:
        """A request that tells something."""

    def wrapped(self, words: bytes) -> bytes:
        """What the chip sends for bytes from its line."""
        return words

    def opened(self) -> None:
        self.openings += 1

    def set_speed(self, speed: int) -> None:
        self.speed = speed
        self.speeds.append(speed)

    # The wires

    def _control(self) -> None:
        while True:
            try:
                event = os.read(self.control, 12)
            except OSError:
                return
            kind, request, value, index, length = struct.unpack("<BBHHH", event[:8])
            if event[8] != SETUP:
                continue
            try:
                if kind & 0x80:
                    os.write(self.control, self.asked(request, value, index, length)[:length])
                else:
                    self.told(request, value, index, os.read(self.control, length))
            except OSError:
                pass  # The plug was drawn in the middle of it.

    def _hear_host(self) -> None:
        while True:
            try:
                command = os.read(self.pipes[0x02], 512)
            except OSError:
                if self._is_over():
                    return
                continue
            self.heard = (self.heard + command)[-4096:]
            if self.speaker and self._understands():
                self.speaker.tell(command)

    def _speak_to_host(self) -> None:
        while True:
            words = self.outgoing.get()
            if not words:
                return
            for start in range(0, len(words), 62):
                try:
                    os.write(self.pipes[0x81], self.wrapped(words[start : start + 62]))
                except OSError:
                    break

    def _is_over(self) -> bool:
        """Whether the device was taken away for good, and not only out of its socket."""
        return self.speaker is None and self.is_removed

    is_removed = False

    def _understands(self) -> bool:
        return abs(self.speed - self.baud) <= self.baud * 0.03

    def _say(self, words: bytes) -> None:
        if not self._understands():
            words = self.noise.randbytes(max(1, len(words) * min(self.speed, self.baud) // self.baud))
        try:
            self.outgoing.put_nowait(words)
        except queue.Full:
            pass

    def plug(self) -> float:
        plugged = self.gadget.bind()
        self.speaker = Speaker(self.programs, self.dialect, self.options, self._say)
        return plugged

    def unplug(self) -> float:
        unplugged = self.gadget.unbind()
        if self.speaker:
            self.speaker.cut_power()
        self.speaker = None
        return unplugged

    def node(self) -> str | None:
        return self.gadget.port()

    def remove(self) -> None:
        if self.speaker:
            self.unplug()
        self.is_removed = True
        self.outgoing.put(b"")
        self.gadget.remove()
        # Lazily: a thread may still be reading there.
        subprocess.run(["umount", "-l", self.mount], check=False)
