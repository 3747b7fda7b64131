import Geodesy

extension Estimator {
  /// Takes a position of Wi-Fi or cells: it is the answer where no track is known better.
  mutating func handleCoarse(_ fix: PositionFix, at now: Instant) -> Estimate {
    let seconds = sequence.seconds(at: now)
    let frame = frame(around: fix.coordinate)
    let place = frame.offset(of: fix.coordinate).offset
    coarse = CoarsePlace(place: place, radius: fix.horizontalRadius68.value, seconds: seconds)
    guard let last, seconds - last.seconds < tuning.satelliteLifetime, var coasted = estimate(at: now) else {
      return Estimate(causal: fix, basis: .coarse, lagged: nil)
    }
    let distance = (frame.offset(of: coasted.coordinate).offset - place).length
    let isBetter = coasted.horizontalRadius68 < fix.horizontalRadius68
    let isPossible =
      distance < tuning.coarseRadii * (coasted.horizontalRadius68.value + fix.horizontalRadius68.value)
    guard isBetter, isPossible else { return Estimate(causal: fix, basis: .coarse, lagged: nil) }
    coasted.time = fix.time
    coasted.timeValidity = fix.timeValidity
    return Estimate(causal: coasted, basis: .coasted, lagged: nil)
  }
}
