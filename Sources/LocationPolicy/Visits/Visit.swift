package import Geodesy

/// A stay at a place that nobody has named (spec/behaviour.md §9).
package struct Visit: Hashable, Sendable {
  /// Where, WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around it, > 0.
  package var horizontalRadius68: Meters
  /// When it began; `nil`: before anybody looked.
  package var arrival: GNSSTime?
  /// When it ended; `nil`: it has not.
  package var departure: GNSSTime?

  package init(coordinate: Coordinate, horizontalRadius68: Meters, arrival: GNSSTime?, departure: GNSSTime? = nil) {
    self.coordinate = coordinate
    self.horizontalRadius68 = horizontalRadius68
    self.arrival = arrival
    self.departure = departure
  }
}
