import Geodesy

/// Finds the regions that a place lies in, and the nearest border, among millions of them.
///
/// An octree over the earth-centred frame: cubes are divided where many regions meet, so that a city's are small and an ocean's
/// large, and neither poles nor the date line are special. A region stands in each undivided cube that it may touch, or once in a
/// divided one that it covers. Quick answers come from chords (`Chord`); where these cannot tell, a centimetre from a border,
/// `Geodesic` does. Regions are known by slots: small numbers, given anew after a removal.
package struct RegionIndex: Sendable {
  var records: [IndexRecord] = []
  var shapes: [StoredShape] = []
  var polygons: [UInt32: PolygonSides] = [:]
  var nodes = [IndexNode()]
  /// Of eight octants each, no longer used.
  var freeOctants: [UInt32] = []
  /// In how many cubes all regions stand together.
  var entries = 0
  private var freeSlots: [UInt32] = []

  package init() {}

  /// Makes room for so many.
  package mutating func reserveCapacity(_ count: Int) {
    records.reserveCapacity(count)
    shapes.reserveCapacity(count)
  }

  /// How many regions there are.
  package var count: Int { records.count - freeSlots.count }
  /// All slots are below this.
  package var slotEnd: UInt32 { UInt32(records.count) }

  /// Whether there is a region in this slot.
  package func has(_ slot: UInt32) -> Bool {
    slot < slotEnd && !records[Int(slot)].signedRadius.isNaN
  }

  /// Takes a region in and says where.
  package mutating func add(_ shape: RegionShape) -> UInt32 {
    let slot = store(shape)
    touch(slot, .add)
    return slot
  }

  /// Takes many in at once: quicker than one by one where there were few, and neighbours lie side by side in memory, which makes
  /// looking quicker too.
  package mutating func add(_ many: [RegionShape]) {
    let keys = many.map { GridPoint(Surface.point(StoredShape($0).center)).curveKey }
    for number in keys.indices.sorted(by: { keys[$0] < keys[$1] }) { _ = append(many[number]) }
    divide()
  }

  /// Takes one of many in, after the last of which comes `divide`: until then they go down the tree together.
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

  /// Forgets a region.
  package mutating func remove(_ slot: UInt32) {
    guard has(slot) else { return }
    touch(slot, .remove)
    records[Int(slot)] = .removed
    polygons[slot] = nil
    freeSlots.append(slot)
  }

  /// The region of a slot that `has`.
  package func shape(of slot: UInt32) -> RegionShape? {
    guard has(slot) else { return nil }
    if let polygon = polygons[slot] { return .polygon(polygon.shape) }
    let shape = shapes[Int(slot)]
    return (try? CircleShape(center: shape.center, radius: Meters(shape.radiusMeters))).map { .circle($0) }
  }

  /// Where a region's middle lies along `GridPoint.curveKey`.
  func curveKey(_ slot: UInt32) -> UInt64 {
    let record = records[Int(slot)]
    return GridPoint(x: record.x, y: record.y, z: record.z).curveKey
  }

  private mutating func store(_ shape: RegionShape) -> UInt32 {
    let stored = StoredShape(shape)
    var record = IndexRecord(
      GridPoint(Surface.point(stored.center)),
      // Nothing but zero would be taken for no radius: the least one is as good.
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
