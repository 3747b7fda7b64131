/// How whoever carries the receiver moves, so that its filter expects what may come: u-blox `dynModel` (UBX-13003221,
/// section "Platform settings"), and the raw values of CFG-NAV5 and CFG-NAVSPG-DYNMODEL.
package enum DynamicModel: UInt8, Hashable, Sendable {
  /// Fits nearly everything: up to 310 m/s, medium jumps.
  case portable = 0
  /// On foot: up to 30 m/s.
  case pedestrian = 3
  /// Like a car: little vertical movement.
  case automotive = 4
  /// Zero vertical velocity, sea level; positions above 500 m fail its sanity check.
  case sea = 5
  /// Airborne, less than 1 g.
  case airborne = 6
}
