import Geodesy

/// Finds the regions that contain a point, and the nearest border, among millions of them.
///
/// An octree over the earth-centered frame: cubes are divided where many regions meet, so that a city's are small and an ocean's
/// large, and neither the poles nor the date line are special. A region is listed in each undivided cube that it may touch, or once
/// in a divided cube that it covers. Fast answers come from chords (`Chord`); if these are not decisive, a centimeter from a
/// border, `Geodesic` decides. Regions are identified by slots: small numbers that are reused after a removal.
package struct RegionIndex: Sendable {
  var records: [IndexRecord] = []
  var shapes: [StoredShape] = []
  var polygons: [UInt32: PolygonSides] = [:]
  var nodes = [IndexNode()]
  /// Groups of eight octants that are no longer used.
  var freeOctants: [UInt32] = []
  /// The number of entries of all regions in all cubes.
  var entries = 0
  private var freeSlots: [UInt32] = []

  package init() {}

  /// Reserves capacity for this many.
  package mutating func reserveCapacity(_ count: Int) {
    records.reserveCapacity(count)
    shapes.reserveCapacity(count)
  }

  /// The number of regions.
  package var count: Int { records.count - freeSlots.count }
  /// All slots are below this.
  package var slotEnd: UInt32 { UInt32(records.count) }

  /// Whether there is a region in this slot.
  package func has(_ slot: UInt32) -> Bool {
    slot < slotEnd && !records[Int(slot)].signedRadius.isNaN
  }

  /// Adds a region and returns its slot.
  package mutating func add(_ shape: RegionShape) -> UInt32 {
    let slot = store(shape)
    touch(slot, .add)
    return slot
  }

  /// Adds many regions at once: faster than one by one if there were few, and neighbors are adjacent in memory, which makes
  /// searching faster too.
  package mutating func add(_ many: [RegionShape]) {
    let keys = many.map { GridPoint(Surface.point(StoredShape($0).center)).curveKey }
    for number in keys.indices.sorted(by: { keys[$0] < keys[$1] }) { _ = append(many[number]) }
    divide()
  }

  /// Adds one of many; call `divide` after the last. Until then the regions are listed in the root; `divide`
  /// distributes them over the tree together.
  mutating func append(_ shape: RegionShape) -> UInt32 {
    guard nodes[0].isLeaf else { return add(shape) }
    let slot = store(shape)
    nodes[0].slots.append(slot)
    entries += 1
    return slot
  }

  mutating func divide() {
    if nodes[0].isLeaf { divide(0, .whole) }
  }

  /// Removes a region.
  package mutating func remove(_ slot: UInt32) {
    guard has(slot) else { return }
    touch(slot, .remove)
    records[Int(slot)] = .removed
    polygons[slot] = nil
    freeSlots.append(slot)
  }

  /// The region in a slot; `nil` if there is none.
  package func shape(of slot: UInt32) -> RegionShape? {
    guard has(slot) else { return nil }
    if let polygon = polygons[slot] { return .polygon(polygon.shape) }
    let shape = shapes[Int(slot)]
    return (try? CircleShape(center: shape.center, radius: Meters(shape.radiusMeters))).map { .circle($0) }
  }

  /// The `GridPoint.curveKey` of a region's middle.
  func curveKey(_ slot: UInt32) -> UInt64 {
    let record = records[Int(slot)]
    return GridPoint(x: record.x, y: record.y, z: record.z).curveKey
  }

  private mutating func store(_ shape: RegionShape) -> UInt32 {
    let stored = StoredShape(shape)
    var record = IndexRecord(
      GridPoint(Surface.point(stored.center)),
      // A negative radius excludes the region from fast tests, and a negated zero would not be negative: the least
      // positive number replaces it.
      signedRadius: max(Float(stored.radiusMeters), .leastNormalMagnitude))
    let isQuick = if case .circle = shape { IndexRecord.quickRadii.contains(record.signedRadius) } else { false }
    if !isQuick { record.signedRadius.negate() }
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      records[Int(slot)] = record
      shapes[Int(slot)] = stored
    } else {
      slot = UInt32(records.count)
      records.append(record)
      shapes.append(stored)
    }
    if case .polygon(let polygon) = shape { polygons[slot] = PolygonSides(polygon) }
    return slot
  }
}
