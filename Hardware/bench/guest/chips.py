"""The adapters' chips: what their drivers ask of them. Requests as in Linux, drivers/usb/serial/."""

import struct

from bridge import Bridge
from gadgets import Identity


class CP2102N(Bridge):
    identity = Identity(
        0x10C4, 0xEA60, 0x0100, "Silicon Labs", "CP2102N USB to UART Bridge Controller", "0c5f6b3a4e")
    ENABLE, SPEED, VENDOR = 0x00, 0x1E, 0xFF
    PART_NUMBER = 0x370B

    def asked(self, request, value, index, length):
        if request == self.VENDOR and value == self.PART_NUMBER:
            return b"\x20"
        return bytes(length)

    def told(self, request, value, index, data):
        if request == self.ENABLE and value == 1:
            self.opened()
        elif request == self.SPEED:
            self.set_speed(struct.unpack("<I", data)[0])


class PL2303(Bridge):
    identity = Identity(0x067B, 0x2303, 0x0300, "Prolific Technology Inc.", "USB-Serial Controller")
    endpoints = [(0x83, 3, 1), (0x02, 2, 0), (0x81, 2, 0)]
    SET_LINE, GET_LINE, CONTROL = 0x20, 0x21, 0x22

    def __init__(self, *arguments, **settings):
        self.coding = struct.pack("<IBBB", 9600, 0, 0, 8)
        super().__init__(*arguments, **settings)

    def asked(self, request, value, index, length):
        return self.coding if request == self.GET_LINE else b"\x01" * length

    def told(self, request, value, index, data):
        if request == self.SET_LINE:
            self.coding = data
            self.set_speed(struct.unpack("<I", data[:4])[0])
        elif request == self.CONTROL and value:
            self.opened()


class FT232R(Bridge):
    identity = Identity(0x0403, 0x6001, 0x0600, "FTDI", "FT232R USB UART", "A50285BI")
    RESET, SPEED, STATUS, LATENCY = 0x00, 0x03, 0x05, 0x0A
    # Of modem and line: no modem, and nothing left to be sent.
    IDLE = b"\x01\x60"
    # A divisor's fraction in eighths, by its code.
    EIGHTHS = {0: 0, 3: 1, 2: 2, 4: 3, 1: 4, 5: 5, 6: 6, 7: 7}

    def asked(self, request, value, index, length):
        return {self.LATENCY: b"\x10", self.STATUS: self.IDLE}.get(request, bytes(length))

    def told(self, request, value, index, data):
        if request == self.RESET and value == 0:
            self.opened()
        elif request == self.SPEED:
            whole, code = value & 0x3FFF, value >> 14 | (index & 1) << 2
            eighths = whole * 8 + self.EIGHTHS[code]
            self.set_speed({0: 3_000_000, 1: 2_000_000}.get(whole) or 24_000_000 // eighths)

    def wrapped(self, words):
        return self.IDLE + words  # Each packet begins with it.


class XM1210(Bridge):
    """Sierra Wireless' receiver: no serial port, but one of the kernel's `gnss` subsystem (drivers/gnss/usb.c)."""

    identity = Identity(0x1199, 0xB000, 0x0100, "Sierra Wireless", "XM1210")
