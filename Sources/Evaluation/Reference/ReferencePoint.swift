package import Geodesy

/// Where something truly was, by the word of a better instrument.
package struct ReferencePoint: Hashable, Sendable {
  /// When it was there.
  package let time: GNSSTime
  /// Where.
  package let coordinate: Coordinate

  package init(time: GNSSTime, coordinate: Coordinate) {
    self.time = time
    self.coordinate = coordinate
  }
}
