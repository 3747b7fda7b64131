package import Geodesy
package import Regions
package import TrackFormats

/// The relation of one position to another: the length and the direction of the shortest path.
package struct PlaceRelation: Hashable, Sendable {
  package let from: Coordinate
  package let to: Coordinate
  /// The shortest path over the ellipsoid.
  package let way: Geodesic.Inverse
  /// The region that was named as the target, and where `from` is relative to its border.
  package let region: TargetRegion?
  /// The fix that `from` is taken from; `nil` if the user gave `from`.
  package let origin: LocatedFix?

  /// The region at the end of the path.
  package struct TargetRegion: Hashable, Sendable {
    package let name: String
    package let border: BorderPosition
  }

  /// - Parameter region: the region whose middle is `to`.
  package init(from: Coordinate, to: Coordinate, region: Region? = nil, origin: LocatedFix? = nil) {
    self.from = from
    self.to = to
    self.origin = origin
    way = Geodesic.inverse(from: from, to: to)
    self.region = region.map { TargetRegion(name: $0.identifier, border: $0.shape.border(from: from)) }
  }

  /// The direction at the beginning of the path; `nil` if the positions are the same.
  package var bearing: Angle? { way.distance.value > 0 ? way.initialCourse : nil }
}

/// The keys of `distance` and `bearing`, in output order; keys are only ever added.
package enum RelationKey: String, CaseIterable, TemplateKey {
  case distance, bearing, compassPoint, accuracy, fromLatitude, fromLongitude, toLatitude, toLongitude
  case region, inside, borderDistance, timestamp, age, cached, accuracyMet, suspect, simulated

  package func value(of relation: PlaceRelation) -> OutputValue? {
    switch self {
    case .distance: .meters(relation.way.distance.value)
    case .bearing: relation.bearing.flatMap { FixedDecimal(direction: $0.degrees, decimals: 2) }.map { .number($0) }
    case .compassPoint: .text(relation.bearing.map { CompassPoint($0).letters })
    case .accuracy: .meters(relation.origin?.fix.horizontalRadius68.value)
    case .fromLatitude: .number(relation.from.latitude.degrees, decimals: 9, minimum: 7)
    case .fromLongitude: .number(relation.from.longitude.degrees, decimals: 9, minimum: 7)
    case .toLatitude: .number(relation.to.latitude.degrees, decimals: 9, minimum: 7)
    case .toLongitude: .number(relation.to.longitude.degrees, decimals: 9, minimum: 7)
    case .region: .text(relation.region?.name)
    case .inside: relation.region.map { .flag($0.border.isInside) }
    case .borderDistance: .meters(relation.region?.border.distance.value)
    case .timestamp: relation.origin.flatMap { FixKey.timestamp.value(of: $0) }
    case .age: relation.origin.flatMap { FixKey.age.value(of: $0) }
    case .cached: relation.origin.flatMap { FixKey.cached.value(of: $0) }
    case .accuracyMet: relation.origin.flatMap { FixKey.accuracyMet.value(of: $0) }
    case .suspect: relation.origin.flatMap { FixKey.suspect.value(of: $0) }
    case .simulated: relation.origin.flatMap { FixKey.simulated.value(of: $0) }
    }
  }

  /// The relation as a line of JSON.
  static func line(_ relation: PlaceRelation) -> [UInt8] {
    var object = JSONObject()
    for key in allCases { object.add(key.rawValue, key.value(of: relation)) }
    return object.line
  }
}
