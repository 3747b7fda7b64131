"""A USB receiver as the kernel and udev show it, in umockdev's test bed: it comes back under another name each time."""

import os
import subprocess

from terminal import Terminal

HELPER = os.path.join(".build", "release", "device-bed")
PRELOAD = "libumockdev-preload.so.0"

USB = "/devices/pci0000:00/0000:00:14.0/usb1/1-1"
USB_DEVICE = f"""P: {USB}
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
A: idVendor=1546
A: idProduct=01a8
A: product=u-blox GNSS receiver

P: {USB}/1-1:1.0
E: SUBSYSTEM=usb
E: DEVTYPE=usb_interface
A: bInterfaceNumber=00
A: bInterfaceClass=02
A: bInterfaceSubClass=02
A: bInterfaceProtocol=01

"""
TTY = """P: {folder}
E: SUBSYSTEM=tty
E: DEVNAME=/dev/{name}
L: device=../../../1-1:1.0

"""


class Bed:
    """`device-bed`, and the one receiver in it; its node is a link in `/dev` to a pty of ours, where its bytes come from.

    A node of umockdev's own would do for an enumeration, but has no line settings, and realpath() of it corrupts memory
    (0.17).
    """

    def __init__(self) -> None:
        self.helper = subprocess.Popen(
            [HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "LD_PRELOAD": PRELOAD})
        self.root = self.helper.stdout.readline().strip()
        # Its answer to all that it was not told of is "no terminal"; without it the pty answers for itself.
        if self.root.startswith("/"):
            os.unlink(os.path.join(self.root, "ioctl", "_default"))
        self.plugged = 0
        self.terminal: Terminal | None = None

    @staticmethod
    def whats_missing() -> str | None:
        with Bed() as bed:
            if not bed.root.startswith("/"):
                return "umockdev is not installed"
        return None if os.access("/dev", os.W_OK) else "only root may make a link in /dev"

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.helper.stdin.close()
        self.helper.wait()
        self.helper.stdout.close()

    @property
    def environment(self) -> dict[str, str]:
        """For a program that is to live in the bed."""
        return {"LD_PRELOAD": PRELOAD, "UMOCKDEV_DIR": self.root}

    @property
    def name(self) -> str:
        """Another one at each plugging in, as where something still holds the last; real ports are far below."""
        return f"ttyACM{98 + self.plugged % 2}"

    @property
    def node(self) -> str:
        return f"/dev/{self.name}"

    @property
    def folder(self) -> str:
        return f"{USB}/1-1:1.0/tty/{self.name}"

    def plug(self) -> Terminal:
        # umockdev does not forget a USB device with its port.
        usb = "" if self.plugged else USB_DEVICE
        self.plugged += 1
        self.command(f"add\n{usb}{TTY.format(folder=self.folder, name=self.name)}.")
        self.terminal = Terminal()
        os.symlink(self.terminal.path, self.node)
        self.command(f"event add /sys{self.folder}")
        return self.terminal

    def unplug(self) -> None:
        # As the kernel does it: the port hangs up, then the event goes out.
        self.terminal.close()
        self.terminal = None
        os.unlink(self.node)
        self.command(f"event remove /sys{self.folder}")
        self.command(f"remove /sys{self.folder}")

    def command(self, text: str) -> None:
        self.helper.stdin.write(text + "\n")
        self.helper.stdin.flush()
        answer = self.helper.stdout.readline().strip()
        if answer != "done":
            raise OSError(f"the test bed answered {answer!r} to {text!r}")
