"""Encoding of the socket protocol: frames, fields and numbers (Protocol.md, section "Encoding")."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    Value = Union[int, float, str, bytes, "Mapping[int, Value]"]
    """A value to encode: int is a number, float a fixed, text and bytes are bytes, a mapping is a structure."""
else:
    Value = object

Fields = Mapping[int, int | float | bytes]
"""A decoded structure: field number to number, fixed or bytes."""

LARGEST_FRAME = 524_288
"""Bytes in a frame from the daemon at most (Protocol.md, section "Limits")."""


class MalformedMessage(ValueError):
    """The daemon sent bytes that are not a message of this protocol."""


def number(value: int) -> bytes:
    """An unsigned number of up to 64 bits, 7 bits per byte, lowest first (LEB128)."""
    if not 0 <= value < 1 << 64:
        raise ValueError(f"expected 0 to 2^64 - 1, got {value}")
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> int:
    """The number that stands for a signed integer: its sign becomes the lowest bit."""
    return (value << 1 ^ value >> 63) & 0xFFFF_FFFF_FFFF_FFFF


def from_signed(value: int) -> int:
    """The signed integer that a number stands for."""
    return value >> 1 ^ -(value & 1)


def field(index: int, value: Value) -> bytes:
    """One field with its tag."""
    if isinstance(value, int):
        return number(index << 3) + number(int(value))
    if isinstance(value, float):
        return number(index << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, str):
        value = value.encode()
    elif not isinstance(value, bytes):
        value = fields(value)
    return number(index << 3 | 2) + number(len(value)) + value


def fields(values: Mapping[int, Value]) -> bytes:
    """The fields of a structure."""
    return b"".join(field(index, value) for index, value in values.items())


def items(values: Iterable[bytes]) -> bytes:
    """A list: each item after its length."""
    return b"".join(number(len(value)) + value for value in values)


def frame(kind: int, values: Mapping[int, Value]) -> bytes:
    """A message with its length in front."""
    payload = number(kind) + fields(values)
    return struct.pack("<I", len(payload)) + payload


def take_number(data: bytes, start: int) -> tuple[int, int]:
    """The number that begins at `start`, and where the next byte is."""
    value = shift = 0
    while True:
        if start >= len(data) or shift > 63:
            raise MalformedMessage("a number does not end")
        byte = data[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value >= 1 << 64:
                raise MalformedMessage("a number has more than 64 bits")
            return value, start
        shift += 7


def _take_bytes(data: bytes, start: int) -> tuple[bytes, int]:
    size, start = take_number(data, start)
    if size > len(data) - start:
        raise MalformedMessage("a value is longer than its message")
    return data[start : start + size], start + size


def decode(data: bytes, start: int = 0) -> dict[int, int | float | bytes]:
    """The fields of a structure by number."""
    found: dict[int, int | float | bytes] = {}
    while start < len(data):
        tag, start = take_number(data, start)
        form = tag & 7
        if form == 0:
            found[tag >> 3], start = take_number(data, start)
        elif form == 1:
            if len(data) - start < 8:
                raise MalformedMessage("a fixed value is incomplete")
            found[tag >> 3], start = struct.unpack_from("<d", data, start)[0], start + 8
        elif form == 2:
            found[tag >> 3], start = _take_bytes(data, start)
        else:
            raise MalformedMessage(f"expected form 0, 1 or 2 of a field, got {form}")
    return found


def decode_items(data: bytes) -> list[bytes]:
    """The items of a list."""
    found: list[bytes] = []
    start = 0
    while start < len(data):
        item, start = _take_bytes(data, start)
        found.append(item)
    return found


class Reader:
    """Access to a structure's fields by type. A field of another form than expected is malformed; an absent one is None."""

    def __init__(self, data: bytes | Fields) -> None:
        self._fields: Fields = decode(data) if isinstance(data, bytes) else data

    def uint(self, index: int) -> int | None:
        value = self._fields.get(index)
        if value is None or isinstance(value, int):
            return value
        raise MalformedMessage(f"field {index}: expected a number")

    def sint(self, index: int) -> int | None:
        value = self.uint(index)
        return None if value is None else from_signed(value)

    def seconds(self, index: int) -> float | None:
        value = self.sint(index)
        return None if value is None else value / 1e9

    def flag(self, index: int, default: bool = False) -> bool:
        value = self.uint(index)
        return default if value is None else value != 0

    def double(self, index: int) -> float | None:
        value = self._fields.get(index)
        if value is None or isinstance(value, float):
            return value
        raise MalformedMessage(f"field {index}: expected a fixed value")

    def data(self, index: int) -> bytes | None:
        value = self._fields.get(index)
        if value is None or isinstance(value, bytes):
            return value
        raise MalformedMessage(f"field {index}: expected bytes")

    def text(self, index: int) -> str | None:
        value = self.data(index)
        if value is None:
            return None
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise MalformedMessage(f"field {index}: expected UTF-8") from None

    def structure(self, index: int) -> Reader | None:
        value = self.data(index)
        return None if value is None else Reader(value)

    def structures(self, index: int) -> list[Reader]:
        return [Reader(item) for item in self.items(index)]

    def items(self, index: int) -> list[bytes]:
        value = self.data(index)
        return [] if value is None else decode_items(value)

    def texts(self, index: int) -> list[str]:
        return [item.decode(errors="replace") for item in self.items(index)]
