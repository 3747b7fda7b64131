package import Geodesy

/// Reports when the machine has moved significantly from the last reported position: about 500 m, at most once every five minutes
/// (Documentation/Behavior.md, "Significant changes").
///
/// Uses fixes of any source. Ignores suspect fixes, and fixes whose error may be as large as the distance itself.
package struct SignificantChange: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Starts or restarts. `latest`: the newest known fix, which is delivered at once, whatever its age.
    case start(latest: PositionFix?)
    case fix(PositionFix)
    case stop
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Deliver the position; its radius already includes the growth over `age`.
    case deliver(PositionFix, age: Duration)
  }

  private enum State {
    case off
    /// Nothing has been delivered yet.
    case waiting
    /// The last delivered fix. `next`: a significant change since, to be delivered as soon as the interval allows.
    case delivered(PositionFix, at: Instant, next: PositionFix?)
  }

  /// Documentation/Behavior.md, "Significant changes": 500 m or more, at most once every 5 minutes.
  package static let distance = Meters(500)
  package static let interval: Duration = .seconds(300)

  private var state = State.off

  package init() {}

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    guard case .delivered(_, let at, _?) = state else { return nil }
    return at + Self.interval
  }

  /// Continues from the last position delivered before a restart; `nil`: none was.
  package mutating func resume(from last: PositionFix?, at now: Instant) {
    guard var last else { return state = .waiting }
    // Its receive time belongs to the clock of the previous run.
    last.receivedAt = now
    state = .delivered(last, at: now, next: nil)
  }

  /// The demand on the sources meanwhile; `nil`: none.
  package var demand: PowerDemand? {
    if case .off = state { return nil }
    // Any source is good enough: no client waits for it.
    return PowerDemand(sufficientRadius68: Self.distance, isInBackground: true)
  }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .start(let latest)):
      state = .waiting
      return latest.map { deliver($0, at: now) } ?? []
    case (_, .stop):
      state = .off
      return []
    case (.off, .fix), (.off, .wake), (.waiting, .wake): return []
    case (.waiting, .fix(let fix)):
      return fix.qualityFlag == nil ? deliver(fix, at: now) : []
    case (.delivered(let last, let at, let next), .fix(let fix)):
      guard fix.qualityFlag == nil, fix.receivedAt >= (next ?? last).receivedAt else { return [] }
      // A machine that returns before the delivery has not moved significantly.
      state = .delivered(last, at: at, next: Self.isSignificant(from: last, to: fix) ? fix : nil)
      return deliverWhenDue(at: now)
    case (.delivered, .wake): return deliverWhenDue(at: now)
    }
  }

  private mutating func deliverWhenDue(at now: Instant) -> [Action] {
    guard case .delivered(_, let at, let next?) = state, now >= at + Self.interval else { return [] }
    return deliver(next, at: now)
  }

  private mutating func deliver(_ fix: PositionFix, at now: Instant) -> [Action] {
    state = .delivered(fix, at: now, next: nil)
    return [.deliver(fix.grown(to: now), age: fix.age(at: now))]
  }

  private static func isSignificant(from last: PositionFix, to fix: PositionFix) -> Bool {
    let way = Geodesic.inverse(from: last.coordinate, to: fix.coordinate).distance
    return way >= distance && way.value >= 2 * Math.hypot(last.horizontalRadius68.value, fix.horizontalRadius68.value)
  }
}
