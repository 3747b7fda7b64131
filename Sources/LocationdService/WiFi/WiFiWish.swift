/// What is wanted of the radio while somebody wants to know where the machine is: other programs' scans always, as they cost
/// nothing.
package struct WiFiWish: Hashable, Sendable {
  /// How often to scan where nobody else does; `nil`: not at all.
  package var period: Duration?
  /// How often to scan only to learn what is around, where the radio is on no network; `nil`: not at all.
  package var learningPeriod: Duration?

  package init(period: Duration?, learningPeriod: Duration? = nil) {
    (self.period, self.learningPeriod) = (period, learningPeriod)
  }
}
