/// Grows and shrinks the tree.
extension RegionIndex {
  enum Change { case add, remove }

  /// A cube with at most this many regions is not divided.
  private static let leafCapacity = 32
  /// Cubes of 4 m are not divided.
  private static let leastSide = 4 * GridPoint.perMeter
  /// Dividing has to be worth its memory: the number of entries may grow at most by this factor, in cubes of up to `crowd` regions
  /// and of more. In a city, where circles of 50 to 300 m overlap 28 deep, the resulting cubes have some 150 m.
  private static let greatestGrowth = (few: 1.5, many: 2.2)
  private static let crowd = 64
  /// The limit for all entries together, per region: nested circles would have entries in as many cubes as their borders are long.
  private static let greatestShare = 10
  /// Eight octants with at most this many regions in total become one cube again.
  private static let mergeCount = 8

  /// Adds a region to all cubes that it touches, or removes it: the cubes are the same, because they follow from its shape alone.
  mutating func touch(_ slot: UInt32, _ change: Change) {
    touch(slot, change, 0, .whole)
  }

  private mutating func touch(_ slot: UInt32, _ change: Change, _ node: Int, _ box: IndexBox) {
    let isLeaf = nodes[node].isLeaf
    if isLeaf || covers(slot, box, box.patch) {
      switch change {
      case .add:
        nodes[node].slots.append(slot)
        entries += 1
        // Try again whenever the number has doubled.
        let count = nodes[node].slots.count - 1
        if isLeaf, count >= Self.leafCapacity, count & (count - 1) == 0 { divide(node, box) }
      case .remove:
        guard let place = nodes[node].slots.firstIndex(of: slot) else { return }
        nodes[node].slots.swapAt(place, nodes[node].slots.count - 1)
        nodes[node].slots.removeLast()
        entries -= 1
      }
      return
    }
    let first = Int(nodes[node].firstOctant)
    var mask = octants(touchedBy: slot, box, (0..<8).map { box.octant($0).patch })
    while mask != 0 {
      let number = mask.trailingZeroBitCount
      touch(slot, change, first + number, box.octant(number))
      mask &= mask - 1
    }
    if change == .remove { merge(node) }
  }

  /// Divides a cube, and the resulting cubes, as long as that is worth it.
  mutating func divide(_ node: Int, _ box: IndexBox) {
    let slots = nodes[node].slots
    guard slots.count > Self.leafCapacity, box.side > Self.leastSide else { return }
    // For each region the octants that it touches; those that cover the cube stay in it.
    let patch = box.patch
    let patches = (0..<8).map { box.octant($0).patch }
    var masks: [UInt8] = []
    masks.reserveCapacity(slots.count)
    var counts = SIMD8<Int32>.zero
    var kept: [UInt32] = []
    for slot in slots {
      var mask = octants(touchedBy: slot, box, patches)
      if mask & (mask &- 1) != 0, covers(slot, box, patch) {
        mask = 0
        kept.append(slot)
      }
      masks.append(mask)
      while mask != 0 {
        counts[mask.trailingZeroBitCount] &+= 1
        mask &= mask - 1
      }
    }
    let total = kept.count + Int(counts.wrappedSum())
    let growth = slots.count > Self.crowd ? Self.greatestGrowth.many : Self.greatestGrowth.few
    guard Double(total) <= growth * Double(slots.count), kept.count < slots.count,
      entries + total - slots.count <= Self.greatestShare * max(count, 1000)
    else { return }
    entries += total - slots.count
    let first = freeOctants.popLast().map(Int.init) ?? nodes.count
    if first == nodes.count { for _ in 0..<8 { nodes.append(IndexNode()) } }
    nodes[node].firstOctant = UInt32(first)
    nodes[node].slots = kept
    for number in 0..<8 where counts[number] > 0 {
      // Deep inside a city, one octant has all the regions for many divisions.
      let hasAll = Int(counts[number]) == slots.count
      nodes[first + number].slots = hasAll ? slots : Self.select(slots, masks, 1 << UInt8(number), Int(counts[number]))
    }
    for number in 0..<8 where counts[number] > 0 { divide(first + number, box.octant(number)) }
  }

  /// The slots that touch an octant, in a list of exactly their length.
  private static func select(_ slots: [UInt32], _ masks: [UInt8], _ bit: UInt8, _ count: Int) -> [UInt32] {
    var part: [UInt32] = []
    part.reserveCapacity(count)
    for number in slots.indices where masks[number] & bit != 0 { part.append(slots[number]) }
    return part
  }

  private mutating func merge(_ node: Int) {
    let first = Int(nodes[node].firstOctant)
    var total = nodes[node].slots.count
    for number in first..<first + 8 {
      guard nodes[number].isLeaf else { return }
      total += nodes[number].slots.count
    }
    guard total <= Self.mergeCount else { return }
    var slots = nodes[node].slots
    for number in first..<first + 8 {
      for slot in nodes[number].slots where !slots.contains(slot) { slots.append(slot) }
      nodes[number].slots = []
    }
    entries += slots.count - total
    nodes[node] = IndexNode(slots: slots)
    freeOctants.append(UInt32(first))
  }

  /// The octants of a cube that contain earth's surface where the region may be, one bit each.
  @inline(__always) private func octants(touchedBy slot: UInt32, _ box: IndexBox, _ patches: [SurfacePatch]) -> UInt8 {
    let record = records[Int(slot)]
    let reach = record.outerChord * GridPoint.perMeter
    let away = record.middle - box.center
    let highest = (away.x >= -reach ? 1 : 0) | (away.y >= -reach ? 2 : 0) | (away.z >= -reach ? 4 : 0)
    let lowest = (away.x >= reach ? 1 : 0) | (away.y >= reach ? 2 : 0) | (away.z >= reach ? 4 : 0)
    // Most regions lie in one octant, which contains the surface because it contains the middle.
    if lowest == highest { return 1 << UInt8(truncatingIfNeeded: lowest) }
    var mask: UInt8 = 0
    for number in 0..<8 where number & lowest == lowest && number | highest == highest {
      guard patches[number].squaredDistance(from: record.middle) <= reach * reach else { continue }
      if record.signedRadius < 0, polygons[slot] != nil, isClear(of: slot, box.octant(number), isInside: false) {
        continue
      }
      mask |= 1 << UInt8(number)
    }
    return mask
  }

  /// Whether a region covers all of the surface in a cube.
  private func covers(_ slot: UInt32, _ box: IndexBox, _ patch: SurfacePatch) -> Bool {
    let record = records[Int(slot)]
    if record.signedRadius < 0, polygons[slot] != nil { return isClear(of: slot, box, isInside: true) }
    guard box.side < 2 * record.radius * GridPoint.perMeter else { return false }
    let within = record.innerChord * GridPoint.perMeter
    return within > 0 && patch.squaredFurthest(from: record.middle) < within * within
  }

  /// Whether a polygon's border is far from a cube, and the cube lies on the given side of it.
  private func isClear(of slot: UInt32, _ box: IndexBox, isInside: Bool) -> Bool {
    // `half` is half of the diagonal of the cube, meters. A cube with sides of 4,194 km or more decides nothing.
    guard box.side < 0x1p30, let polygon = polygons[slot] else { return false }
    let half = box.side / 2 / GridPoint.perMeter * 3.0.squareRoot() + 1
    let middle = Surface.coordinate(towards: box.center)
    let place = Surface.point(middle)
    let distance = polygon.distance(from: place)
    let reach = (place - box.center / GridPoint.perMeter).length + half
    return distance.isInside == isInside && distance.atLeast > Chord.longestWay(over: reach)
  }
}
