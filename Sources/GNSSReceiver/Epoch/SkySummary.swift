/// What an epoch says of the satellites.
package struct SkySummary: Hashable, Sendable {
  /// Satellites that the receiver listed; `nil` where it lists none.
  package var inView: Int?
  /// Satellites of those that it hears (C/N0 above zero).
  package var heard: Int?
  /// Satellites in the solution.
  package var used: Int?
  /// Dilutions of precision, above zero and below 99, horizontal, vertical and of position; `nil`: not told, or no solution.
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?

  /// Nothing said.
  package init(inView: Int? = nil, heard: Int? = nil, used: Int? = nil) {
    self.inView = inView
    self.heard = heard
    self.used = used
  }
}
