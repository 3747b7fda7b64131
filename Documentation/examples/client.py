#!/usr/bin/env python3
"""A client of locationd's socket protocol (Documentation/Protocol.md): one fix, then some updates. Python 3.9, no packages."""
import os
import socket
import struct
import sys

HELLO, LOCATE, START_UPDATES, CANCEL = 1, 2, 3, 5
HELLO_REPLY, REFUSED, LOCATED, FAILED, UPDATE, STREAM_CHANGED = 1, 2, 3, 4, 5, 6
CHANGES = ["lost", "back", "suspended", "resumed", "paused", "unpaused"]


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def field(index, value):
    """One field: int is a number, float is fixed, str and bytes are bytes, dict is fields inside bytes."""
    if isinstance(value, dict):
        value = fields(value)
    if isinstance(value, float):
        return number(index << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return number(index << 3) + number(int(value))
    value = value.encode() if isinstance(value, str) else value
    return number(index << 3 | 2) + number(len(value)) + value


def fields(values):
    return b"".join(field(index, value) for index, value in values.items())


def signed(value):
    """A signed number as it is written: the sign becomes the lowest bit."""
    return (value << 1 ^ value >> 63) & 0xFFFF_FFFF_FFFF_FFFF


def from_signed(value):
    return value >> 1 ^ -(value & 1)


def take_number(data, start):
    value = shift = 0
    while True:
        byte = data[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, start
        shift += 7


def decode(data):
    """The fields of a message or of a value inside it, by number."""
    found, at = {}, 0
    while at < len(data):
        tag, at = take_number(data, at)
        if tag & 7 == 0:
            found[tag >> 3], at = take_number(data, at)
        elif tag & 7 == 1:
            found[tag >> 3], at = struct.unpack_from("<d", data, at)[0], at + 8
        elif tag & 7 == 2:
            size, at = take_number(data, at)
            found[tag >> 3], at = bytes(data[at:at + size]), at + size
        else:
            raise ValueError("unknown form of a field")
    return found


class Client:
    def __init__(self, path, name):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.send(HELLO, {1: 2, 2: 2, 3: name, 4: {1: "an example in Python"}})
        kind, reply = self.receive()
        if kind != HELLO_REPLY:
            raise ConnectionError(f"refused: {reply}")
        self.version, self.release = reply[1], reply[2].decode()

    def send(self, kind, values):
        payload = number(kind) + fields(values)
        self.socket.sendall(struct.pack("<I", len(payload)) + payload)

    def read(self, size):
        data = self.socket.recv(size, socket.MSG_WAITALL)
        if len(data) < size:
            raise ConnectionError("the service closed the connection")
        return data

    def receive(self):
        payload = self.read(struct.unpack("<I", self.read(4))[0])
        kind, start = take_number(payload, 0)
        return kind, decode(payload[start:])


def main():
    client = Client(os.environ.get("LOCATIOND_SOCKET", "/run/locationd/socket"), "client.py")
    print(f"locationd {client.release}, protocol version {client.version}")
    client.send(LOCATE, {1: 1, 2: {2: signed(60 * 10**9), 3: signed(2 * 10**9)}})
    client.send(START_UPDATES, {1: 2, 2: {6: 1}})
    updates = 0
    while updates < 3:
        kind, event = client.receive()
        if kind in (LOCATED, UPDATE):
            fix = decode(event[2])
            print(f"{fix[4]:.7f} {fix[5]:.7f} within {fix[6]:.1f} m, {from_signed(event[3]) / 1e9:.2f} s old")
            updates += kind == UPDATE
        elif kind == STREAM_CHANGED:
            print(CHANGES[event[2]])
        elif kind in (FAILED, REFUSED):
            sys.exit(f"failed: {event}")
    client.send(CANCEL, {1: 2})


if __name__ == "__main__":
    main()
