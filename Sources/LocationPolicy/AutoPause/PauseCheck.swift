import Fusion
import Geodesy

/// When to look for the end of a pause, for a client that cannot come to the foreground (Documentation/Behavior.md, "Activity and
/// automatic pause"): the position is checked cheaply now and then, and the pause is over where the machine has moved, or where
/// there is a fix again.
struct PauseCheck: Sendable {
  /// All of these are ours, within what the specification says ("every few minutes, backing off to 15").
  enum Limits {
    /// An eighth of what the pause has lasted passes from one check to the next, so that what is missed of a journey stays in
    /// proportion to the rest before it, within these.
    static let share = 8.0
    static let intervals: ClosedRange<Duration> = .seconds(120)...Duration.seconds(15 * 60)
    /// A check that has found no position ends after this: a hot start takes seconds, a cold one 36 s (as in `LookLimits`).
    static let patience: Duration = .seconds(60)
    /// A move is farther than this, and than twice the radii of both fixes (Documentation/Behavior.md, "Activity and automatic
    /// pause").
    static let move = Meters(100)
    /// A fix with a greater radius does not say that the machine is where it was.
    static let sufficient = Meters(100)
  }

  /// What a fix says of the pause.
  enum Verdict: Hashable {
    /// It is over.
    case isOver
    /// It goes on; the machine is where it was.
    case goesOn
    /// Nobody can tell.
    case isUndecided
  }

  /// Where the machine was when the pause began; `nil`: there was no fix, and any fix ends it.
  private let place: PositionFix?
  private let since: Instant
  private var next: Instant
  /// Since when positions are asked for; `nil`: they are not.
  private(set) var lookingSince: Instant?

  init(place: PositionFix?, at now: Instant) {
    (self.place, since) = (place, now)
    next = now + Limits.intervals.lowerBound
  }

  var isLooking: Bool { lookingSince != nil }

  /// When `wake` is due.
  var nextDeadline: Instant { lookingSince.map { $0 + Limits.patience } ?? next }

  mutating func wake(at now: Instant) {
    guard now >= nextDeadline else { return }
    if isLooking { rest(at: now) } else { lookingSince = now }
  }

  /// No more positions are asked for until the next check.
  mutating func rest(at now: Instant) {
    lookingSince = nil
    let interval = Duration.seconds((now - since).inSeconds / Limits.share)
    next = now + min(max(interval, Limits.intervals.lowerBound), Limits.intervals.upperBound)
  }

  func verdict(on fix: PositionFix) -> Verdict {
    // One from before the pause says nothing of now.
    guard fix.suspicion == nil, fix.receivedAt > since else { return .isUndecided }
    guard let place else { return .isOver }
    let way = Geodesic.inverse(from: place.coordinate, to: fix.coordinate).distance
    let radius = Math.hypot(fix.horizontalRadius68.value, place.horizontalRadius68.value)
    if way > Limits.move, way.value > 2 * radius { return .isOver }
    return fix.horizontalRadius68 <= Limits.sufficient ? .goesOn : .isUndecided
  }
}
