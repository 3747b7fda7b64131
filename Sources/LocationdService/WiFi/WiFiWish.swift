/// What the service requires of the radio while a position is requested. It always uses other programs' scans, because they cost
/// nothing.
package struct WiFiWish: Hashable, Sendable {
  /// How often to scan if no other program does; `nil`: not at all.
  package var period: Duration?
  /// How often to scan only to learn access points, while the radio is connected to no network; `nil`: not at all.
  package var learningPeriod: Duration?

  package init(period: Duration?, learningPeriod: Duration? = nil) {
    (self.period, self.learningPeriod) = (period, learningPeriod)
  }
}
