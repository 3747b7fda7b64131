/// What a region is a region of.
enum RegionKind: Hashable, Sendable {
  /// A circle.
  case circle
  /// The surroundings of beacons.
  case beacon
  /// Nothing that this module knows.
  case other
}
