package import Geodesy

/// Finds the regions that contain a point.
extension RegionIndex {
  /// The slots of all regions that contain a point, borders included; in no particular order.
  package func slots(containing place: Coordinate) -> [UInt32] {
    var found: [UInt32] = []
    collect(containing: place, into: &found)
    return found
  }

  /// The same, appended to `found`.
  package func collect(containing place: Coordinate, into found: inout [UInt32]) {
    collect(containing: place, Surface.point(place), into: &found)
  }

  func collect(containing place: Coordinate, _ surface: SIMD3<Double>, into found: inout [UInt32]) {
    let point = GridPoint(surface)
    // The upper bit says on which side of the middle the point lies.
    let (x, y, z) = (Self.unsigned(point.x), Self.unsigned(point.y), Self.unsigned(point.z))
    let nodes = nodes.span
    let records = records.span
    var node = 0
    var bit: UInt32 = 31
    while true {
      let first = nodes[node].firstOctant
      guard first != 0 else { break }
      if !nodes[node].slots.isEmpty { found.append(contentsOf: nodes[node].slots) }
      var octant: UInt32 = x >> bit & 1
      octant |= (y >> bit & 1) << 1
      octant |= (z >> bit & 1) << 2
      node = Int(first &+ octant)
      bit &-= 1
    }
    let list = nodes[node].slots
    let slots = list.span
    // No branch depends on the result, so that the processor reads many records while it waits for the first.
    let start = found.count
    var end = start
    var possible = 0
    found.append(contentsOf: repeatElement(0, count: slots.count))
    var out = found.mutableSpan
    for number in slots.indices {
      let slot = slots[number]
      let side = records[Int(slot)].side(of: point)
      out[end] = slot
      end &+= side.isInside
      possible &+= side.mayBeInside
    }
    found.removeLast(start + slots.count - end)
    guard possible > end - start else { return }
    for number in slots.indices {
      let slot = slots[number]
      let side = records[Int(slot)].side(of: point)
      if side.isInside < side.mayBeInside, contains(slot, place, surface) { found.append(slot) }
    }
  }

  /// Whether a point lies in the region of a slot.
  package func contains(_ slot: UInt32, _ place: Coordinate) -> Bool {
    has(slot) && contains(slot, place, Surface.point(place))
  }

  func contains(_ slot: UInt32, _ place: Coordinate, _ surface: SIMD3<Double>) -> Bool {
    distance(slot, from: surface).isInside ?? shape(of: slot)?.contains(place) ?? false
  }

  private static func unsigned(_ value: Int32) -> UInt32 { UInt32(bitPattern: value) ^ 0x8000_0000 }
}

/// Distances to borders.
extension RegionIndex {
  /// Beyond this chord, the distance to the border of a circle with more than half of it as its radius is computed over
  /// the ellipsoid, because the bounds are a meter apart there.
  private static let farChord = 100_000.0

  /// A lower bound of the distance from a point to the nearest border: the distance is longer by at most two
  /// centimeters for a circle whose center is within 20 km, and by at most one percent for a polygon's side. `nil` if
  /// there is no region.
  package func nearestBorder(from place: Coordinate) -> Meters? {
    let surface = Surface.point(place)
    var least = Double.infinity
    search(0, .whole, GridPoint(surface).values, surface, &least)
    return least.isFinite ? Meters(least) : nil
  }

  private func search(
    _ node: Int, _ box: IndexBox, _ point: SIMD3<Double>, _ surface: SIMD3<Double>, _ least: inout Double
  ) {
    let first = Int(nodes[node].firstOctant)
    guard first != 0 else { return searchLeaf(node, point, surface, &least) }
    let own = box.octant(of: point)
    // The nearest octant first, then those across one face, an edge, the corner.
    for step in 0..<8 {
      let way = 0x7653_4210 >> (4 * step) & 7
      let octant = box.octant(own ^ way)
      let bound = least * GridPoint.perMeter
      guard octant.squaredDistance(from: point) < bound * bound else { continue }
      search(first + (own ^ way), octant, point, surface, &least)
    }
  }

  private func searchLeaf(
    _ node: Int, _ point: SIMD3<Double>, _ surface: SIMD3<Double>, _ least: inout Double
  ) {
    let list = nodes[node].slots
    let slots = list.span
    let records = records.span
    for number in slots.indices {
      let slot = slots[number]
      // Cheap test before anything costly.
      guard records[Int(slot)].leastBorderDistance(from: point) < least else { continue }
      least = min(least, distance(slot, from: surface).atLeast)
    }
  }

  /// The position of a surface point relative to the border of a slot's region.
  func distance(_ slot: UInt32, from surface: SIMD3<Double>) -> BorderDistance {
    if let polygon = polygon(slot) { return polygon.distance(from: surface) }
    let shape = shapes[Int(slot)]
    let record = records[Int(slot)]
    let chord = record.chord(to: surface * GridPoint.perMeter)
    let (shortest, longest) = (chord - GridPoint.slackMeters, Chord.longestWay(over: chord + GridPoint.slackMeters))
    if chord > Self.farChord, shape.radiusMeters > Self.farChord / 2 {
      let way = Geodesic.inverse(from: shape.center, to: Surface.coordinate(towards: surface)).distance.value
      let beyond = way - shape.radiusMeters
      return BorderDistance(isInside: abs(beyond) < 1e-3 ? nil : beyond < 0, atLeast: max(0, abs(beyond) - 1e-3))
    }
    if shortest > shape.radiusMeters {
      return BorderDistance(isInside: false, atLeast: shortest - shape.radiusMeters)
    }
    if longest < shape.radiusMeters { return BorderDistance(isInside: true, atLeast: shape.radiusMeters - longest) }
    return BorderDistance(isInside: nil, atLeast: 0)
  }

  private func polygon(_ slot: UInt32) -> PolygonSides? {
    records[Int(slot)].signedRadius < 0 ? polygons[slot] : nil
  }
}
