import Geodesy

/// The height of a stream that jumps: a Kalman filter of the height alone, whose measurements are weighted like those of
/// `Node`. Roads climb, so it follows faster the faster it goes.
struct HeightTrack {
  /// Metres, their variance in m², and when, on the estimator's axis of time.
  private var belief: (height: Double, variance: Double, seconds: Double)?
  /// Whether the height is above the ellipsoid; it is of one surface only.
  private var isAboveEllipsoid = true

  /// Takes the heights of the next fix, and writes what is believed of them into `answer` where there is one.
  mutating func see(_ fix: PositionFix, seconds: Double, _ tuning: Tuning.Height, answer: inout PositionFix?) {
    guard let told = fix.heightAboveEllipsoid ?? fix.heightAboveMeanSeaLevel else { return }
    if isAboveEllipsoid != (fix.heightAboveEllipsoid != nil) {
      isAboveEllipsoid.toggle()
      belief = nil
    }
    let radius = fix.verticalRadius68?.value ?? tuning.assumedRadius
    let measured = radius * radius
    var (height, variance) = (told.value, measured)
    if let before = belief {
      let climb = tuning.slope * min(fix.speedMetersPerSecond ?? tuning.assumedSpeed, tuning.greatestSpeed)
      let predicted =
        before.variance + (tuning.wandering + climb * climb * tuning.slopeTime) * (seconds - before.seconds)
      let error = told.value - before.height
      let ν = tuning.freedom
      let weight = min(1, (ν + 1) / (ν + error * error / (predicted + measured)))
      let gain = predicted * weight / (predicted * weight + measured)
      height = before.height + gain * error
      variance = predicted * (1 - gain)
    }
    belief = (height, variance, seconds)
    guard answer != nil else { return }
    let change = Meters(height - told.value)
    answer?.heightAboveEllipsoid = fix.heightAboveEllipsoid.map { $0 + change }
    answer?.heightAboveMeanSeaLevel = fix.heightAboveMeanSeaLevel.map { $0 + change }
    let told68 = tuning.toldShare * radius
    answer?.verticalRadius68 = Meters((tuning.ownVarianceShare * variance + told68 * told68).squareRoot())
  }
}
