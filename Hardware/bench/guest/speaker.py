"""What is behind the plug: the simulated u-blox of the tests, alive while it has power."""

import os
import select
import subprocess
import threading


class Speaker:
    """Calls `heard` with what the receiver says, on a thread of its own."""

    def __init__(self, programs: str, dialect: str, options: list[str], heard) -> None:
        self.process = subprocess.Popen(
            [f"{programs}/simulated-ublox", dialect, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        path = self.process.stdout.readline().decode().strip()
        if not path.startswith("/dev/"):
            raise OSError(f"the simulated receiver said {path!r}")
        self.terminal = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.heard = heard
        self.has_power = True
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        while self.has_power:
            if not select.select([self.terminal], [], [], 0.2)[0]:
                continue
            try:
                said = os.read(self.terminal, 4096)
            except OSError:
                return
            if said and self.has_power:
                self.heard(said)

    def tell(self, command: bytes) -> None:
        """What came down the line for it."""
        if self.has_power:
            os.write(self.terminal, command)

    def cut_power(self) -> None:
        self.has_power = False
        self.process.kill()
        self.process.wait()
        self.thread.join(2)
        os.close(self.terminal)
