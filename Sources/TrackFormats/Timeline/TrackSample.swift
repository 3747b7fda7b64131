package import Geodesy

/// Where something was at one time: what is left of a fix when only its track counts.
package struct TrackSample: Hashable, Sendable {
  package var time: GNSSTime
  package var coordinate: Coordinate
  /// By the receiver's word, or else by the geoid.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % radius, where it is known.
  package var horizontalRadius68: Meters?

  package init(
    time: GNSSTime, coordinate: Coordinate, heightAboveMeanSeaLevel: Meters? = nil, horizontalRadius68: Meters? = nil
  ) {
    self.time = time
    self.coordinate = coordinate
    self.heightAboveMeanSeaLevel = heightAboveMeanSeaLevel
    self.horizontalRadius68 = horizontalRadius68
  }

  /// What a recorded fix says.
  package init(_ fix: PositionFix) {
    self.init(
      time: fix.time, coordinate: fix.coordinate,
      heightAboveMeanSeaLevel: FixHeights(fix).aboveMeanSeaLevel.map { Meters($0) },
      horizontalRadius68: fix.horizontalRadius68)
  }
}
