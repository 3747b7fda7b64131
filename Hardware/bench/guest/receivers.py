"""The receivers that can be plugged in, by name. A new one is a line here, or a chip in chips.py."""

from chips import CP2102N, FT232R, PL2303, XM1210
from gadgets import Identity
from modem import Modem


def ublox(product: int, chip: str, dialect: str):
    identity = Identity(
        0x1546, product, 0x0201, "u-blox AG - www.u-blox.com", chip, device_class=2)

    def make(name: str, programs: str, options: list[str] = ["hot"]) -> Modem:
        return Modem(name, programs, identity, dialect, options)

    return make


def adapter(chip):
    def make(name: str, programs: str, dialect: str = "nmea23", options: list[str] = ["hot"], baud: int = 9600):
        return chip(name, programs, dialect, options, baud)

    return make


RECEIVERS = {
    "ublox6": ublox(0x01A6, "u-blox 6  -  GPS Receiver", "ublox6"),
    "ublox7": ublox(0x01A7, "u-blox 7 - GPS/GNSS Receiver", "ublox7"),
    "ublox8": ublox(0x01A8, "u-blox GNSS receiver", "ublox8"),
    "cp2102n": adapter(CP2102N),
    "pl2303": adapter(PL2303),
    "ft232r": adapter(FT232R),
    "xm1210": adapter(XM1210),
}
