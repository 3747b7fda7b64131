import Fusion
import Geodesy

/// Schedules the checks for the end of a pause, for a client that cannot come to the foreground (Documentation/Behavior.md,
/// "Activity and automatic pause"): the position is checked cheaply from time to time, and the pause ends when the machine has
/// moved, or when there is a fix again.
struct PauseCheck: Sendable {
  /// All values are ours, within the specification ("every few minutes, backing off to 15").
  enum Limits {
    /// The interval between checks is the duration of the pause so far divided by this, within `intervals`, so that the
    /// undetected part of a journey stays in proportion to the rest before it.
    static let share = 8.0
    static let intervals: ClosedRange<Duration> = .seconds(120)...Duration.seconds(15 * 60)
    /// A check without a position ends after this time: a hot start takes seconds, a cold one 36 s (as in `MonitoringIntervals`).
    static let patience: Duration = .seconds(60)
    /// A movement is longer than this, and than twice the combined radius of both fixes, √(r₁² + r₂²) (Documentation/Behavior.md,
    /// "Activity and automatic pause").
    static let move = Meters(100)
    /// A fix with a greater radius does not show that the machine is still at its place.
    static let sufficient = Meters(100)
  }

  /// The result of a fix for the pause.
  enum Verdict: Hashable {
    /// The pause is over.
    case isOver
    /// It continues; the machine is still at its place.
    case continues
    /// The fix does not decide it.
    case isUndecided
  }

  /// Where the machine was when the pause began; `nil`: there was no fix, and any fix ends the pause.
  private let place: PositionFix?
  private let since: Instant
  private var next: Instant
  /// Since when positions are requested; `nil`: they are not.
  private(set) var checkingSince: Instant?

  init(place: PositionFix?, at now: Instant) {
    (self.place, since) = (place, now)
    next = now + Limits.intervals.lowerBound
  }

  var isCheckingPosition: Bool { checkingSince != nil }

  /// When `wake` is due.
  var nextDeadline: Instant { checkingSince.map { $0 + Limits.patience } ?? next }

  mutating func wake(at now: Instant) {
    guard now >= nextDeadline else { return }
    if isCheckingPosition { rest(at: now) } else { checkingSince = now }
  }

  /// Stops requesting positions until the next check.
  mutating func rest(at now: Instant) {
    checkingSince = nil
    let interval = Duration.seconds((now - since).inSeconds / Limits.share)
    next = now + min(max(interval, Limits.intervals.lowerBound), Limits.intervals.upperBound)
  }

  func verdict(on fix: PositionFix) -> Verdict {
    // A fix from before the pause does not count.
    guard fix.qualityFlag == nil, fix.receivedAt > since else { return .isUndecided }
    guard let place else { return .isOver }
    let way = Geodesic.inverse(from: place.coordinate, to: fix.coordinate).distance
    let radius = Math.hypot(fix.horizontalRadius68.value, place.horizontalRadius68.value)
    if way > Limits.move, way.value > 2 * radius { return .isOver }
    return fix.horizontalRadius68 <= Limits.sufficient ? .continues : .isUndecided
  }
}
