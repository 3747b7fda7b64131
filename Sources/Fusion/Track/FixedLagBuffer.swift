import Geodesy

/// Recent estimates that wait until they are old enough to be returned again, improved by later fixes.
struct FixedLagBuffer {
  struct Entry {
    /// The estimate that was returned.
    var fix: PositionFix
    /// On the estimator's time axis.
    var seconds: Double
    /// 68 % radius of the received fix, meters.
    var radius: Double
    /// Whether its receiver reported a velocity.
    var hasVelocity: Bool
    /// Whether the estimate came from the track, not from the receiver.
    var isOfTrack: Bool
    /// What coarse positions added to it, and the variance of that per axis.
    var correction: (shift: SIMD2<Double>, variance: Double)?
  }

  static let capacity = 64

  private var entries = InlineArray<64, Entry?>(repeating: nil)
  /// The times of the entries, so that looking at one copies none of them.
  private var times = InlineArray<64, Double>(repeating: 0)
  /// Index of the oldest element.
  private var head = 0
  private var count = 0

  /// Adds the newest entry; returns the oldest if it is `lag` seconds old, or if there is no room for both.
  mutating func push(_ entry: consuming Entry, lag: Double) -> Entry? {
    let isDue = count > 0 && (count == Self.capacity || entry.seconds - times[head] >= lag)
    var oldest: Entry?
    if isDue {
      swap(&oldest, &entries[head])
      head = (head + 1) % Self.capacity
      count -= 1
    }
    let slot = (head + count) % Self.capacity
    times[slot] = entry.seconds
    entries[slot] = entry
    count += 1
    return oldest
  }
}
