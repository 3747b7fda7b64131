package import Geodesy
package import TrackFormats

/// A place of a sorted list, and its relation to the origin.
package struct SortedPlace: Sendable {
  package let place: NamedPlace
  package let relation: PlaceRelation

  package init(_ place: NamedPlace, from origin: Coordinate, _ located: LocatedFix?) {
    self.place = place
    relation = PlaceRelation(from: origin, to: place.coordinate, origin: located)
  }
}

/// The keys of `sort`, in output order; keys are only ever added.
package enum PlaceKey: String, CaseIterable, TemplateKey {
  case name, latitude, longitude, distance, bearing, compassPoint, accuracy

  package func value(of sorted: SortedPlace) -> OutputValue? {
    switch self {
    case .name: .text(sorted.place.name)
    case .latitude: RelationKey.toLatitude.value(of: sorted.relation)
    case .longitude: RelationKey.toLongitude.value(of: sorted.relation)
    case .distance: RelationKey.distance.value(of: sorted.relation)
    case .bearing: RelationKey.bearing.value(of: sorted.relation)
    case .compassPoint: RelationKey.compassPoint.value(of: sorted.relation)
    case .accuracy: RelationKey.accuracy.value(of: sorted.relation)
    }
  }

  /// The place as a line of JSON.
  static func line(_ sorted: SortedPlace) -> [UInt8] {
    var object = JSONObject()
    for key in allCases { object.add(key.rawValue, key.value(of: sorted)) }
    return object.line
  }
}
