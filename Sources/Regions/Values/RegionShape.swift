package import Geodesy

/// The border of a region.
package enum RegionShape: Hashable, Sendable {
  case circle(CircleShape)
  case polygon(PolygonShape)

  /// Whether a place lies in it, over the ellipsoid: the truth, and slow.
  package func contains(_ place: Coordinate) -> Bool {
    switch self {
    case .circle(let circle): circle.contains(place)
    case .polygon(let polygon): polygon.contains(place)
    }
  }
}
