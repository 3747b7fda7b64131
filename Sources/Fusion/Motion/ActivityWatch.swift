package import Geodesy

/// Learns a client's activity, and detects when it is clearly over: a runner who rides in a car, a driver who walks.
///
/// Documentation/Behavior.md, "Activity and automatic pause": minutes, not seconds.
package struct ActivityWatch: Sendable {
  /// Motion of one kind for this long is the activity.
  package static let learning: Duration = .seconds(3 * 60)
  /// Clearly different motion for this long ends the activity: longer than a lift over a bridge or a walk over a car park.
  package static let change: Duration = .seconds(5 * 60)
  /// The most time counted between two calls.
  static let longestStep: Duration = .seconds(30)

  /// The activity; `nil` before it is known.
  package private(set) var activity: Motion?
  /// Whether the activity is over. It stays so until the activity resumes, or another watch begins.
  package private(set) var isOver = false

  private var times = InlineArray<5, Duration>(repeating: .zero)
  private var lastAt: Instant?
  private var otherwise: Duration = .zero

  /// A watch that begins now.
  package init() {}

  /// Handles the current motion, and returns `isOver`; standing still is part of every activity.
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

  /// Riding in a vehicle and moving on foot are clearly different. Walking and running are not, and a bicycle downhill is as
  /// fast as a car in town: there `AutoPauseLimits.ridingSpeed` decides.
  private static func isPlainlyOther(_ motion: Motion, than activity: Motion) -> Bool {
    switch activity {
    case .walking, .running: motion == .driving
    case .driving: motion == .walking || motion == .running
    case .cycling, .stationary: false
    }
  }
}
