import Geodesy

/// The last position that was not of satellites.
struct CoarsePlace {
  var place: SIMD2<Double>
  var radius: Double
  var seconds: Double

  mutating func move(from old: TangentFrame, to new: TangentFrame) { place = new.carry(place, from: old) }
}

extension Estimator {
  mutating func handleCoarse(_ fix: PositionFix, at now: Instant) -> Estimate? {
    nil
  }

  /// Widens the sigma of a satellite fix that lies far from where Wi-Fi or cells place it.
  func doubt(_ new: inout Measurement) {
    guard let coarse else { return }
    let age = new.seconds - coarse.seconds
    guard age < tuning.coarseLifetime else { return }
    let radius = coarse.radius + age * max(new.speed ?? 0, PositionFix.assumedSpeedMetersPerSecond)
    let distance = (new.place - coarse.place).length
    let bound = tuning.coarseRadii * (radius + new.sigma)
    if distance > bound { new.sigma = max(new.sigma, distance) }
  }
}
