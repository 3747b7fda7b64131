/// Detects whether a receiver has filtered its positions.
///
/// The part of a step that the velocities do not explain is a residual ("surprise"): eₖ = pₖ − pₖ₋₁ − (vₖ + vₖ₋₁) Δt / 2. With
/// white noise of variance r in the positions, each residual takes back a part of the previous one: the covariance of neighbors
/// is −r, half their variance. A filter's errors wander instead (covariance 0); a late velocity, and a filter's response to an
/// outlier, continue for some steps (> 0). So −covariance is the noise that filtering can remove, and its share of the variance
/// shows whether it is noise at all (Mehra, IEEE Transactions on Automatic Control 15, 1970: the whiteness of its innovations
/// shows whether a filter is optimal). Without velocities, differences of differences are used instead, in which noise counts
/// four times.
struct FilteredInputDetector {
  /// Whether the stream jumps back and forth so much that filtering is worthwhile.
  private(set) var isUnfiltered = false
  /// Running means over the last epochs, for both axes together, m².
  private var variance = 0.0
  private var covariance = 0.0
  /// Usual time between epochs, seconds.
  private var interval = 1.0

  /// The recent scatter of positions, for the radius.
  private(set) var noise = StreamNoise()

  private var last: (seconds: Double, place: SIMD2<Double>, velocity: SIMD2<Double>?)?
  /// The last step: meters and seconds.
  private var step: (way: SIMD2<Double>, seconds: Double)?
  private var surprise: SIMD2<Double>?

  /// Handles the next position.
  mutating func add(_ new: Measurement, _ tuning: Tuning) {
    defer { last = (new.seconds, new.place, new.velocity) }
    guard let last else { return }
    let dt = new.seconds - last.seconds
    let longest = tuning.gap * max(1, interval)
    interval += (min(dt, longest) - interval) * tuning.intervalShare
    guard dt <= longest else {
      // During a gap the motion may have changed too much.
      surprise = nil
      step = nil
      noise.skip()
      return
    }
    let way = new.place - last.place
    let lastStep = step
    step = (way, dt)
    if let velocity = new.velocity, let lastVelocity = last.velocity {
      add(way - (velocity + lastVelocity) * (dt / 2), after: dt, greatest: tuning.greatestSurprise, tuning)
    } else if let lastStep {
      let surprise = (way - lastStep.way * (dt / lastStep.seconds)) * 0.5
      add(surprise, after: dt, greatest: tuning.greatestBareSurprise, tuning)
    }
  }

  private mutating func add(_ new: SIMD2<Double>, after dt: Double, greatest: Double, _ tuning: Tuning) {
    let length = new.length
    noise.add(length, after: dt, tuning.radius)
    let limit = greatest * max(1, interval)
    let limited = length > limit ? new * (limit / length) : new
    defer { surprise = limited }
    guard let surprise else { return }
    variance += (limited.squaredLength - variance) * tuning.judgeShare
    covariance += ((limited * surprise).sum() - covariance) * tuning.judgeShare
    // More motion is possible between epochs further apart: the integral of white acceleration grows with the power 3/2.
    let least = tuning.leastNoise * max(1, interval * interval.squareRoot())
    isUnfiltered =
      isUnfiltered
      ? -covariance > tuning.noiseToStay * least && -covariance > tuning.ratioToStay * variance
      : -covariance > least && -covariance > tuning.ratioToBegin * variance
  }

  /// The next position is unrelated to the last one; what is known of the receiver is kept.
  mutating func interrupt() {
    last = nil
    step = nil
    surprise = nil
  }

  /// Removes the velocity of the last position, which was wrong.
  mutating func forgetLastVelocity() { last?.velocity = nil }

  /// Converts the stored positions to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let last { self.last = (last.seconds, new.carry(last.place, from: old), last.velocity) }
  }
}
