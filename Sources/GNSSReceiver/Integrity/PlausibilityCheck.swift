package import Geodesy

/// Recognises a position that no receiver on sale can have: faster than any vehicle, or a jump.
package struct PlausibilityCheck: Sendable {
  /// Faster than aircraft fly; receivers on sale stop at 515 m/s (1000 kn), the former CoCom limit.
  package static let fastestMetersPerSecond = 600.0

  private var last: (coordinate: Coordinate, time: GNSSTime, radius68: Meters)?
  private var rejectedInARow = 0

  /// After so many in a row the new place is believed: the first one was wrong.
  package static let jumpsToBelieve = 3

  /// A check that has seen nothing.
  package init() {}

  /// Takes the next epoch's position; `true`: it cannot be.
  package mutating func isImplausible(
    _ coordinate: Coordinate, at time: GNSSTime, radius68: Meters, speedMetersPerSecond: Double?
  ) -> Bool {
    if let speedMetersPerSecond, speedMetersPerSecond > Self.fastestMetersPerSecond { return true }
    guard let previous = last, time > previous.time else {
      last = (coordinate, time, radius68)
      return false
    }
    let seconds = (time - previous.time).inSeconds
    let possible = seconds * Self.fastestMetersPerSecond + 3 * (radius68.value + previous.radius68.value)
    guard Geodesic.inverse(from: previous.coordinate, to: coordinate).distance.value > possible else {
      rejectedInARow = 0
      last = (coordinate, time, radius68)
      return false
    }
    rejectedInARow += 1
    guard rejectedInARow >= Self.jumpsToBelieve else { return true }
    rejectedInARow = 0
    last = (coordinate, time, radius68)
    return false
  }
}
