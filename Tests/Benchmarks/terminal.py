"""The device's side of a serial port: a pseudo-terminal that carries bytes as they are."""

import os
import pty
import termios


class Terminal:
    """A pty of our own. Nobody but the program under test has its slave open."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        self.path = os.ttyname(slave)
        mode = termios.tcgetattr(slave)
        mode[0] = mode[1] = mode[3] = 0
        mode[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        mode[4] = mode[5] = termios.B9600
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        # gpsd opens it after it has given up its privileges.
        os.chmod(self.path, 0o666)
        os.close(slave)
        os.set_blocking(self.master, False)

    def write(self, data: bytes) -> None:
        """What nobody reads is lost, as on a wire."""
        try:
            os.write(self.master, data)
        except BlockingIOError:
            pass

    def close(self) -> None:
        os.close(self.master)
