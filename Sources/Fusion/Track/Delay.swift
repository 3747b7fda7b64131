import Geodesy

/// What was told of late, until it is old enough to be told once more, and better.
struct Delay {
  struct Entry {
    /// What was answered.
    var fix: PositionFix
    /// On the estimator's axis of time.
    var seconds: Double
    /// 68 % radius that came with the fix, metres.
    var radius: Double
    /// Whether its receiver told a velocity.
    var hasVelocity: Bool
    /// Whether it was the track's answer, not the receiver's.
    var isOfTrack: Bool
  }

  static let capacity = 64

  private var entries = InlineArray<64, Entry?>(repeating: nil)
  /// Where the oldest lies.
  private var head = 0
  private var count = 0

  /// Keeps the newest; hands out the oldest where that is `lag` seconds old, or where there is no room for both.
  mutating func push(_ entry: consuming Entry, lag: Double) -> Entry? {
    var oldest: Entry?
    if count > 0, let first = entries[head], count == Self.capacity || entry.seconds - first.seconds >= lag {
      oldest = first
      entries[head] = nil
      head = (head + 1) % Self.capacity
      count -= 1
    }
    entries[(head + count) % Self.capacity] = entry
    count += 1
    return oldest
  }
}
