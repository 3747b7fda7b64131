/// What an epoch says of the satellites.
package struct SkySummary: Hashable, Sendable {
  /// Satellites that the receiver listed; `nil` where it lists none.
  package var inView: Int?
  /// Satellites of those that it hears (C/N0 above zero).
  package var heard: Int?
  /// Satellites in the solution.
  package var used: Int?

  /// Nothing said.
  package init(inView: Int? = nil, heard: Int? = nil, used: Int? = nil) {
    self.inView = inView
    self.heard = heard
    self.used = used
  }
}
