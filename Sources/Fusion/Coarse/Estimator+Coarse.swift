import Geodesy

extension Estimator {
  /// Handles a position from Wi-Fi or cells: it becomes the estimate unless a track is more accurate.
  mutating func handleCoarse(_ fix: PositionFix, at now: Instant) -> Estimate {
    let alone = Estimate(causal: fix, basis: .coarse, lagged: nil)
    // Once there is a frame, only satellite fixes move it.
    let axes = LocalAxes(at: fix.coordinate)
    let frame = self.frame ?? frame(around: fix.coordinate, axes)
    guard frame.distance(to: axes) < tuning.greatestJump else { return alone }
    let place = frame.offset(of: axes)
    let seconds = sequence.seconds(at: now)
    let new = LastCoarsePosition(
      place: place, radius: fix.horizontalRadius68.value, seconds: seconds,
      isConfirmed: coarse.map {
        $0.agrees(
          with: place, radius: fix.horizontalRadius68.value, at: seconds, speed: last?.state.velocity.length ?? 0)
      } ?? true)
    coarse = new
    guard let last, seconds - last.seconds < tuning.satelliteLifetime, var coasted = estimate(at: now) else {
      return alone
    }
    if seconds - last.seconds <= tuning.coarse.greatestExtrapolation {
      let satellites = last.state.place + last.state.velocity * (seconds - last.seconds)
      bias.add(new, satellites: (satellites, last.radius), tuning.coarse)
    }
    let distance = (frame.offset(of: LocalAxes(at: coasted.coordinate)) - place).length
    let isBetter = coasted.horizontalRadius68 < fix.horizontalRadius68
    let isPossible =
      distance < tuning.coarseRadii * (coasted.horizontalRadius68.value + fix.horizontalRadius68.value)
    guard isBetter, isPossible else { return alone }
    coasted.time = fix.time
    coasted.timeValidity = fix.timeValidity
    return Estimate(causal: coasted, basis: .coasted, lagged: nil)
  }
}

/// The last position that did not come from satellites.
struct LastCoarsePosition {
  /// Meters in the frame.
  var place: SIMD2<Double>
  /// 68 % radius, meters.
  var radius: Double
  /// On the estimator's time axis.
  var seconds: Double
  /// Whether the machine can have come from the previous coarse position to this one; also true for the first position.
  /// If it cannot, some access points of one of the two positions have moved.
  var isConfirmed: Bool

  /// Whether the machine can be at another place with this radius some time later.
  func agrees(with other: SIMD2<Double>, radius otherRadius: Double, at later: Double, speed: Double) -> Bool {
    let way = max(speed, PositionFix.assumedSpeedMetersPerSecond) * max(0, later - seconds)
    let radii = (radius * radius + otherRadius * otherRadius).squareRoot()
    return (other - place).length < Self.greatestRadii * radii + way
  }

  /// The greatest distance, in units of the two radii combined; 1 in 100 correct positions is farther away.
  private static let greatestRadii = 2.0

  /// Widens the sigma of a satellite fix that lies far from this coarse position, so that the fix does not count as
  /// evidence against other fixes.
  func bound(_ new: inout Measurement, _ tuning: Tuning) {
    let age = new.seconds - seconds
    guard isConfirmed, age < tuning.coarseLifetime else { return }
    let reach = radius + max(0, age) * max(new.speed ?? 0, PositionFix.assumedSpeedMetersPerSecond)
    let distance = (new.place - place).length
    let limit = tuning.coarseRadii * (reach + new.sigma * RadiusModel.sigmasOfRadius68)
    if distance > limit { new.sigma = max(new.sigma, distance) }
  }
}
