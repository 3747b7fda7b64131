package import Geodesy

/// Recognizes a position that no receiver on sale can have: faster than any vehicle, a jump, or a series of positions that
/// contradicts the receiver's own speed.
///
/// After a single jump the new position is implausible until it is accepted. If the receiver returns to the position before the
/// jump, that position is accepted at once. If contradictions continue, no position is accepted: of two alternating positions
/// neither is better, and positions that move away from the Doppler speed are false.
package struct PlausibilityCheck: Sendable {
  /// Faster than aircraft fly, in m/s; receivers on sale stop at 515 m/s (1000 kn), the former CoCom limit.
  package static let fastestMetersPerSecond = 600.0
  /// Consecutive jumps, the last of which is accepted: the position before them was wrong.
  package static let jumpsToBelieve = 3
  /// Three contradictions within this time make every position implausible.
  package static let memory: Duration = .seconds(15)
  /// Margin by which positions may move faster than the reported speed, which is smoothed and late, in addition to their radii.
  package static let speedMarginMetersPerSecond = 50.0

  private struct Place: Sendable {
    var coordinate: Coordinate
    var time: GNSSTime
    var radius68: Meters
    var speed: Double?
  }

  private var last: Place?
  /// The position at the last comparison of speeds.
  private var compared: Place?
  private var rejectedInARow = 0
  /// The last position that was rejected.
  private var rejected: Place?
  /// The last position before the jump to the presently accepted position.
  private var beforeJump: Place?
  /// Times of the latest contradictions, newest first.
  private var contradictions: (GNSSTime?, GNSSTime?, GNSSTime?)

  /// A check that has received nothing yet.
  package init() {}

  /// Whether two positions are more than this many meters apart. The largest radii of the ellipsoid, along a meridian
  /// (6,399,594 m, at the poles) and along a parallel (6,378,137 m, at the equator), give an upper bound of the geodesic.
  /// Nearly always this bound decides, at a hundredth of the cost.
  private static func isFarther(_ a: Coordinate, from b: Coordinate, than meters: Double) -> Bool {
    let (north, east) = (a.latitude.radians - b.latitude.radians, a.longitude.radians - b.longitude.radians)
    guard (north.magnitude + east.magnitude) * 6_399_600 > meters else { return false }
    return Geodesic.inverse(from: b, to: a).distance.value > meters
  }

  /// Handles the next epoch's position; `true`: it is implausible.
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
    /// Too far from the last accepted position.
    case jump(isFirst: Bool)
    /// Back from several epochs at another position. An excursion counts as two contradictions however long it lasts: so a
    /// single one leaves no doubt behind, and a second one does.
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
    // A position that stays at the target of a jump does not become plausible because time has passed.
    guard let rejected else { return false }
    let distance = Geodesic.inverse(from: previous.coordinate, to: place.coordinate).distance.value
    return !Self.isFarther(place.coordinate, from: rejected.coordinate, than: distance)
  }

  /// Whether the position is no farther from the one before the jump than the reported speed permits.
  private func isReturn(to before: Place, _ place: Place) -> Bool {
    let seconds = (place.time - before.time).inSeconds
    guard seconds <= Self.longestExcursionSeconds else { return false }
    return !Self.isFarther(place.coordinate, from: before.coordinate, than: reach(from: before, to: place, seconds))
  }

  /// The largest distance between two positions that the reported speeds permit, meters.
  private func reach(from before: Place, to place: Place, _ seconds: Double) -> Double {
    seconds * (1.5 * max(place.speed ?? 0, before.speed ?? 0) + Self.speedMarginMetersPerSecond)
      + 3 * (place.radius68.value + before.radius68.value)
  }

  /// After a longer excursion, in seconds, a vehicle may be anywhere.
  private static let longestExcursionSeconds = 60.0

  /// In seconds. Shorter steps are noise at any speed; within longer ones the speed is unknown.
  private static let comparedSteps: ClosedRange<Double> = 0.9...5

  /// Compares over at least a second, so that the margin means the same at any rate.
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
    // After a clock was set back, old contradictions must not remain until their time comes again.
    guard time >= oldest else {
      contradictions = (nil, nil, nil)
      return false
    }
    return time - oldest <= Self.memory
  }
}
