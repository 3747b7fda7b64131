import Geodesy
import Regions

/// A GeoJSON geometry (RFC 7946, section 3.1) while it is read.
struct GeoJSONGeometry: Sendable {
  /// Its `type`.
  var type: String?
  var positions: GeoJSONPositions?
  /// Whether the geometry is present and not `null`.
  var isPresent = false
  /// Whether members of the geometry have wrong types.
  var isUnreadable = false

  /// The types that become no regions: lines, several points, and collections.
  private static let otherTypes: Set = ["MultiPoint", "LineString", "MultiLineString", "GeometryCollection"]
  static let types = otherTypes.union(["Point", "Polygon", "MultiPolygon"])

  /// Whether the type of the geometry is known to become no region.
  var isOtherShape: Bool { type.map { Self.otherTypes.contains($0) } ?? false }

  /// Adds the shapes of the geometry to `feature`.
  func add(to feature: inout RegionFeature, remarks: inout RegionFileSummary) {
    guard isPresent else { return }
    if let type, isOtherShape { return feature.add(.leftOut(.otherShape(type))) }
    let depth: Int? =
      switch type {
      case "Point": GeoJSONPositions.pointDepth
      case "Polygon": GeoJSONPositions.polygonDepth
      case "MultiPolygon": GeoJSONPositions.multiPolygonDepth
      case _: nil
      }
    guard let depth, let positions, !isUnreadable, !positions.isUnreadable else {
      return feature.add(.leftOut(.unreadable))
    }
    // A geometry without a position is empty, which is allowed.
    guard let found = positions.positionDepth else { return }
    guard found == depth else { return feature.add(.leftOut(.unreadable)) }
    remarks.holes += positions.holes
    for shape in positions.shapes { feature.add(shape) }
  }
}

/// Parses a geometry's `coordinates` (RFC 7946, section 3.1) of any type, because the type may follow them. It stores points and
/// outer rings.
struct GeoJSONPositions: Sendable {
  /// The number of nested lists around the numbers of a position, for each type.
  static let pointDepth = 1
  static let polygonDepth = 3
  static let multiPolygonDepth = 4

  /// The number of open lists.
  private var depth = 0
  /// The nesting depth of a position, its own list included, once there is one.
  private(set) var positionDepth: Int?
  private var longitude = 0.0
  private var latitude = 0.0
  private var numbers = 0
  private var ring = CornerList()
  /// The number of completed rings of the current polygon.
  private var rings = 0
  private(set) var holes = 0
  private(set) var isUnreadable = false
  private(set) var shapes: [RegionFeature.Shape] = []
  /// The number of corners in `shapes`.
  private var corners = 0

  mutating func listStart() {
    // A position contains numbers, and no list.
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
    // A height, and further values that some programs write after it.
    default: break
    }
    numbers += 1
  }

  /// A value other than a list or a number.
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
    // Positions of multi-points and lines, which become no regions.
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
    // `RegionFeature` rejects the shape that exceeds the limit, so the shapes after it need not be stored.
    guard corners <= RegionFeature.mostCorners else { return }
    if case .polygon(let more) = shape { corners += more.count } else { corners += 1 }
    shapes.append(shape)
  }
}

/// Collects the corners of one ring, no more than a region may have.
struct CornerList: Sendable {
  static let most = PolygonShape.possibleCorners.upperBound

  private(set) var corners: [Coordinate] = []
  private(set) var isTooLong = false

  /// - Parameters:
  ///   - latitude: degrees, of any size: the region checks the range.
  ///   - longitude: degrees. Maps that extend beyond the date line continue beyond ±180°, so one whole turn is removed.
  mutating func append(latitude: Double, longitude: Double) {
    // The first corner is repeated at the end.
    guard corners.count <= Self.most else {
      isTooLong = true
      corners = []
      return
    }
    guard !isTooLong else { return }
    let isOnceAround = longitude.magnitude > 180 && longitude.magnitude <= 540
    corners.append(
      Coordinate(
        latitude: Angle(degrees: latitude),
        longitude: Angle(degrees: isOnceAround ? longitude.remainder(dividingBy: 360) : longitude)))
  }

  /// Ends the ring.
  ///
  /// - Returns: `nil` if there were too many corners.
  mutating func take() -> [Coordinate]? {
    defer { self = CornerList() }
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    return isTooLong || corners.count > Self.most ? nil : corners
  }
}

/// The coordinate systems named in GeoJSON of 2008 that use degrees of WGS 84, or nearly so.
enum CoordinateSystem {
  /// The last part of names such as "urn:ogc:def:crs:OGC:1.3:CRS84" and "EPSG:4326".
  private static let codes: Set<Substring> = [
    "CRS84", "CRS84h", "4326", "4979",
    // ETRS89 and NAD83 differ from WGS 84 by a meter or two.
    "4258", "4269",
  ]

  static func isInDegrees(_ name: String) -> Bool {
    codes.contains(name.split { $0 == ":" || $0 == "/" || $0 == "#" }.last ?? "")
  }
}
