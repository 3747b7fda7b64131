/// What is wanted of the radio while somebody wants to know where the machine is: other programs' scans always, as they cost
/// nothing.
package struct WiFiWish: Hashable, Sendable {
  /// How often to scan where nobody else does; `nil`: not at all.
  package var period: Duration?

  package init(period: Duration?) { self.period = period }
}
