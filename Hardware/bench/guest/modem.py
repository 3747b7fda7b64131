"""A receiver with a USB port of its own: CDC-ACM, by the kernel's own function."""

import array
import fcntl
import os
import select
import termios
import threading
import tty

from gadgets import Gadget, Identity
from speaker import Speaker


class Modem:
    """A u-blox as it comes out of the box. Its USB port has no speed, and nobody sees whether it is opened."""

    openings, speeds, speed = None, None, None

    def __init__(self, name: str, programs: str, identity: Identity, dialect: str, options: list[str]) -> None:
        self.gadget = Gadget(name, identity, f"acm.{name}")
        with open(f"{self.gadget.function}/port_num") as file:
            self.line = f"/dev/ttyGS{file.read().strip()}"
        self.programs, self.dialect, self.options = programs, dialect, options
        self.speaker: Speaker | None = None
        self.end: int | None = None
        self.heard = b""

    def plug(self) -> float:
        self.end = os.open(self.line, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.end)
        plugged = self.gadget.bind()
        self.speaker = Speaker(self.programs, self.dialect, self.options, self._say)
        threading.Thread(target=self._listen, args=(self.end, self.speaker), daemon=True).start()
        return plugged

    def _say(self, words: bytes) -> None:
        # A receiver throws away what nobody takes; the kernel's function would keep 8 KB of it.
        waiting = array.array("i", [0])
        try:
            fcntl.ioctl(self.end, termios.TIOCOUTQ, waiting)
            if waiting[0] < 1024:
                os.write(self.end, words)
        except OSError:
            pass  # Unplugged meanwhile.

    def _listen(self, end: int, speaker: Speaker) -> None:
        while speaker.has_power:
            if not select.select([end], [], [], 0.2)[0]:
                continue
            try:
                command = os.read(end, 4096)
            except BlockingIOError:
                continue
            except OSError:
                return
            if not command:
                return
            self.heard = (self.heard + command)[-4096:]
            speaker.tell(command)

    def unplug(self) -> float:
        unplugged = self.gadget.unbind()
        self._end_of_power()
        return unplugged

    def _end_of_power(self) -> None:
        if self.speaker:
            self.speaker.cut_power()
            os.close(self.end)
        self.speaker = None

    def node(self) -> str | None:
        return self.gadget.port()

    def remove(self) -> None:
        if self.speaker:
            self.unplug()
        self.gadget.remove()
