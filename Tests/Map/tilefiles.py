"""Files of tiles, written from their specifications: vector tiles, MBTiles and PMTiles."""

import gzip
import json
import sqlite3
import struct
from pathlib import Path

EXTENT = 4096
SQUARE = [(1024, 1024), (3072, 1024), (3072, 3072), (1024, 3072)]


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number: int, content) -> bytes:
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def zigzag(number: int) -> int:
    return number << 1 if number >= 0 else -number * 2 - 1


def polygon_tile(layer: str, properties: dict, ring: list = SQUARE) -> bytes:
    """A tile of one polygon (Mapbox Vector Tile Specification 2.1)."""
    commands, at = [], (0, 0)
    for index, (x, y) in enumerate(ring):
        if index < 2:
            commands.append(1 | 1 << 3 if index == 0 else 2 | len(ring) - 1 << 3)
        commands += [zigzag(x - at[0]), zigzag(y - at[1])]
        at = (x, y)
    commands.append(7 | 1 << 3)
    tags = b"".join(varint(index) + varint(index) for index in range(len(properties)))
    feature = field(2, tags) + field(3, 3) + field(4, b"".join(map(varint, commands)))
    content = field(15, 2) + field(1, layer.encode()) + field(2, feature)
    content += b"".join(field(3, key.encode()) for key in properties)
    content += b"".join(field(4, field(1, value.encode())) for value in properties.values()) + field(5, EXTENT)
    return field(3, content)


def metadata(layers: list) -> dict:
    return {"vector_layers": [{"id": name, "fields": {"class": "String"}} for name in layers]}


def mbtiles(path: Path, tiles: dict, layers: list, **values: str) -> None:
    """`tiles` has the content by zoom, column and row from the north."""
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE metadata(name TEXT, value TEXT)")
    database.execute("CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    zooms = [zoom for zoom, _, _ in tiles]
    known = {"format": "pbf", "minzoom": str(min(zooms)), "maxzoom": str(max(zooms)), "json": json.dumps(metadata(layers))} | values
    database.executemany("INSERT INTO metadata VALUES (?, ?)", known.items())
    rows = [(zoom, column, (1 << zoom) - 1 - row, gzip.compress(content)) for (zoom, column, row), content in tiles.items()]
    database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", rows)
    database.commit()
    database.close()


def hilbert(zoom: int, x: int, y: int) -> int:
    """The number of a tile (PMTiles specification 3.4, section 4.1)."""
    number, step = (4**zoom - 1) // 3, (1 << zoom) // 2
    while step:
        right, down = int(bool(x & step)), int(bool(y & step))
        number += step * step * ((3 * right) ^ down)
        if not down:
            if right:
                x, y = step - 1 - x, step - 1 - y
            x, y = y, x
        step //= 2
    return number


def directory(entries: list) -> bytes:
    """Entries are a number, an offset, a length and a run."""
    out, last = varint(len(entries)), 0
    for number, *_ in entries:
        out += varint(number - last)
        last = number
    for index in (3, 2):
        out += b"".join(varint(entry[index]) for entry in entries)
    return out + b"".join(varint(offset + 1) for _, offset, _, _ in entries)


def pmtiles(path: Path, tiles: dict, layers: list, attribution: str = "", has_leaves: bool = False, **changes) -> None:
    content, entries = b"", []
    for (zoom, column, row), tile in sorted(tiles.items(), key=lambda one: hilbert(*one[0])):
        packed = gzip.compress(tile)
        entries.append((hilbert(zoom, column, row), len(content), len(packed), 1))
        content += packed
    leaves = b""
    if has_leaves:
        leaves = gzip.compress(directory(entries))
        entries = [(entries[0][0], 0, len(leaves), 0)]
    root, text = gzip.compress(directory(entries)), gzip.compress(json.dumps(metadata(layers) | {"attribution": attribution}).encode())
    zooms = [zoom for zoom, _, _ in tiles]
    offsets, at = [], 127
    for part in (root, text, leaves, content):
        offsets += [at, len(part)]
        at += len(part)
    known = {"version": 3, "compression": 2, "type": 1} | changes
    header = b"PMTiles" + bytes([known["version"]]) + struct.pack("<11Q", *offsets, len(tiles), len(entries), len(tiles))
    header += bytes([1, 2, known["compression"], known["type"], min(zooms), max(zooms)])
    header += struct.pack("<4i", -1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000) + bytes([7]) + struct.pack("<2i", 95_000_000, 471_000_000)
    assert len(header) == 127
    path.write_bytes(header + root + text + leaves + content)
