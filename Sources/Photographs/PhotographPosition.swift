package import Geodesy

/// What is written into a photograph.
package struct PhotographPosition: Hashable, Sendable {
  /// When it was taken, UTC.
  package var time: GNSSTime
  /// WGS 84.
  package var coordinate: Coordinate
  /// Height above mean sea level, which is what EXIF's altitude means.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % radius.
  package var horizontalRadius68: Meters?

  package init(
    time: GNSSTime, coordinate: Coordinate, heightAboveMeanSeaLevel: Meters? = nil, horizontalRadius68: Meters? = nil
  ) {
    self.time = time
    self.coordinate = coordinate
    self.heightAboveMeanSeaLevel = heightAboveMeanSeaLevel
    self.horizontalRadius68 = horizontalRadius68
  }
}
