import Geodesy

/// The height of a stream that jumps: a Kalman filter of the height alone, whose measurements are weighted like those of
/// `Keyframe`. Roads climb, so it follows more quickly at a higher speed.
struct HeightTrack {
  /// The estimated heights of one fix.
  struct Answer {
    /// The change to the reported heights.
    var change: Meters
    var radius68: Meters

    /// Applies the estimate to the fix.
    func write(to fix: inout PositionFix) {
      fix.heightAboveEllipsoid = fix.heightAboveEllipsoid.map { $0 + change }
      fix.heightAboveMeanSeaLevel = fix.heightAboveMeanSeaLevel.map { $0 + change }
      fix.verticalRadius68 = radius68
    }
  }

  /// Height in meters, its variance in m², and the time on the estimator's time axis.
  private var state: (height: Double, variance: Double, seconds: Double)?
  /// Whether the height is above the ellipsoid; the estimate refers to one surface only.
  private var isAboveEllipsoid = true

  /// Handles the heights of the next fix and returns their estimate; `nil`: the fix has none.
  mutating func update(_ fix: PositionFix, seconds: Double, _ tuning: Tuning.Height) -> Answer? {
    guard let reported = fix.heightAboveEllipsoid ?? fix.heightAboveMeanSeaLevel else { return nil }
    if isAboveEllipsoid != (fix.heightAboveEllipsoid != nil) {
      isAboveEllipsoid.toggle()
      state = nil
    }
    let radius = fix.verticalRadius68?.value ?? tuning.assumedRadius
    let measured = radius * radius
    var (height, variance) = (reported.value, measured)
    if let before = state {
      let climb = tuning.slope * min(fix.speedMetersPerSecond ?? tuning.assumedSpeed, tuning.greatestSpeed)
      let predicted =
        before.variance + (tuning.wandering + climb * climb * tuning.slopeTime) * (seconds - before.seconds)
      let error = reported.value - before.height
      let ν = tuning.freedom
      let weight = min(1, (ν + 1) / (ν + error * error / (predicted + measured)))
      let gain = predicted * weight / (predicted * weight + measured)
      height = before.height + gain * error
      variance = predicted * (1 - gain)
    }
    state = (height, variance, seconds)
    let told68 = tuning.reportedShare * radius
    return Answer(
      change: Meters(height - reported.value),
      radius68: Meters((tuning.ownVarianceShare * variance + told68 * told68).squareRoot()))
  }
}
