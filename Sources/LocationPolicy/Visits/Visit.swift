package import Geodesy

/// A stay at a place that nobody has named (Documentation/Behavior.md, "Visits").
package struct Visit: Hashable, Sendable {
  /// Where, WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around it, > 0.
  package var horizontalRadius68: Meters
  /// When it began; `nil`: nobody was looking, or allowed to, when it did.
  package var arrival: GNSSTime?
  /// When it ended; `nil`: it has not, or nobody was looking, or allowed to, when it did.
  package var departure: GNSSTime?
  /// Whether it is over; always true with a known departure.
  package var hasEnded: Bool

  package init(
    coordinate: Coordinate, horizontalRadius68: Meters, arrival: GNSSTime?, departure: GNSSTime? = nil,
    hasEnded: Bool = false
  ) {
    self.coordinate = coordinate
    self.horizontalRadius68 = horizontalRadius68
    self.arrival = arrival
    self.departure = departure
    self.hasEnded = hasEnded || departure != nil
  }
}
