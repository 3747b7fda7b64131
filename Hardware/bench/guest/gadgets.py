"""USB devices of our own making: the kernel's gadget framework behind dummy_hcd, which has a host and a device end."""

import os
import subprocess
import time
from dataclasses import dataclass

FOLDER = "/sys/kernel/config/usb_gadget"
SOCKETS = ["dummy_udc.0", "dummy_udc.1", "dummy_udc.2"]


def prepare() -> None:
    if not os.path.isdir(FOLDER):
        subprocess.run(["mount", "-t", "configfs", "configfs", "/sys/kernel/config"], check=True)


@dataclass
class Identity:
    vendor: int
    product: int
    release: int
    maker: str
    name: str
    serial: str = ""
    device_class: int = 0


class Gadget:
    """One device with one function, in a socket of its own."""

    used: set[str] = set()

    def __init__(self, name: str, identity: Identity, function: str) -> None:
        self.folder = f"{FOLDER}/{name}"
        self.identity = identity
        self.socket = next(socket for socket in SOCKETS if socket not in Gadget.used)
        Gadget.used.add(self.socket)
        self.function = f"{self.folder}/functions/{function}"
        self._make(function)

    def _make(self, function: str) -> None:
        identity, english = self.identity, "strings/0x409"
        os.makedirs(f"{self.folder}/{english}")
        os.makedirs(f"{self.folder}/configs/c.1/{english}")
        os.makedirs(self.function)
        self._write("idVendor", identity.vendor)
        self._write("idProduct", identity.product)
        self._write("bcdDevice", identity.release)
        self._write("bDeviceClass", identity.device_class)
        self._write(f"{english}/manufacturer", identity.maker)
        self._write(f"{english}/product", identity.name)
        if identity.serial:
            self._write(f"{english}/serialnumber", identity.serial)
        os.symlink(self.function, f"{self.folder}/configs/c.1/{function}")

    def _write(self, name: str, value) -> None:
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(hex(value) if isinstance(value, int) else value)

    def bind(self) -> float:
        """In with the plug; the time just before."""
        now = time.monotonic()
        self._write("UDC", self.socket)
        return now

    def unbind(self) -> float:
        now = time.monotonic()
        self._write("UDC", "\n")
        return now

    @property
    def is_bound(self) -> bool:
        with open(f"{self.folder}/UDC") as file:
            return bool(file.read().strip())

    def port(self) -> str | None:
        """The serial port that the host's driver made of it: its socket's controller is the host's, too."""
        number = self.socket.rsplit(".", 1)[1]
        root = f"/sys/devices/platform/dummy_hcd.{number}"
        for folder, names, _ in os.walk(root):
            for name in names:
                if name.startswith(("ttyACM", "ttyUSB", "gnss")) and os.path.exists(f"{folder}/{name}/dev"):
                    return f"/dev/{name}"
        return None

    def remove(self) -> None:
        if self.is_bound:
            self.unbind()
        for link in os.listdir(f"{self.folder}/configs/c.1"):
            if os.path.islink(f"{self.folder}/configs/c.1/{link}"):
                os.unlink(f"{self.folder}/configs/c.1/{link}")
        for part in ("configs/c.1/strings/0x409", "configs/c.1", self.function[len(self.folder) + 1:], "strings/0x409", ""):
            os.rmdir(os.path.join(self.folder, part).rstrip("/"))
        Gadget.used.discard(self.socket)
