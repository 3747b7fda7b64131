#!/usr/bin/python3
"""Makes a large extract from small ones: copies of them, one after the other, with other ids at other places, until the file has so many
megabytes: shifted-extract.py OUT MEGABYTES EXTRACT..."""

import itertools
import os
import sys

import osmium

# More than any id of OpenStreetMap.
STEP = 20_000_000_000
# Copies stand on a grid: degrees, and copies in a row. The extracts are smaller than a cell.
CELL = 0.9
ROW = 40


class Copy(osmium.SimpleHandler):
    """Writes the objects of one kind, moved to the place of a copy."""

    def __init__(self, writer, kind, number, corner):
        super().__init__()
        self.writer = writer
        self.kind = kind
        self.shift = number * STEP
        self.east = number % ROW * CELL - corner[0]
        self.north = number // ROW * CELL - corner[1]

    def node(self, node):
        if self.kind == "node" and node.location.valid():
            place = (node.location.lon + self.east, node.location.lat + self.north)
            self.writer.add_node(node.replace(id=node.id + self.shift, location=place))

    def way(self, way):
        if self.kind == "way":
            nodes = [node.ref + self.shift for node in way.nodes]
            self.writer.add_way(way.replace(id=way.id + self.shift, nodes=nodes))

    def relation(self, relation):
        if self.kind == "relation":
            members = [(m.type, m.ref + self.shift, m.role) for m in relation.members]
            self.writer.add_relation(relation.replace(id=relation.id + self.shift, members=members))


class Corner(osmium.SimpleHandler):
    """The place of the first node, rounded down."""

    def __init__(self):
        super().__init__()
        self.found = None

    def node(self, node):
        if self.found is None and node.location.valid():
            self.found = (int(node.location.lon), int(node.location.lat))


def main(out, megabytes, extracts):
    corners = []
    for path in extracts:
        corner = Corner()
        corner.apply_file(path)
        corners.append(corner.found)
    copies = []
    size = 0
    for index in itertools.cycle(range(len(extracts))):
        if size >= int(megabytes) << 20:
            break
        copies.append(index)
        size += os.path.getsize(extracts[index])
    writer = osmium.SimpleWriter(out)
    for kind in ("node", "way", "relation"):
        for number, index in enumerate(copies):
            Copy(writer, kind, number, corners[index]).apply_file(extracts[index])
    writer.close()


main(sys.argv[1], sys.argv[2], sys.argv[3:])
