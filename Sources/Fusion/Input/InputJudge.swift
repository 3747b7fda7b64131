/// Tells positions that a receiver has filtered from such that it has not.
///
/// What a step of the track did that its velocities do not explain is a surprise: eₖ = pₖ − pₖ₋₁ − (vₖ + vₖ₋₁) Δt / 2. White
/// noise of variance r in the positions makes one surprise take back the one before: the covariance of neighbours is −r, half
/// their variance. A filter's errors wander instead (covariance 0), a velocity that comes late and a filter's answer to an
/// outlier go on for some steps (> 0). So −covariance is the noise that can be taken out, and its share of the variance
/// says whether it is noise at all (Mehra, IEEE Transactions on Automatic Control 15, 1970: a filter is told by the
/// whiteness of its innovations). Without velocities differences of differences stand in, in which noise counts four times.
struct InputJudge {
  /// Whether the stream jumps to and fro so much that filtering it pays.
  private(set) var isUnfiltered = false
  /// Running means over the last epochs, of both axes together, m².
  private var variance = 0.0
  private var covariance = 0.0
  /// Usual time between epochs, seconds.
  private var interval = 1.0

  /// How far places scatter of late, as the radius wants it.
  private(set) var noise = StreamNoise()

  private var last: (seconds: Double, place: SIMD2<Double>, velocity: SIMD2<Double>?)?
  /// The last step: metres, and seconds.
  private var step: (way: SIMD2<Double>, seconds: Double)?
  private var surprise: SIMD2<Double>?

  /// Takes the next position.
  mutating func add(_ new: Measurement, _ tuning: Tuning) {
    defer { last = (new.seconds, new.place, new.velocity) }
    guard let last else { return }
    let dt = new.seconds - last.seconds
    let longest = tuning.gap * max(1, interval)
    interval += (min(dt, longest) - interval) * tuning.intervalShare
    guard dt <= longest else {
      // Over a gap too much can have happened.
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
    // Between epochs further apart more can happen: the integral of white acceleration grows with the power 3/2.
    let least = tuning.leastNoise * max(1, interval * interval.squareRoot())
    isUnfiltered =
      isUnfiltered
      ? -covariance > tuning.noiseToStay * least && -covariance > tuning.ratioToStay * variance
      : -covariance > least && -covariance > tuning.ratioToBegin * variance
  }

  /// What comes next has nothing to do with what came last; what is known of the receiver stays.
  mutating func interrupt() {
    last = nil
    step = nil
    surprise = nil
  }

  /// The velocity of the last position was wrong.
  mutating func forgetLastVelocity() { last?.velocity = nil }

  /// Moves what is remembered to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let last { self.last = (last.seconds, new.carry(last.place, from: old), last.velocity) }
  }
}
