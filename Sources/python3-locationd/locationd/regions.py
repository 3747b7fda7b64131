"""Regions and what happens at them."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from datetime import datetime
from enum import IntEnum

from . import _wire
from ._value import Value
from ._wire import MalformedMessage, Reader, fields
from .values import Fix, Visit, _code, time_of


class RegionState(IntEnum):
    UNKNOWN = 0
    INSIDE = 1
    OUTSIDE = 2


class Circle(Value):
    latitude: float
    longitude: float
    radius_m: float


class Polygon(Value):
    corners: tuple[tuple[float, float], ...]
    """Latitude and longitude of each corner, degrees; 3 to 4,096 corners."""


class Region(Value):
    """A region that the daemon monitors. `identifier` has at most 1,024 bytes."""

    identifier: str
    shape: Circle | Polygon
    notify_on_entry: bool = True
    notify_on_exit: bool = True
    state: RegionState = RegionState.UNKNOWN
    dwell_s: int | None = None
    """How long the machine must be inside until an entry counts, 1 to 604,800 s."""


class EventKind(IntEnum):
    CROSSED = 0
    STATE_DETERMINED = 1
    ARRIVED = 2
    DEPARTED = 3
    MOVED = 4


class Event(Value):
    """A crossed border, an arrival, a departure, or a move of some 500 m."""

    id: int
    """0: the event needs no confirmation."""
    kind: EventKind
    list: str
    region: str | None
    state: RegionState | None
    visit: Visit | None
    time: datetime | None
    """None: nobody observed when it happened."""
    fix: Fix | None
    delivery: int
    """How often this event was delivered, including this time."""

    @classmethod
    def decode(cls, event: Reader, list_name: str) -> Event:
        state, visit, fix = event.uint(5), event.structure(6), event.structure(8)
        region = event.structure(3)
        return cls(
            event.uint(1) or 0,
            _code(EventKind, event.uint(4), "kind of an event"),
            list_name,
            None if region is None else region.text(1),
            None if state is None else _code(RegionState, state, "state of a region"),
            None if visit is None else Visit.decode(visit),
            time_of(event.sint(7)),
            None if fix is None else Fix.decode(fix),
            event.uint(9) or 1,
        )


def _crc32c_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F6_3B78 if value & 1 else 0)
        table.append(value)
    return tuple(table)


_CRC32C = _crc32c_table()


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli), as in RFC 3720, appendix B.4."""
    value = 0xFFFF_FFFF
    for byte in data:
        value = value >> 8 ^ _CRC32C[(value ^ byte) & 0xFF]
    return value ^ 0xFFFF_FFFF


def _region_file(region: Region) -> bytes:
    """Protocol.md, "RegionFile", with one region."""
    identifier = region.identifier.encode()
    if not 0 < len(identifier) <= 1024:
        raise ValueError(f"expected an identifier of 1 to 1,024 bytes, got {len(identifier)}")
    polygon = isinstance(region.shape, Polygon)
    bits = region.state | region.notify_on_entry << 2 | region.notify_on_exit << 3 | polygon << 4
    data = b"REGN" + struct.pack("<BIBH", 1, 1, bits, len(identifier)) + identifier
    if isinstance(region.shape, Circle):
        data += struct.pack("<ddd", region.shape.latitude, region.shape.longitude, region.shape.radius_m)
    else:
        corners = region.shape.corners
        if not 3 <= len(corners) <= 4096:
            raise ValueError(f"expected 3 to 4,096 corners, got {len(corners)}")
        data += struct.pack("<H", len(corners)) + b"".join(struct.pack("<dd", *corner) for corner in corners)
    return data + struct.pack("<I", crc32c(data))


def encode(region: Region) -> bytes:
    """Protocol.md, "Monitored"."""
    values: dict[int, _wire.Value] = {1: _region_file(region)}
    if region.dwell_s is not None:
        values[5] = region.dwell_s
    return fields(values)


def decode(monitored: Reader) -> Region:
    """The region of a "Monitored" structure."""
    data = monitored.data(1) or b""
    try:
        return _decode_file(data, monitored.uint(5))
    except (struct.error, UnicodeDecodeError):
        raise MalformedMessage("a region is incomplete") from None


def _decode_file(data: bytes, dwell_s: int | None) -> Region:
    if data[:4] != b"REGN" or crc32c(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
        raise MalformedMessage("a region is damaged")
    _, count, bits, size = struct.unpack_from("<BIBH", data, 4)
    if count != 1:
        raise MalformedMessage(f"expected one region, got {count}")
    at = 12 + size
    identifier = data[12:at].decode()
    shape: Circle | Polygon
    if bits & 16:
        (corners,) = struct.unpack_from("<H", data, at)
        values = struct.unpack_from(f"<{2 * corners}d", data, at + 2)
        shape = Polygon(tuple(zip(values[::2], values[1::2], strict=True)))
    else:
        shape = Circle(*struct.unpack_from("<ddd", data, at))
    state = _code(RegionState, bits & 3, "state of a region")
    return Region(identifier, shape, bool(bits & 4), bool(bits & 8), state, dwell_s)


def identifiers(regions: Iterable[Region | str]) -> list[bytes]:
    """Protocol.md, "Identifier", of regions or of their identifiers."""
    return [fields({1: (region if isinstance(region, str) else region.identifier).encode()}) for region in regions]
