/// Some neighboring things of an imported file, packed in one value of its table `block`: addresses, pieces of streets and points of
/// interest, ordered along a space-filling curve.
///
/// ```
/// count, then the origin: x, y (signed)
/// each item:
///   flags: bits 0–1 kind, 2 closed outline, 3 number, 4 interpolated, 5 quarter
///   feature (signed, from the one before)
///   quarter (signed, from the one before), if bit 5
///   number: length, text, if bit 3
///   count of points, then x, y of the first (signed, from the first point of the item before)
///   reach, length, if it has several points: the greatest difference of x or y from the first point, and the bytes of the rest
///   each further point: x, y (signed, from the point before)
/// ```
/// With the reach and the length, a reader skips items that are far away.
///
/// Numbers as `PackedWriter` writes them; coordinates in units of `LocalPoint`.
package enum SpatialBlock {
  package enum Kind: UInt8, Sendable {
    case address = 0
    case street = 1
    case pointOfInterest = 2
  }

  /// The most items in a block, and the most points of an item.
  package static let mostItems = 64
  package static let mostPoints = 64

  package struct Item: Hashable, Sendable {
    package var kind: Kind
    /// The row of the street or of the point of interest.
    package var feature: Int
    /// The row of the quarter; `nil`: none.
    package var quarter: Int?
    package var number: String?
    /// The number was computed from those at both ends of a row of houses.
    package var isInterpolated: Bool
    /// The points are a closed outline, without the first point repeated.
    package var isClosed: Bool
    package var points: [LocalPoint]

    package init(
      kind: Kind, feature: Int, quarter: Int? = nil, number: String? = nil, isInterpolated: Bool = false,
      isClosed: Bool = false, points: [LocalPoint]
    ) {
      self.kind = kind
      self.feature = feature
      self.quarter = quarter
      self.number = number
      self.isInterpolated = isInterpolated
      self.isClosed = isClosed
      self.points = points
    }
  }

  /// What is read of each item before it is known to be near: where it begins, how far it reaches, and where the rest of it is.
  package struct Entry: Sendable {
    package let kind: Kind
    let flags: UInt8
    let numberLength: UInt8
    let pointCount: UInt8
    /// Where the number and the further points are in the block.
    let number: Int32
    let rest: Int32
    let feature: Int32
    /// 0: none.
    let quarter: Int32
    let first: LocalPoint
    let reach: Int32
  }

  /// The entries of a block; `nil` if it is damaged.
  package static func entries(_ bytes: Span<UInt8>) -> [Entry]? {
    var reader = PackedReader(bytes)
    let count = reader.number()
    var (x, y) = (reader.signed(), reader.signed())
    guard !reader.isDamaged, count <= mostItems, bytes.count <= Int32.max else { return nil }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    var (feature, quarter) = (0, 0)
    for _ in 0..<count {
      let flags = reader.byte()
      guard let kind = Kind(rawValue: flags & 3) else { return nil }
      feature &+= reader.signed()
      let hasQuarter = flags & 32 != 0
      if hasQuarter { quarter &+= reader.signed() }
      let number = flags & 8 != 0 ? reader.textRange() : 0..<0
      let pointCount = reader.number()
      x &+= reader.signed()
      y &+= reader.signed()
      let (reach, length) = pointCount > 1 ? (reader.number(), reader.number()) : (0, 0)
      let rest = reader.offset
      reader.skip(length)
      guard !reader.isDamaged, (1...mostPoints).contains(pointCount), let first = LocalPoint(checkingX: x, y: y),
        let feature = Int32(exactly: feature), let quarter = Int32(exactly: hasQuarter ? quarter : 0)
      else { return nil }
      entries.append(
        Entry(
          kind: kind, flags: flags, numberLength: UInt8(number.count), pointCount: UInt8(pointCount),
          number: Int32(number.lowerBound), rest: Int32(rest), feature: feature, quarter: quarter, first: first,
          reach: Int32(clamping: reach)))
    }
    return entries
  }

  /// - Parameter items: at most `mostItems` with one to `mostPoints` points each.
  package static func encode(_ items: [Item]) -> [UInt8] {
    precondition(items.count <= mostItems, "more than a block holds")
    var writer = PackedWriter()
    writer.put(items.count)
    var last = items.first?.points.first ?? LocalPoint(x: 0, y: 0)
    writer.put(signed: Int(last.x))
    writer.put(signed: Int(last.y))
    var (feature, quarter) = (0, 0)
    for item in items {
      precondition((1...mostPoints).contains(item.points.count), "an item with this number of points")
      let flags =
        item.kind.rawValue | (item.isClosed ? 4 : 0) | (item.number != nil ? 8 : 0) | (item.isInterpolated ? 16 : 0)
        | (item.quarter != nil ? 32 : 0)
      writer.put(byte: flags)
      writer.put(signed: item.feature - feature)
      feature = item.feature
      if let number = item.quarter {
        writer.put(signed: number - quarter)
        quarter = number
      }
      if let number = item.number { writer.put(number) }
      let first = item.points[0]
      writer.put(item.points.count)
      writer.put(signed: Int(first.x) - Int(last.x))
      writer.put(signed: Int(first.y) - Int(last.y))
      last = first
      if item.points.count > 1 { put(item.points, in: &writer) }
    }
    return writer.bytes
  }

  /// The points of an item after its first.
  private static func put(_ points: [LocalPoint], in writer: inout PackedWriter) {
    var rest = PackedWriter()
    var (last, reach) = (points[0], 0)
    for point in points.dropFirst() {
      rest.put(signed: Int(point.x) - Int(last.x))
      rest.put(signed: Int(point.y) - Int(last.y))
      last = point
      reach = max(reach, abs(Int(point.x) - Int(points[0].x)), abs(Int(point.y) - Int(points[0].y)))
    }
    writer.put(reach)
    writer.put(rest.bytes.count)
    writer.put(rest)
  }
}

