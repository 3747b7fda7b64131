"""Reads the polygons of the package timezonefinder-data (layout 3): rings of 32-bit words with residuals in blocks of 128 vertices.

The layout is described in timezonefinder/block_payload.py and timezonefinder/flatbuf/schemas/polygons.fbs of timezonefinder 9.0.
"""
import io
import json
import struct
import zipfile

import numpy as np

FOLDER = "timezonefinder_data/data/"
BLOCK = 128
# A residual counts steps of 1e-6 degrees; coordinates are in 1e-7 degrees.
STEP = 10


class Rings:
    """The rings of one collection, `boundaries` or `holes`."""

    def __init__(self, wheel, name):
        def array(file):
            return np.load(io.BytesIO(wheel.read(f"{FOLDER}{name}/{file}.npy")))

        self.offsets, self.bases, self.widths = array("block_offsets"), array("block_bases"), array("block_widths")
        self.ranges, self.counts = array("block_ranges"), array("nr_vertices")
        self.payloads = self._payloads(wheel.read(f"{FOLDER}{name}/coordinates.bin"))

    @staticmethod
    def _payloads(data):
        """The words of each ring: a FlatBuffers table with a vector of tables, each with a vector of words."""
        assert data[4:8] == b"TZFP", "not a file of polygons"

        def field(table, slot):
            virtual = table - struct.unpack_from("<i", data, table)[0]
            size = struct.unpack_from("<H", data, virtual)[0]
            return struct.unpack_from("<H", data, virtual + slot)[0] if slot < size else 0

        def follow(position):
            return position + struct.unpack_from("<I", data, position)[0]

        root = follow(0)
        layout = struct.unpack_from("<H", data, root + field(root, 6))[0]
        assert layout == 3, f"layout {layout} of the polygons is not known"
        vector = follow(root + field(root, 4))
        result = []
        for index in range(struct.unpack_from("<I", data, vector)[0]):
            table = follow(vector + 4 + 4 * index)
            words = follow(table + field(table, 4))
            result.append(np.frombuffer(data, "<u4", struct.unpack_from("<I", data, words)[0], words + 4))
        return result

    def ring(self, index):
        """The vertices of a ring: x and y in 1e-7 degrees. The last vertex is not a copy of the first."""
        total, words, at = int(self.counts[index]), self.payloads[index], 0
        x, y = np.empty(total, np.int64), np.empty(total, np.int64)
        for block in range(self.offsets[index], self.offsets[index + 1]):
            first = (block - int(self.offsets[index])) * BLOCK
            count = min(BLOCK, total - first)
            for axis, out, base in ((0, x, self.bases[block]), (1, y, self.ranges[block, 0])):
                width = int(self.widths[block, axis])
                # The block also has the first vertex of the next one.
                size = -(-(count + 1) * width // 32)
                if width == 0:
                    out[first : first + count] = int(base)
                    continue
                bits = np.unpackbits(words[at : at + size].view(np.uint8), bitorder="little")[: count * width]
                values = bits.reshape(count, width).astype(np.int64) @ (np.int64(1) << np.arange(width, dtype=np.int64))
                out[first : first + count] = values * STEP + int(base)
                at += size
        return x, y


def read(path):
    """The names of the zones, the release, and all rings as (zone, x, y); the rings of holes belong to the zone that has the hole."""
    wheel = zipfile.ZipFile(path)
    zones = np.load(io.BytesIO(wheel.read(FOLDER + "zone_ids.npy")))
    names = wheel.read(FOLDER + "timezone_names.txt").decode().split()
    release = wheel.read(FOLDER + "data_version.txt").decode().strip()
    date = "%04d-%02d-%02d" % wheel.getinfo(FOLDER + "data_version.txt").date_time[:3]
    boundaries, holes = Rings(wheel, "boundaries"), Rings(wheel, "holes")
    references = np.load(io.BytesIO(wheel.read(FOLDER + "holes/poly_ref.npy")))
    rings = [(int(zones[index]),) + boundaries.ring(index) for index in range(len(zones))]
    for polygon, (count, first) in json.loads(wheel.read(FOLDER + "hole_registry.json")).items():
        for hole in range(first, first + count):
            reference = int(references[hole])
            x, y = rings[reference][1:] if reference >= 0 else holes.ring(-(reference + 1))
            rings.append((int(zones[int(polygon)]), x, y))
    return names, release, date, rings
