package import Geodesy

/// Recognizes a position that no receiver on sale can have: faster than any vehicle, a jump, or a course of positions that the
/// receiver's own speed contradicts.
///
/// A single jump marks the new place until it is believed. A receiver that goes on contradicting itself is believed nowhere:
/// of two places in turn neither is the better one, and a place that runs away from its Doppler speed is made up.
package struct PlausibilityCheck: Sendable {
  /// Faster than aircraft fly; receivers on sale stop at 515 m/s (1000 kn), the former CoCom limit.
  package static let fastestMetersPerSecond = 600.0
  /// After so many jumps in a row the new place is believed: the first one was wrong.
  package static let jumpsToBelieve = 3
  /// So many contradictions within this time make every position implausible.
  package static let contradictionsToDoubt = 3
  package static let memory: Duration = .seconds(15)
  /// Positions may run so much faster than the told speed, which is smoothed and comes late, beside their radii.
  package static let speedMarginMetersPerSecond = 50.0

  private struct Place: Sendable {
    var coordinate: Coordinate
    var time: GNSSTime
    var radius68: Meters
    var speed: Double?
  }

  private var last: Place?
  /// Where the speed was compared last.
  private var compared: Place?
  private var rejectedInARow = 0
  /// When the latest contradictions were, newest first.
  private var contradictions: (GNSSTime?, GNSSTime?, GNSSTime?)

  /// A check that has seen nothing.
  package init() {}

  /// Whether two places are more than so many meters apart. Along a meridian and the equator, whose radii of curvature
  /// (6,399,594 m, 6,378,137 m) no others on the ellipsoid exceed, the way is at least as long as the geodesic: nearly always
  /// that is enough to know, at a hundredth of the cost.
  private static func isFarther(_ a: Coordinate, from b: Coordinate, than meters: Double) -> Bool {
    let (north, east) = (a.latitude.radians - b.latitude.radians, a.longitude.radians - b.longitude.radians)
    guard (north.magnitude + east.magnitude) * 6_399_600 > meters else { return false }
    return Geodesic.inverse(from: b, to: a).distance.value > meters
  }

  /// Takes the next epoch's position; `true`: it cannot be.
  package mutating func isImplausible(
    _ coordinate: Coordinate, at time: GNSSTime, radius68: Meters, speedMetersPerSecond: Double?
  ) -> Bool {
    if let speedMetersPerSecond, speedMetersPerSecond > Self.fastestMetersPerSecond { return true }
    let place = Place(coordinate: coordinate, time: time, radius68: radius68, speed: speedMetersPerSecond)
    let isJump = isJump(to: place)
    // A jump is one contradiction, not another one when it jumps back.
    let contradictsSpeed = !isJump && contradictsSpeed(place)
    if isJump || contradictsSpeed { contradictions = (time, contradictions.0, contradictions.1) }
    return isJump || isInDoubt(at: time)
  }

  private mutating func isJump(to place: Place) -> Bool {
    guard let previous = last, place.time > previous.time else {
      last = place
      return false
    }
    let seconds = (place.time - previous.time).inSeconds
    let possible = seconds * Self.fastestMetersPerSecond + 3 * (place.radius68.value + previous.radius68.value)
    guard Self.isFarther(place.coordinate, from: previous.coordinate, than: possible) else {
      rejectedInARow = 0
      last = place
      return false
    }
    rejectedInARow += 1
    guard rejectedInARow >= Self.jumpsToBelieve else { return true }
    rejectedInARow = 0
    last = place
    compared = nil
    return false
  }

  /// Shorter steps are noise at any speed; after longer ones nobody knows what speeds lay between.
  private static let comparedSteps: ClosedRange<Double> = 0.9...5

  /// Compared over a second at least, so that the margin means the same at any rate.
  private mutating func contradictsSpeed(_ place: Place) -> Bool {
    guard let speed = place.speed else {
      compared = nil
      return false
    }
    guard let previous = compared, let before = previous.speed else {
      compared = place
      return false
    }
    let seconds = (place.time - previous.time).inSeconds
    guard seconds < 0 || seconds >= Self.comparedSteps.lowerBound else { return false }
    compared = place
    guard Self.comparedSteps.contains(seconds) else { return false }
    let possible =
      seconds * (1.5 * max(speed, before) + Self.speedMarginMetersPerSecond)
      + 3 * (place.radius68.value + previous.radius68.value)
    return Self.isFarther(place.coordinate, from: previous.coordinate, than: possible)
  }

  private mutating func isInDoubt(at time: GNSSTime) -> Bool {
    guard let oldest = contradictions.2 else { return false }
    // A clock that was set back leaves no doubt behind that would last until the old time comes again.
    guard time >= oldest else {
      contradictions = (nil, nil, nil)
      return false
    }
    return time - oldest <= Self.memory
  }
}
