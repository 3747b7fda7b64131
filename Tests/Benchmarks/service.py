"""The messages of locationd's socket, as far as a client of the benchmark needs them (version 2, Documentation/Protocol.md)."""

import datetime
import socket
import struct
import time


def number(value: int) -> bytes:
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def field(tag: int, value: int | bytes | float) -> bytes:
    if isinstance(value, bytes):
        return number(tag << 3 | 2) + number(len(value)) + value
    if isinstance(value, float):
        return number(tag << 3 | 1) + struct.pack("<d", value)
    return number(tag << 3) + number(value)


def signed(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def frame(kind: int, fields: bytes) -> bytes:
    payload = number(kind) + fields
    return struct.pack("<I", len(payload)) + payload


# Documentation/Protocol.md: oldest and newest version.
VERSION = 2


HELLO = frame(1, field(1, VERSION) + field(2, VERSION) + field(3, b"benchmark"))


def start_updates(request: int, sets_receivers: bool = False) -> bytes:
    return frame(3, field(1, request) + field(2, field(5, int(sets_receivers)) + field(6, 0)))


def fields(data: bytes) -> dict[int, int | bytes]:
    found: dict[int, int | bytes] = {}
    offset = 0

    def read() -> int:
        nonlocal offset
        value = shift = 0
        while True:
            byte = data[offset]
            offset += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while offset < len(data):
        tag = read()
        form = tag & 7
        if form == 0:
            found[tag >> 3] = read()
        elif form == 1:
            found[tag >> 3] = data[offset : offset + 8]
            offset += 8
        else:
            length = read()
            found[tag >> 3] = data[offset : offset + length]
            offset += length
    return found


def fix_time(update: bytes) -> str:
    """The moment of an update's fix, as the feeder names its epochs."""
    fix = fields(fields(update[1:])[2])
    raw = fix[1]
    nanoseconds = (raw >> 1) ^ -(raw & 1)
    milliseconds = round(nanoseconds / 1e6)
    moment = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


class Client:
    """One client with one stream."""

    name = "locationd"

    def __init__(self, path: str, wants_updates: bool = True) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(10)
        self.socket.sendall(HELLO)
        self.pending = b""
        self.messages: list[bytes] = []
        while not self.messages:
            self.receive()
        self.messages.clear()
        if wants_updates:
            self.socket.sendall(start_updates(1))
        self.output = self.socket.fileno()

    def receive(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise OSError("locationd has closed")
        self.pending += data
        while len(self.pending) >= 4:
            size = struct.unpack("<I", self.pending[:4])[0]
            if len(self.pending) < 4 + size:
                break
            self.messages.append(self.pending[4 : 4 + size])
            self.pending = self.pending[4 + size :]

    def fixes(self) -> list[str]:
        self.receive()
        updates = [message for message in self.messages if message[0] == 5]
        self.messages.clear()
        return [fix_time(update) for update in updates]

    def close(self) -> None:
        self.socket.close()


def wait_for(path: str, limit: float = 10) -> float:
    """Connects as soon as somebody answers with a greeting; the moment of that."""
    end = time.monotonic() + limit
    while True:
        try:
            Client(path, wants_updates=False).close()
            return time.monotonic()
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > end:
                raise
            time.sleep(0.0002)
