/// A GeoJSON geometry (RFC 7946, section 3.1) while it is read.
struct GeoJSONGeometry: Sendable {
  /// Its `type`.
  var type: String?
  var positions: GeoJSONPositions?
  /// Whether it is there, and not `null`.
  var isPresent = false
  /// Whether its members are not of the right kind.
  var isUnreadable = false

  /// Those that are lines, or in a collection.
  private static let otherTypes: Set = ["MultiPoint", "LineString", "MultiLineString", "GeometryCollection"]
  static let types = otherTypes.union(["Point", "Polygon", "MultiPolygon"])

  /// Whether it is known that its positions are of no use.
  var isOtherShape: Bool { type.map { Self.otherTypes.contains($0) } ?? false }

  /// Adds what it is made of.
  func add(to feature: inout RegionFeature, remarks: inout RegionRemarks) {
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
    // Without a position it is empty, which is allowed.
    guard let found = positions.positionDepth else { return }
    guard found == depth else { return feature.add(.leftOut(.unreadable)) }
    remarks.holes += positions.holes
    for shape in positions.shapes { feature.add(shape) }
  }
}
