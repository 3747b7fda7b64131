package import Geodesy

/// Learns what somebody is out for, and says when that is plainly over: a runner who rides in a car, a driver who walks.
///
/// Documentation/Behavior.md, "Activity and automatic pause": minutes, not seconds.
package struct ActivityWatch: Sendable {
  /// Moving in one way for so long is what it is out for.
  package static let learning: Duration = .seconds(3 * 60)
  /// And plainly something else for so long ends it: longer than a lift over a bridge or a walk over a car park.
  package static let change: Duration = .seconds(5 * 60)
  /// Between two looks no more time than this is counted.
  static let longestStep: Duration = .seconds(30)

  /// What it is out for; `nil` before that is known.
  package private(set) var activity: Motion?
  /// Whether that is over. It stays so until it is taken up again, or another watch begins.
  package private(set) var isOver = false

  private var times = InlineArray<5, Duration>(repeating: .zero)
  private var lastAt: Instant?
  private var otherwise: Duration = .zero

  /// A watch that begins now.
  package init() {}

  /// Takes how it moves; standing still is part of everything.
  @discardableResult package mutating func handle(_ motion: Motion, at now: Instant) -> Bool {
    let step = lastAt.map { max(.zero, min(now - $0, Self.longestStep)) } ?? .zero
    lastAt = now
    guard motion != .stationary else { return isOver }
    guard let activity else {
      times[Int(motion.rawValue)] += step
      if times[Int(motion.rawValue)] >= Self.learning { self.activity = motion }
      return false
    }
    if Self.isPlainlyOther(motion, than: activity) {
      otherwise += step
      if otherwise >= Self.change { isOver = true }
    } else {
      otherwise = .zero
      isOver = false
    }
    return isOver
  }

  /// A vehicle and one's own feet are plainly two things. Walking and running are not, and a bicycle downhill is as fast as a
  /// car in town: there `AutoPauseLimits.ridingSpeed` decides.
  private static func isPlainlyOther(_ motion: Motion, than activity: Motion) -> Bool {
    switch activity {
    case .walking, .running: motion == .driving
    case .driving: motion == .walking || motion == .running
    case .cycling, .stationary: false
    }
  }
}