/// What is near a position, on a plane around it: read from blocks, in arrays that are reused.
package struct NearbyItems: Sendable {
  package struct Item: Sendable {
    package var kind: SpatialBlock.Kind
    package var isClosed: Bool
    package var isInterpolated: Bool
    package var feature: Int
    /// 0: none.
    package var quarter: Int
    /// The block and the place of the number in it; empty: none.
    package var block: Int
    package var number: Range<Int>
    /// The points in `points`.
    package var first: Int
    package var count: Int
    /// The middle of the box around the points, and half its extent in each direction, meters.
    package var center: SIMD2<Float>
    package var half: SIMD2<Float>

    /// The distance from the middle of the box to its corner, meters.
    package var reach: Float { (half * half).sum().squareRoot() }
  }

  package private(set) var items: [Item] = []
  /// Meters east and north of the position.
  package private(set) var points: [SIMD2<Float>] = []
  /// Items whose box is farther away are left out, meters.
  package var horizon: Float = .infinity

  package init() {}

  package mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
  }

  /// Adds the items of a block; returns `false` if it is damaged.
  ///
  /// - Parameter block: identifies the block in `Item.block`.
  package mutating func read(_ bytes: Span<UInt8>, block: Int, on plane: LocalPlane) -> Bool {
    guard let entries = SpatialBlock.entries(bytes) else { return false }
    return read(entries.span, bytes, block: block, on: plane)
  }

  /// Adds the items of a block whose entries were read before; returns `false` if it is damaged.
  package mutating func read(
    _ entries: Span<SpatialBlock.Entry>, _ bytes: Span<UInt8>, block: Int, on plane: LocalPlane
  ) -> Bool {
    for index in entries.indices {
      let entry = entries[index]
      var (x, y) = (Int(entry.first.x), Int(entry.first.y))
      var point = plane.meters(x: x, y: y)
      if isBeyondHorizon(point, reach: Float(entry.reach), plane) { continue }
      let first = points.count
      points.append(point)
      var (west, east, south, north) = (point.x, point.x, point.y, point.y)
      var reader = PackedReader(bytes, at: Int(entry.rest))
      for _ in 1..<Int(entry.pointCount) {
        x &+= reader.signed()
        y &+= reader.signed()
        point = plane.meters(x: x, y: y)
        points.append(point)
        // Not `pointwiseMin`, which treats NaN as IEEE 754 does, and takes three times as long.
        if point.x < west { west = point.x } else if point.x > east { east = point.x }
        if point.y < south { south = point.y } else if point.y > north { north = point.y }
      }
      guard !reader.isDamaged else { return false }
      // The distance from the position to the box.
      let (outsideX, outsideY) = (max(west, -east, 0), max(south, -north, 0))
      guard outsideX * outsideX + outsideY * outsideY <= horizon * horizon else {
        points.removeLast(points.count - first)
        continue
      }
      items.append(
        Item(
          kind: entry.kind, isClosed: entry.flags & 4 != 0, isInterpolated: entry.flags & 16 != 0,
          feature: Int(entry.feature), quarter: Int(entry.quarter), block: block,
          number: Int(entry.number)..<(Int(entry.number) + Int(entry.numberLength)), first: first,
          count: Int(entry.pointCount), center: SIMD2((west + east) / 2, (south + north) / 2),
          half: SIMD2((east - west) / 2, (north - south) / 2)))
    }
    return true
  }

  /// Whether all points of an item are beyond the horizon.
  ///
  /// - Parameter reach: how far they are from the first one, in each direction, in units of `LocalPoint`.
  private func isBeyondHorizon(_ first: SIMD2<Float>, reach: Float, _ plane: LocalPlane) -> Bool {
    let east = max(abs(first.x) - reach * Float(plane.scaleX), 0)
    let north = max(abs(first.y) - reach * Float(plane.scaleY), 0)
    return east * east + north * north > horizon * horizon
  }

  /// The squared distance from a point to an item, square meters; 0 inside a closed outline.
  package func squaredDistance(from point: SIMD2<Float>, to item: Item) -> Float {
    let last = item.first + item.count - 1
    guard item.isClosed else { return squaredDistance(from: point, toLine: item.first...last) }
    if isInside(point, item) { return 0 }
    let points = points.span
    return min(
      squaredDistance(from: point, toLine: item.first...last),
      Self.squaredDistance(from: point, points[last], points[item.first]))
  }

  /// The squared distance from a point to the line through some of `points`, square meters.
  func squaredDistance(from point: SIMD2<Float>, toLine range: ClosedRange<Int>) -> Float {
    let points = points.span
    var from = points[range.lowerBound]
    if range.count == 1 { return Self.squaredDistance(from: point, from, from) }
    var nearest = Float.infinity
    for index in (range.lowerBound + 1)...range.upperBound {
      let to = points[index]
      nearest = min(nearest, Self.squaredDistance(from: point, from, to))
      from = to
    }
    return nearest
  }

  /// The squared distance from a point to an edge. Without branches, which would depend on the data.
  @inline(__always)
  private static func squaredDistance(
    from point: SIMD2<Float>, _ first: SIMD2<Float>, _ second: SIMD2<Float>
  ) -> Float {
    let (edgeX, edgeY) = (second.x - first.x, second.y - first.y)
    let (fromX, fromY) = (point.x - first.x, point.y - first.y)
    // An edge without a length has the share 0.
    let length = max(edgeX * edgeX + edgeY * edgeY, .leastNormalMagnitude)
    let share = min(max((fromX * edgeX + fromY * edgeY) / length, 0), 1)
    let (east, north) = (fromX - edgeX * share, fromY - edgeY * share)
    return east * east + north * north
  }

  /// Whether a point is inside a closed outline: a ray to the east crosses an odd number of edges.
  private func isInside(_ point: SIMD2<Float>, _ item: Item) -> Bool {
    guard abs(point.x - item.center.x) <= item.half.x, abs(point.y - item.center.y) <= item.half.y else { return false }
    let points = points.span
    let last = item.first + item.count - 1
    var from = points[last]
    var isInside = false
    for index in item.first...last {
      let to = points[index]
      if (from.y > point.y) != (to.y > point.y),
        from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x) > point.x
      {
        isInside.toggle()
      }
      from = to
    }
    return isInside
  }
}
