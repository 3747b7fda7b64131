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
///   points: count, then x, y (signed, from the point before)
/// ```
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
      writer.put(item.points.count)
      for point in item.points {
        writer.put(signed: Int(point.x) - Int(last.x))
        writer.put(signed: Int(point.y) - Int(last.y))
        last = point
      }
    }
    return writer.bytes
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
    /// The middle of the box around the points, and the distance from it to the box's corner, meters.
    package var center: SIMD2<Float>
    package var reach: Float
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
      guard !reader.isDamaged, (1...SpatialBlock.mostPoints).contains(pointCount) else { return false }
      let first = points.count
      var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
      for _ in 0..<pointCount {
        x &+= reader.signed()
        y &+= reader.signed()
        let point = plane.meters(x: x, y: y)
        points.append(point)
        low = pointwiseMin(low, point)
        high = pointwiseMax(high, point)
      }
      guard !reader.isDamaged else { return false }
      // The distance from the position to the box.
      let outside = pointwiseMax(pointwiseMax(low, -high), SIMD2(repeating: 0))
      guard (outside * outside).sum() <= horizon * horizon else {
        points.removeLast(points.count - first)
        continue
      }
      let half = (high - low) / 2
      items.append(
        Item(
          kind: kind, isClosed: flags & 4 != 0, isInterpolated: flags & 16 != 0, feature: feature,
          quarter: hasQuarter ? quarter : 0, block: block, number: number, first: first, count: pointCount,
          center: (low + high) / 2, reach: (half * half).sum().squareRoot()))
    }
    return !reader.isDamaged
  }

  /// The squared distance from a point to an item, square meters; 0 inside a closed outline.
  package func squaredDistance(from point: SIMD2<Float>, to item: Item) -> Float {
    if item.count == 1 {
      let difference = points[item.first] - point
      return (difference * difference).sum()
    }
    var (nearest, isInside) = (Float.infinity, false)
    var previous = item.isClosed ? points[item.first + item.count - 1] - point : points[item.first] - point
    for index in item.first..<(item.first + item.count) {
      let next = points[index] - point
      let edge = next - previous
      let length = (edge * edge).sum()
      let share = length > 0 ? min(max(-(previous * edge).sum() / length, 0), 1) : 0
      let difference = previous + edge * share
      nearest = min(nearest, (difference * difference).sum())
      // A ray to the east crosses the edge.
      if (previous.y > 0) != (next.y > 0), previous.x - previous.y / edge.y * edge.x > 0 { isInside.toggle() }
      previous = next
    }
    return isInside && item.isClosed ? 0 : nearest
  }
}
