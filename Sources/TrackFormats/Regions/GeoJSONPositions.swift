/// Goes through a geometry's `coordinates` (RFC 7946, section 3.1), of whatever kind it is: that may come after them. It keeps
/// points and outer rings.
struct GeoJSONPositions: Sendable {
  /// So many lists a position of these stands in.
  static let pointDepth = 1
  static let polygonDepth = 3
  static let multiPolygonDepth = 4

  /// Open lists.
  private var depth = 0
  /// How many lists a position is in, itself among them, once there is one.
  private(set) var positionDepth: Int?
  private var longitude = 0.0
  private var latitude = 0.0
  private var numbers = 0
  private var ring = CornerList()
  /// Rings of the polygon at hand that have ended.
  private var rings = 0
  private(set) var holes = 0
  private(set) var isUnreadable = false
  private(set) var shapes: [RegionFeature.Shape] = []
  /// Corners in `shapes`.
  private var corners = 0

  mutating func listStart() {
    // No list stands among the numbers of a position.
    if numbers > 0 || depth == positionDepth { isUnreadable = true }
    depth += 1
    if depth > Self.multiPolygonDepth { isUnreadable = true }
  }

  mutating func number(_ number: Double) {
    guard !isUnreadable else { return }
    if positionDepth == nil { positionDepth = depth }
    guard depth == positionDepth else { return isUnreadable = true }
    switch numbers {
    case 0: longitude = number
    case 1: latitude = number
    // A height, and what some write behind it.
    default: break
    }
    numbers += 1
  }

  /// Something else than a list or a number.
  mutating func otherValue() { isUnreadable = true }

  mutating func listEnd() {
    defer { depth -= 1 }
    guard !isUnreadable, let positionDepth else { return }
    switch positionDepth - depth {
    case 0: positionEnd()
    case 1: ringEnd()
    case 2: rings = 0
    case _: break
    }
  }

  private mutating func positionEnd() {
    guard numbers >= 2 else { return isUnreadable = true }
    numbers = 0
    switch positionDepth {
    case Self.pointDepth:
      ring.append(latitude: latitude, longitude: longitude)
      if let point = ring.take()?.first { shapes.append(.point(point)) }
    case Self.polygonDepth, Self.multiPolygonDepth:
      if rings == 0 { ring.append(latitude: latitude, longitude: longitude) }
    // Points and lines of several, of which nothing becomes.
    case _: break
    }
  }

  private mutating func ringEnd() {
    guard positionDepth == Self.polygonDepth || positionDepth == Self.multiPolygonDepth else { return }
    defer { rings += 1 }
    // RFC 7946, section 3.1.6: the first ring is the outer one.
    guard rings == 0 else { return holes += 1 }
    guard let corners = ring.take() else {
      return add(.leftOut(.tooManyCorners(most: CornerList.most)))
    }
    if !corners.isEmpty { add(.polygon(corners)) }
  }

  private mutating func add(_ shape: RegionFeature.Shape) {
    // The feature says no to the one that is too much.
    guard corners <= RegionFeature.mostCorners else { return }
    if case .polygon(let more) = shape { corners += more.count } else { corners += 1 }
    shapes.append(shape)
  }
}
