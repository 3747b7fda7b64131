package import Geodesy

/// Recognizes a position that no receiver on sale can have: faster than any vehicle, a jump, or a course of positions that the
/// receiver's own speed contradicts.
///
/// A single jump marks the new place until it is believed. Where the receiver returns to the place before the jump, it is believed
/// at once. A receiver that goes on contradicting itself is believed nowhere: of two places in turn neither is the better one,
/// and a place that runs away from its Doppler speed is made up.
package struct PlausibilityCheck: Sendable {
  /// Faster than aircraft fly; receivers on sale stop at 515 m/s (1000 kn), the former CoCom limit.
  package static let fastestMetersPerSecond = 600.0
  /// After so many jumps in a row the new place is believed: the first one was wrong.
  package static let jumpsToBelieve = 3
  /// Three contradictions within this time make every position implausible.
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
  /// The last place that was rejected.
  private var rejected: Place?
  /// The last place before the jump whose new place is believed now.
  private var beforeJump: Place?
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
    let step = judgeStep(to: place)
    let contradictsSpeed = step == .believed && contradictsSpeed(place)
    if step == .jump(isFirst: true) || step == .end || contradictsSpeed {
      contradictions = (time, contradictions.0, contradictions.1)
    }
    if case .jump = step { return true }
    return isInDoubt(at: time)
  }

  private enum Step: Equatable {
    case believed
    /// Too far from the last believed place.
    case jump(isFirst: Bool)
    /// Back from several epochs at another place. An excursion counts as two contradictions however long it lasts: so a single one
    /// leaves no doubt behind, and a second one does.
    case end
  }

  private mutating func judgeStep(to place: Place) -> Step {
    guard let previous = last, place.time > previous.time else {
      beforeJump = nil
      believe(place)
      return .believed
    }
    if !isJump(to: place, from: previous) {
      let isEnd = rejectedInARow > 1
      believe(place)
      return isEnd ? .end : .believed
    }
    if let before = beforeJump, isReturn(to: before, place) {
      (beforeJump, compared) = (nil, nil)
      believe(place)
      return .end
    }
    rejectedInARow += 1
    rejected = place
    guard rejectedInARow >= Self.jumpsToBelieve else { return .jump(isFirst: rejectedInARow == 1) }
    (beforeJump, compared) = (previous, nil)
    believe(place)
    return .believed
  }

  private mutating func believe(_ place: Place) {
    (last, rejected, rejectedInARow) = (place, nil, 0)
  }

  private func isJump(to place: Place, from previous: Place) -> Bool {
    let seconds = (place.time - previous.time).inSeconds
    let possible = seconds * Self.fastestMetersPerSecond + 3 * (place.radius68.value + previous.radius68.value)
    if Self.isFarther(place.coordinate, from: previous.coordinate, than: possible) { return true }
    // A place that stays where the jump led has not become possible because time has passed.
    guard let rejected else { return false }
    let distance = Geodesic.inverse(from: previous.coordinate, to: place.coordinate).distance.value
    return !Self.isFarther(place.coordinate, from: rejected.coordinate, than: distance)
  }

  /// Whether the place lies no farther from the one before the jump than the reported speed carries.
  private func isReturn(to before: Place, _ place: Place) -> Bool {
    let seconds = (place.time - before.time).inSeconds
    guard seconds <= Self.longestExcursionSeconds else { return false }
    return !Self.isFarther(place.coordinate, from: before.coordinate, than: reach(from: before, to: place, seconds))
  }

  /// How far apart two places may be by the reported speeds, meters.
  private func reach(from before: Place, to place: Place, _ seconds: Double) -> Double {
    seconds * (1.5 * max(place.speed ?? 0, before.speed ?? 0) + Self.speedMarginMetersPerSecond)
      + 3 * (place.radius68.value + before.radius68.value)
  }

  /// After longer excursions a vehicle may be anywhere.
  private static let longestExcursionSeconds = 60.0

  /// Shorter steps are noise at any speed; after longer ones nobody knows what speeds lay between.
  private static let comparedSteps: ClosedRange<Double> = 0.9...5

  /// Compared over a second at least, so that the margin means the same at any rate.
  private mutating func contradictsSpeed(_ place: Place) -> Bool {
    guard place.speed != nil else {
      compared = nil
      return false
    }
    guard let previous = compared else {
      compared = place
      return false
    }
    let seconds = (place.time - previous.time).inSeconds
    guard seconds < 0 || seconds >= Self.comparedSteps.lowerBound else { return false }
    compared = place
    guard Self.comparedSteps.contains(seconds) else { return false }
    return Self.isFarther(
      place.coordinate, from: previous.coordinate, than: reach(from: previous, to: place, seconds))
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
