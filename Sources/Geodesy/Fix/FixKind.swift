/// What kind of solution a fix is, from weak to strong.
package enum FixKind: UInt8, Hashable, Sendable {
  /// Dead reckoning, or any position that no satellites of this epoch stand behind.
  case estimated
  /// Satellites, height held.
  case twoDimensional
  /// Satellites, height solved.
  case threeDimensional
  /// With differential corrections (SBAS, DGNSS).
  case differential
  /// Carrier phase, ambiguities not fixed.
  case rtkFloat
  /// Carrier phase, ambiguities fixed.
  case rtkFixed

  /// Whether a height may be told with it.
  package var hasHeight: Bool { self != .twoDimensional }
}
