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
    var reader = PackedReader(bytes)
    let count = reader.number()
    guard count <= SpatialBlock.mostItems else { return false }
    var (x, y) = (reader.signed(), reader.signed())
    var (feature, quarter) = (0, 0)
    for _ in 0..<count {
      let flags = reader.byte()
      guard let kind = SpatialBlock.Kind(rawValue: flags & 3) else { return false }
      feature &+= reader.signed()
      let hasQuarter = flags & 32 != 0
      if hasQuarter { quarter &+= reader.signed() }
      let number = flags & 8 != 0 ? reader.textRange() : 0..<0
      let pointCount = reader.number()
      x &+= reader.signed()
      y &+= reader.signed()
      let (reach, length) = pointCount > 1 ? (reader.number(), reader.number()) : (0, 0)
      guard !reader.isDamaged, (1...SpatialBlock.mostPoints).contains(pointCount) else { return false }
      var point = plane.meters(x: x, y: y)
      if isBeyondHorizon(point, reach: Float(reach), plane) {
        reader.skip(length)
        continue
      }
      let first = points.count
      points.append(point)
      var (west, east, south, north) = (point.x, point.x, point.y, point.y)
      var (nextX, nextY) = (x, y)
      for _ in 1..<pointCount {
        nextX &+= reader.signed()
        nextY &+= reader.signed()
        point = plane.meters(x: nextX, y: nextY)
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
          kind: kind, isClosed: flags & 4 != 0, isInterpolated: flags & 16 != 0, feature: feature,
          quarter: hasQuarter ? quarter : 0, block: block, number: number, first: first, count: pointCount,
          center: SIMD2((west + east) / 2, (south + north) / 2), half: SIMD2((east - west) / 2, (north - south) / 2)))
    }
    return !reader.isDamaged
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
    let points = points.span
    let (x, y) = (point.x, point.y)
    let last = item.first + item.count - 1
    let start = item.isClosed ? points[last] : points[item.first]
    var (fromX, fromY) = (start.x - x, start.y - y)
    if item.count == 1 { return fromX * fromX + fromY * fromY }
    var (nearest, isInside) = (Float.infinity, false)
    for index in item.first...last {
      let next = points[index]
      let (toX, toY) = (next.x - x, next.y - y)
      let (edgeX, edgeY) = (toX - fromX, toY - fromY)
      let length = edgeX * edgeX + edgeY * edgeY
      let along = -(fromX * edgeX + fromY * edgeY)
      if along <= 0 || length == 0 {
        nearest = min(nearest, fromX * fromX + fromY * fromY)
      } else if along < length {
        // The distance from the line through the edge.
        let across = fromX * edgeY - fromY * edgeX
        nearest = min(nearest, across * across / length)
      } else {
        nearest = min(nearest, toX * toX + toY * toY)
      }
      // A ray to the east crosses the edge.
      if (fromY > 0) != (toY > 0), fromX - fromY / edgeY * edgeX > 0 { isInside.toggle() }
      (fromX, fromY) = (toX, toY)
    }
    return isInside && item.isClosed ? 0 : nearest
  }
}
