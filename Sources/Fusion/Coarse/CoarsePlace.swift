import Geodesy

/// The last position that was not of satellites.
struct CoarsePlace {
  /// Metres in the frame.
  var place: SIMD2<Double>
  /// 68 % radius, metres.
  var radius: Double
  /// On the estimator's axis of time.
  var seconds: Double

  /// Widens the sigma of a satellite fix that lies far from here, so that it is no evidence against the others.
  func bound(_ new: inout Measurement, _ tuning: Tuning) {
    let age = new.seconds - seconds
    guard age < tuning.coarseLifetime else { return }
    let reach = radius + max(0, age) * max(new.speed ?? 0, PositionFix.assumedSpeedMetersPerSecond)
    let distance = (new.place - place).length
    let limit = tuning.coarseRadii * (reach + new.sigma * RadiusModel.sigmasOfRadius68)
    if distance > limit { new.sigma = max(new.sigma, distance) }
  }
}
