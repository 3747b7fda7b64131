import Geodesy

/// How far the places of a stream scatter about where their velocities lead: the only sign of a receiver's errors where it reports
/// no accuracy.
///
/// A smooth stream may still be off: a filter's errors wander slowly, and nothing in the stream shows them. So the first seconds
/// count as evidence of nothing.
struct StreamNoise {
  /// Running mean of the squared surprises (`InputJudge`), m².
  private var variance = 0.0
  /// The last surprise, metres; 0 where the last step had none.
  private var newest = 0.0
  private var count = 0.0
  /// Time that was observed, seconds.
  private var seconds = 0.0

  /// Takes a surprise in metres and the time since the position before, seconds.
  mutating func add(_ surprise: Double, after dt: Double, _ tuning: Tuning.Radius) {
    newest = min(surprise, tuning.greatestNoise)
    count += 1
    seconds += dt
    // A plain mean until there is as much of it as the memory is long.
    let share = min(1, max(dt / tuning.noiseTime, 1 / (count + 1)))
    variance += (newest * newest - variance) * share
  }

  /// A step of which nothing can be said.
  mutating func skip() { newest = 0 }

  /// Metres, of late.
  func meters(_ tuning: Tuning.Radius) -> Double {
    max(variance.squareRoot(), tuning.newestNoiseShare * newest)
  }

  /// How much of the assumption made without any evidence is left, 1…0.
  func doubt(_ tuning: Tuning.Radius) -> Double { max(0, 1 - seconds / tuning.settlingTime) }
}
