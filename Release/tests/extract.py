#!/usr/bin/env python3
"""Writes an extract of OpenStreetMap with one town and one house of it, in PBF format: extract.py FILE
The format: https://wiki.openstreetmap.org/wiki/PBF_Format."""

import struct
import sys

NODES = [
    (1, 47.2840, 8.5640, {"place": "town", "name": "Horgen", "population": "20000"}),
    (2, 47.2850, 8.5650, {"addr:street": "Seestrasse", "addr:housenumber": "12", "addr:postcode": "8810", "addr:city": "Horgen"}),
]


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def zigzag(value: int) -> int:
    return value * 2 if value >= 0 else -value * 2 - 1


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def content(field: int, value: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(value)) + value


def block(kind: str, data: bytes) -> bytes:
    blob = content(1, data)
    header = content(1, kind.encode()) + number(3, len(blob))
    return struct.pack(">I", len(header)) + header + blob


def node(identifier: int, latitude: float, longitude: float, tags: dict[str, str], strings: list[str]) -> bytes:
    keys = b"".join(varint(strings.index(key)) for key in tags)
    values = b"".join(varint(strings.index(value)) for value in tags.values())
    # The unit is 100 billionths of a degree.
    return (number(1, zigzag(identifier)) + content(2, keys) + content(3, values)
            + number(8, zigzag(round(latitude * 1e7))) + number(9, zigzag(round(longitude * 1e7))))


# The first string is no tag: 0 ends the tags of a node in the dense form.
strings = [""] + sorted({word for *_, tags in NODES for pair in tags.items() for word in pair})
table = b"".join(content(1, word.encode()) for word in strings)
group = b"".join(content(1, node(*each, strings)) for each in NODES)
with open(sys.argv[1], "wb") as file:
    file.write(block("OSMHeader", content(4, b"OsmSchema-V0.6") + content(5, b"Sort.Type_then_ID")))
    file.write(block("OSMData", content(1, table) + content(2, group)))
