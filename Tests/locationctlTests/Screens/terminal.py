#!/usr/bin/env python3
"""Runs a program on a pseudo-terminal that controls it, and shows what a person would see there.

Reads a JSON object from standard input: `command`, `environment`, `columns`, `rows`, and `steps`, each of them one of

    {"wait": REGEX}     wait until the screen contains it
    {"absent": REGEX}   wait until the screen does not contain it
    {"type": TEXT}      type it
    {"signal": NUMBER}  send a signal to the program
    {"resize": [COLUMNS, ROWS]}
    {"redrawn": true}   wait until the program has erased the screen since its size changed
    {"screen": NAME}    remember the screen
    {"run": COMMAND}    run another program to its end, in the same environment
    {"hangUp": true}    close the terminal

After the last step, waits for the end of the program. Writes a JSON object: `status`, the remembered `screens`, the `last` screen that the
program has drawn before it left the alternate screen, and the screen `after` the end. The terminal itself is pyte
(https://pyte.readthedocs.io), with the alternate screen in addition.
"""

import copy
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte

# A guard against hanging, not a measurement.
PATIENCE = 60
ALTERNATE = 1049 << 5
CURSOR = pyte.modes.DECTCEM
WRAP = pyte.modes.DECAWM


class Terminal(pyte.Screen):
    """A screen with an alternate one, which is as wide as `columns` but remembers wider lines."""

    def __init__(self, columns, rows):
        self.saved = None
        self.left = None
        # Whether everything on the screen was written since the last change of size.
        self.isErased = True
        super().__init__(columns, rows)

    def set_mode(self, *modes, **options):
        if options.get("private") and 1049 in modes and self.saved is None:
            self.saved = copy.deepcopy(self.buffer), copy.copy(self.cursor)
            self.erase_in_display(2)
        super().set_mode(*modes, **options)

    def reset_mode(self, *modes, **options):
        super().reset_mode(*modes, **options)
        if options.get("private") and 1049 in modes and self.saved is not None:
            self.buffer, cursor = self.saved
            # The cursor's position is restored; whether it is hidden is a mode of its own.
            self.cursor.x, self.cursor.y, self.cursor.attrs = cursor.x, cursor.y, cursor.attrs
            self.saved = None
            self.dirty.update(range(self.lines))

    def erase_in_display(self, how=0, *arguments, **options):
        # The picture is erased on the way out: what it was before is what the person saw last.
        if how == 2 and self.saved is not None and any(line.strip() for line in self.display):
            self.left = self.text()
        self.isErased = self.isErased or how == 2
        super().erase_in_display(how, *arguments, **options)

    def text(self):
        lines = [line.rstrip() for line in self.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines


class Run:
    def __init__(self, request):
        columns, rows = request["columns"], request["rows"]
        self.screen = Terminal(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        # Lines that are too long would be cut or wrapped; here they can be seen.
        self.wide = Terminal(1000, rows)
        self.wideStream = pyte.ByteStream(self.wide)
        self.widest = 0
        self.environment = request["environment"]
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            # The size is set before the program starts, so that it cannot see another.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(request["command"][0], request["command"], {"PATH": "/usr/bin:/bin", **request["environment"]})
        self.isOpen = True

    def read(self):
        """Some output; whether there may be more."""
        if not self.isOpen or not select.select([self.master], [], [], 0.05)[0]:
            return self.isOpen
        try:
            part = os.read(self.master, 65536)
        except OSError:  # EIO: no process has the terminal open.
            part = b""
        if not part:
            self.isOpen = False
            return False
        self.stream.feed(part)
        self.wideStream.feed(part)
        # A frame that was on its way when the size changed was drawn in the old size.
        if self.wide.isErased:
            self.widest = max([self.widest, *(len(line.rstrip()) for line in self.wide.display)])
        return True

    def wait(self, isEnough):
        end = time.monotonic() + PATIENCE
        while not isEnough("\n".join(self.screen.text())):
            if not self.read() or time.monotonic() > end:
                return isEnough("\n".join(self.screen.text()))
        return True

    def state(self):
        try:
            flags = termios.tcgetattr(self.master)[3]
        except termios.error:
            flags = 0
        return {
            "lines": self.screen.text(), "isCursorHidden": CURSOR not in self.screen.mode, "wraps": WRAP in self.screen.mode,
            "isAlternate": self.screen.saved is not None, "hasEcho": bool(flags & termios.ECHO and flags & termios.ICANON),
        }

    def perform(self, step, screens):
        for kind, value in step.items():
            if kind == "wait" and not self.wait(lambda text: re.search(value, text)):
                sys.exit(f"The screen never contained {value!r}:\n" + "\n".join(self.screen.text()))
            if kind == "absent" and not self.wait(lambda text: not re.search(value, text)):
                sys.exit(f"The screen always contained {value!r}:\n" + "\n".join(self.screen.text()))
            if kind == "redrawn" and not self.wait(lambda text: self.wide.isErased):
                sys.exit("The program never drew again in the new size:\n" + "\n".join(self.screen.text()))
            if kind == "type":
                os.write(self.master, value.encode())
            if kind == "signal":
                os.kill(self.pid, value)
            if kind == "resize":
                columns, rows = value
                self.screen.resize(rows, columns)
                self.wide.resize(rows, 1000)
                self.widest, self.wide.isErased = 0, False
                fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            if kind == "screen":
                screens[value] = {**self.state(), "widest": self.widest}
            if kind == "run":
                subprocess.run(value, env={"PATH": "/usr/bin:/bin", **self.environment}, check=True)
            if kind == "hangUp":
                os.close(self.master)
                self.isOpen = False


def main():
    request = json.load(sys.stdin)
    run = Run(request)
    screens = {}
    try:
        for step in request["steps"]:
            run.perform(step, screens)
        end = time.monotonic() + PATIENCE
        while run.read():
            if time.monotonic() > end:
                sys.exit("The program never ended:\n" + "\n".join(run.screen.text()))
        after = run.state() if not any("hangUp" in step for step in request["steps"]) else None
        _, status = os.waitpid(run.pid, 0)
    except BaseException:
        os.kill(run.pid, signal.SIGKILL)
        raise
    json.dump({
        "status": os.waitstatus_to_exitcode(status), "screens": screens, "last": run.screen.left or [], "after": after,
        "widest": run.widest,
    }, sys.stdout)


main()
