"""Makes the file of time zones: borders that several zones share, simplified, in the leaves of a quadtree.

Layout: Documentation/FileFormats.md, "world.zones".
"""
import numpy as np

# Borders may move by this much, except near towns.
TOLERANCE_METERS = 50
# Borders within at least this distance of a town keep all their vertices.
EXACT_METERS = 300
METERS_PER_DEGREE = 111_320
UNIT = 1e7
# A leaf has at most this many edges, unless it is at the greatest depth.
MOST_EDGES = 72
GREATEST_DEPTH = 7
MOST_ZONES = 8
# Borders near towns need leaves of at most 1/8 degree: a step of the grid in a leaf is 1/65536 of its side.
EXACT_DEPTH = 3

UNIFORM, NODE, LEAF, ABSENT = 0, 1 << 30, 2 << 30, 3 << 30


def simplified(rings, towns):
    """Borders as a list of (zones that change at the border, x, y, whether an edge is exact), in units of 1e-7 degrees."""
    sizes = np.array([len(x) for _, x, _ in rings])
    zone = np.repeat([z for z, _, _ in rings], sizes)
    x, y = np.concatenate([r[1] for r in rings]), np.concatenate([r[2] for r in rings])
    keys, vertex = np.unique((x + 1_800_000_000) << 31 | (y + 900_000_000), return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    following = np.arange(1, len(x) + 1)
    following[starts + sizes - 1] = starts
    other = vertex[following]

    # A zone changes at an edge that an odd number of its rings have.
    count = len(keys)
    edge = np.minimum(vertex, other) * np.int64(count) + np.maximum(vertex, other)
    edges, edge = np.unique(edge, return_inverse=True)
    order = np.lexsort((zone, edge))
    sorted_edge, sorted_zone = edge[order], zone[order]
    changes = {}
    border = np.empty(len(edges), np.int64)
    first = np.searchsorted(sorted_edge, np.arange(len(edges) + 1))
    pairs = np.diff(first) == 2
    left, right = sorted_zone[first[:-1]], sorted_zone[first[1:] - 1]
    codes = np.where(pairs, left * 1000 + right, -1)
    for code in np.unique(codes[pairs]):
        a, b = divmod(int(code), 1000)
        border[codes == code] = changes.setdefault((a, b) if a != b else (), len(changes))
    for index in np.nonzero(~pairs)[0]:
        zones, counts = np.unique(sorted_zone[first[index] : first[index + 1]], return_counts=True)
        border[index] = changes.setdefault(tuple(int(z) for z in zones[counts % 2 == 1]), len(changes))
    sets = list(changes)
    border_of = border[edge]

    # A border ends where another set of zones begins, and where more than two edges meet.
    ends = np.unique(np.stack([edges // count, border]), axis=1), np.unique(np.stack([edges % count, border]), axis=1)
    degree = np.bincount(np.concatenate([edges // count, edges % count]), minlength=count)
    kinds = np.unique(np.concatenate(ends, axis=1), axis=1)
    node = (degree != 2) | (np.bincount(kinds[0], minlength=count) != 1)

    points_x, points_y = (keys >> 31) - 1_800_000_000, (keys & 0x7FFFFFFF) - 900_000_000
    chains, seen = [], np.zeros(len(edges), bool)
    for start, size in zip(starts, sizes):
        ring, ring_edges = vertex[start : start + size], edge[start : start + size]
        breaks = np.nonzero(node[ring])[0]
        if len(breaks) == 0:
            breaks = np.array([int(np.argmin(ring))])
        for begin, end in zip(breaks, np.append(breaks[1:], breaks[0] + size)):
            indices = np.arange(begin, end + 1) % size
            if seen[ring_edges[indices[0]]]:
                continue
            seen[ring_edges[indices[:-1]]] = True
            if sets[border[ring_edges[indices[0]]]]:
                chains.append((border[ring_edges[indices[0]]], ring[indices]))
    assert seen.all()
    return sets, thinned(chains, points_x, points_y, towns)


def near_towns(ax, ay, bx, by, towns):
    """Whether edges pass within EXACT_METERS of a town."""
    step = EXACT_METERS * 1.1 / METERS_PER_DEGREE
    rows = round(180 / step)

    def cells(latitude, longitude):
        row = np.clip(((latitude + 90) / step).astype(np.int64), 0, rows)
        widths = step / np.maximum(np.cos(np.radians(np.floor(latitude))), 0.01)
        return row, ((longitude + 180) / widths).astype(np.int64)

    marked = set()
    for shift_y in (-1, 0, 1):
        row, _ = cells(towns[:, 0] + shift_y * step, towns[:, 1])
        latitude = towns[:, 0] + shift_y * step
        widths = step / np.maximum(np.cos(np.radians(np.floor(latitude))), 0.01)
        for shift_x in (-1, 0, 1):
            column = ((towns[:, 1] + 180) / widths).astype(np.int64) + shift_x
            marked.update((row << 32 | column).tolist())
    marked = np.array(sorted(marked))
    result = np.zeros(len(ax), bool)
    meters = np.hypot((bx - ax) * np.cos(np.radians(ay / UNIT)), by - ay) / UNIT * METERS_PER_DEGREE
    samples = np.clip(meters // 150, 1, 4000).astype(np.int64)
    for chunk in np.array_split(np.arange(len(ax)), max(1, int(samples.sum() // 4_000_000))):
        of = np.repeat(chunk, samples[chunk] + 1)
        index = np.arange(len(of)) - np.repeat(np.concatenate([[0], np.cumsum(samples[chunk] + 1)[:-1]]), samples[chunk] + 1)
        part = index / samples[of]
        row, column = cells((ay[of] + (by[of] - ay[of]) * part) / UNIT, (ax[of] + (bx[of] - ax[of]) * part) / UNIT)
        key = row << 32 | column
        hit = marked[np.minimum(np.searchsorted(marked, key), len(marked) - 1)] == key
        result[np.unique(of[hit])] = True
    return result


def thinned(chains, points_x, points_y, towns):
    """Removes vertices that deviate by less than TOLERANCE_METERS (Douglas and Peucker 1973), all chains at the same time."""
    sizes = np.array([len(v) for _, v in chains])
    vertices = np.concatenate([v for _, v in chains])
    x, y = points_x[vertices].astype(float), points_y[vertices].astype(float)
    last = np.cumsum(sizes) - 1
    begin = last - sizes + 1
    keep = np.zeros(len(x), bool)
    keep[begin] = keep[last] = True
    exact = near_towns(x[:-1], y[:-1], x[1:], y[1:], towns)
    exact[last[:-1]] = False
    keep[:-1] |= exact
    keep[1:] |= exact
    scale = np.cos(np.radians(y / UNIT))
    tolerance = TOLERANCE_METERS / METERS_PER_DEGREE * UNIT
    active = None
    while True:
        kept = np.nonzero(keep)[0]
        a, b = kept[:-1], kept[1:]
        if active is None:
            todo = (b - a > 1)
        else:
            todo = (b - a > 1) & np.isin(a, active[0]) | (b - a > 1) & np.isin(a, active[1])
        a, b = a[todo], b[todo]
        if len(a) == 0:
            break
        lengths = b - a - 1
        of = np.repeat(np.arange(len(a)), lengths)
        inner = np.arange(len(of)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + a[of] + 1
        # The largest scale of the three, so that nothing near a pole counts as close.
        cosine = np.maximum(scale[inner], np.maximum(scale[a], scale[b])[of])
        dx, dy = (x[b] - x[a])[of] * cosine, (y[b] - y[a])[of]
        px, py = (x[inner] - x[a][of]) * cosine, y[inner] - y[a][of]
        square = dx * dx + dy * dy
        part = np.clip(np.where(square > 0, (px * dx + py * dy) / np.maximum(square, 1e-9), 0), 0, 1)
        deviation = np.hypot(px - part * dx, py - part * dy)
        starts = np.cumsum(lengths) - lengths
        largest = np.maximum.reduceat(deviation, starts)
        is_largest = (deviation == largest[of]) & (largest[of] > tolerance)
        _, where = np.unique(of[is_largest], return_index=True)
        chosen = inner[np.nonzero(is_largest)[0][where]]
        keep[chosen] = True
        active = (a[largest > tolerance], chosen)
    result = []
    for (border, _), first, end in zip(chains, begin, last):
        kept = first + np.nonzero(keep[first : end + 1])[0]
        result.append((int(border), x[kept], y[kept], exact[kept[:-1]]))
    return result


# Zones overlap where two countries claim an area. The zone with fewer vertices answers, as in timezonefinder, except in these pairs.
FIRST = [("Europe/Athens", "Europe/Istanbul"), ("Asia/Jerusalem", "Asia/Hebron")]


def ranks(names, rings):
    """The order of the zones where they overlap: the zone with the lowest rank answers."""
    vertices = np.zeros(len(names), np.int64)
    for zone, x, _ in rings:
        vertices[zone] += len(x)
    order = [names[zone] for zone in np.argsort(vertices, kind="stable")]
    for first, second in FIRST:
        if order.index(first) > order.index(second):
            order.remove(first)
            order.insert(order.index(second), first)
    return {names.index(name): rank for rank, name in enumerate(order)}


class Tree:
    """The grid of whole degrees with a quadtree below each cell that has a border."""

    def __init__(self, sets, rank):
        self.sets, self.rank = sets, rank
        self.grid = np.full(360 * 180, ABSENT, np.uint32)
        self.nodes, self.leaves = [], []
        self.leaf_words = 0

    def build(self, chains, bounds=(0, 360, 0, 180)):
        # The corners of cells are half a unit beside the coordinates, so that no vertex and no edge lies on a border of a cell.
        x0, y0 = -1_800_000_000 + 0.5, -900_000_000 + 0.5
        inside = set()
        for border, x, y, _ in chains:
            # A line from the corner to the east.
            a, b = y[:-1] > y0, y[1:] > y0
            cross = a != b
            at = x[:-1][cross] + (y0 - y[:-1][cross]) / (y[1:][cross] - y[:-1][cross]) * (x[1:][cross] - x[:-1][cross])
            if np.count_nonzero(at > x0) % 2:
                inside ^= set(self.sets[border])
        pieces = []
        for border, x, y, exact in chains:
            for _, high in [split(x, y, exact, x0)]:
                for px, py, pe in high:
                    pieces += [(border,) + p for p in split_y(px, py, pe, y0)[1]]
        self.cells(pieces, inside, 0, 360, 0, 180, bounds)

    @staticmethod
    def halves(pieces, inside, middle, low_edge, vertical, sets):
        """Splits the pieces at a line; returns both parts, and the zones at the corner of the second part."""
        low, high, corner = [], [], set(inside)
        for border, x, y, exact in pieces:
            a, b = (split(x, y, exact, middle) if not vertical else split_y(x, y, exact, middle))
            low += [(border,) + p for p in a]
            high += [(border,) + p for p in b]
        for border, x, y, _ in low:
            along, across = (x, y) if not vertical else (y, x)
            for end in (0, -1):
                # The path from corner to corner runs along the lower edge of the first part.
                if across[end] == low_edge and along[end] < middle:
                    corner ^= set(sets[border])
        return low, high, corner

    def cells(self, pieces, inside, x0, x1, y0, y1, bounds):
        if x1 <= bounds[0] or x0 >= bounds[1] or y1 <= bounds[2] or y0 >= bounds[3]:
            return
        left, bottom = x0 * 10_000_000 - 1_800_000_000 + 0.5, y0 * 10_000_000 - 900_000_000 + 0.5
        if not pieces:
            for row in range(max(y0, bounds[2]), min(y1, bounds[3])):
                self.grid[row * 360 + max(x0, bounds[0]) : row * 360 + min(x1, bounds[1])] = self.uniform(inside)
        elif x1 - x0 == 1 and y1 - y0 == 1:
            self.grid[y0 * 360 + x0] = self.entry(pieces, inside, left, bottom, 10_000_000, 0)
        elif x1 - x0 >= y1 - y0:
            middle = (x0 + x1) // 2
            low, high, corner = self.halves(
                pieces, inside, middle * 10_000_000 - 1_800_000_000 + 0.5, bottom, False, self.sets)
            self.cells(low, inside, x0, middle, y0, y1, bounds)
            self.cells(high, corner, middle, x1, y0, y1, bounds)
        else:
            middle = (y0 + y1) // 2
            low, high, corner = self.halves(
                pieces, inside, middle * 10_000_000 - 900_000_000 + 0.5, left, True, self.sets)
            self.cells(low, inside, x0, x1, y0, middle, bounds)
            self.cells(high, corner, x0, x1, middle, y1, bounds)

    def uniform(self, inside):
        return UNIFORM | min(inside, key=lambda zone: self.rank[zone]) if inside else ABSENT

    def entry(self, pieces, inside, left, bottom, side, depth):
        if not pieces:
            return self.uniform(inside)
        zones = sorted(inside.union(*(self.sets[p[0]] for p in pieces)), key=lambda zone: self.rank[zone])
        edges = sum(len(p[1]) - 1 for p in pieces)
        needs_detail = depth < EXACT_DEPTH and any(p[3].any() for p in pieces)
        if depth == GREATEST_DEPTH or (edges <= MOST_EDGES and len(zones) <= MOST_ZONES and not needs_detail):
            return self.leaf(pieces, inside, zones, left, bottom, side)
        half = side / 2
        west, east, east_corner = self.halves(pieces, inside, left + half, bottom, False, self.sets)
        children = []
        for part, corner, x in ((west, inside, left), (east, east_corner, left + half)):
            south, north, north_corner = self.halves(part, corner, bottom + half, x, True, self.sets)
            children.append((south, corner, x, bottom))
            children.append((north, north_corner, x, bottom + half))
        index = len(self.nodes)
        self.nodes.append(None)
        # South-west, south-east, north-west, north-east.
        order = [children[0], children[2], children[1], children[3]]
        self.nodes[index] = [self.entry(*child, half, depth + 1) for child in order]
        return NODE | index

    def leaf(self, pieces, inside, zones, left, bottom, side):
        assert len(zones) <= 15
        zones = zones[:MOST_ZONES]
        bit = {zone: 1 << index for index, zone in enumerate(zones)}
        lines = []
        for border, x, y, _ in pieces:
            mask = 0
            for zone in self.sets[border]:
                mask ^= bit.get(zone, 0)
            if not mask:
                continue
            gx = np.clip(np.floor((x - left) * 65536 / side), 0, 65535).astype(np.int64)
            gy = np.clip(np.floor((y - bottom) * 65536 / side), 0, 65535).astype(np.int64)
            points = list(zip(gx.tolist(), gy.tolist()))
            # A border that leaves the cell to the west continues north: the ray to the west has to meet it.
            if x[0] == left:
                points.insert(0, (0, 65535))
            if x[-1] == left:
                points.append((0, 65535))
            points = [p for index, p in enumerate(points) if index == 0 or p != points[index - 1]]
            # An edge without height never meets the ray.
            if len(points) > 1 and any(p[1] != points[0][1] for p in points):
                lines.append((mask, points))
        initial = sum(bit[zone] for zone in inside if zone in bit)
        if not lines:
            return self.uniform(inside)
        words = [len(zones) | len(lines) << 4, initial] + zones
        for mask, points in lines:
            words += [len(points), mask]
            for point in points:
                words += point
        assert len(lines) < 4096 and all(len(points) < 65536 for _, points in lines)
        at = self.leaf_words
        self.leaves.append(np.array(words, "<u2"))
        self.leaf_words += len(words)
        return LEAF | at


def split(x, y, exact, middle):
    """The parts of a polyline west and east of a line."""
    west = x < middle
    if west.all():
        return [(x, y, exact)], []
    if not west.any():
        return [], [(x, y, exact)]
    cuts = np.nonzero(west[1:] != west[:-1])[0]
    cut_y = y[cuts] + (middle - x[cuts]) / (x[cuts + 1] - x[cuts]) * (y[cuts + 1] - y[cuts])
    sides, begin = ([], []), 0
    for number in range(len(cuts) + 1):
        end = cuts[number] + 1 if number < len(cuts) else len(x)
        px, py, pe = x[begin:end], y[begin:end], exact[max(begin - 1, 0) : end]
        if number > 0:
            px, py = np.concatenate([[middle], px]), np.concatenate([[cut_y[number - 1]], py])
        else:
            pe = exact[:end]
        if number < len(cuts):
            px, py = np.append(px, middle), np.append(py, cut_y[number])
        sides[0 if west[begin] else 1].append((px, py, pe[: len(px) - 1]))
        begin = end
    return sides


def split_y(x, y, exact, middle):
    low, high = split(y, x, exact, middle)
    return [(b, a, e) for a, b, e in low], [(b, a, e) for a, b, e in high]


def sections(tree, names, countries, bounds=(0, 360, 0, 180)):
    """The sections of the file: zones, their names, bounds, the grid, nodes, leaves."""
    table, text = b"", b""
    for name in names:
        codes = countries.get(name, [])[:2]
        table += len(text).to_bytes(2, "little") + bytes([len(name), len(codes)]) + "".join(codes).encode().ljust(4, b"\0")
        text += name.encode()
    x0, x1, y0, y1 = bounds
    grid = tree.grid.reshape(180, 360)[y0:y1, x0:x1]
    nodes = np.array(tree.nodes, "<u4").reshape(-1)
    leaves = np.concatenate(tree.leaves) if tree.leaves else np.zeros(0, "<u2")
    box = np.array([x0, x1 - x0, y0, y1 - y0], "<u2")
    return [table, text, box.tobytes(), grid.astype("<u4").tobytes(), nodes.tobytes(), leaves.astype("<u2").tobytes()]
