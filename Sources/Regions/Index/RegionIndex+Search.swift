package import Geodesy

/// Which regions a place lies in.
extension RegionIndex {
  /// The slots of all regions that a place lies in, borders among them; in no order.
  package func slots(containing place: Coordinate) -> [UInt32] {
    var found: [UInt32] = []
    collect(containing: place, into: &found)
    return found
  }

  /// The same, behind what is in `found` already.
  package func collect(containing place: Coordinate, into found: inout [UInt32]) {
    collect(containing: place, Surface.point(place), into: &found)
  }

  func collect(containing place: Coordinate, _ surface: SIMD3<Double>, into found: inout [UInt32]) {
    let point = GridPoint(surface)
    // The upper bit says on which side of the middle it lies.
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
    // No branch that depends on what is found, so that the processor looks at many while it waits for the first.
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

  /// Whether a place lies in the region of a slot.
  package func contains(_ slot: UInt32, _ place: Coordinate) -> Bool {
    has(slot) && contains(slot, place, Surface.point(place))
  }

  func contains(_ slot: UInt32, _ place: Coordinate, _ surface: SIMD3<Double>) -> Bool {
    distance(slot, from: surface).isInside ?? shape(of: slot)?.contains(place) ?? false
  }

  private static func unsigned(_ value: Int32) -> UInt32 { UInt32(bitPattern: value) ^ 0x8000_0000 }
}
