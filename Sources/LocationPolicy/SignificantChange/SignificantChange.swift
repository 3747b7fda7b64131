package import Geodesy

/// Tells when the machine has come a significant way from where that was told last: some 500 m, and no more often than every five
/// minutes (Documentation/Behavior.md, "Significant changes").
///
/// Rides along on fixes of any source. One that may be as far off as the way itself is no reason, and neither is one that nobody
/// believes.
package struct SignificantChange: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// Begins, or begins anew. `latest`: the newest fix that is known, which is told at once, whatever its age.
    case start(latest: PositionFix?)
    case fix(PositionFix)
    case stop
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    /// Tell where the machine is; its radius has been grown to `age` already.
    case deliver(PositionFix, age: Duration)
  }

  private enum State {
    case off
    /// Nothing has been told yet.
    case waiting
    /// `next`: where it has come since, to be told as soon as it may.
    case told(PositionFix, at: Instant, next: PositionFix?)
  }

  /// Documentation/Behavior.md, "Significant changes": 500 m or more, at most once every 5 minutes.
  package static let distance = Meters(500)
  package static let interval: Duration = .seconds(300)

  private var state = State.off

  package init() {}

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    guard case .told(_, let at, _?) = state else { return nil }
    return at + Self.interval
  }

  /// Goes on where it was told last before a restart; `nil`: nothing was told.
  package mutating func resume(from last: PositionFix?, at now: Instant) {
    guard var last else { return state = .waiting }
    // Its arrival belongs to another run's clock.
    last.receivedAt = now
    state = .told(last, at: now, next: nil)
  }

  /// What is to be asked of the sources meanwhile; `nil`: nothing.
  package var demand: PowerDemand? {
    if case .off = state { return nil }
    // Whatever comes to hand: nobody waits for it.
    return PowerDemand(sufficientRadius68: Self.distance, isInBackground: true)
  }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .start(let latest)):
      state = .waiting
      return latest.map { tell($0, at: now) } ?? []
    case (_, .stop):
      state = .off
      return []
    case (.off, .fix), (.off, .wake), (.waiting, .wake): return []
    case (.waiting, .fix(let fix)):
      return fix.suspicion == nil ? tell(fix, at: now) : []
    case (.told(let last, let at, let next), .fix(let fix)):
      guard fix.suspicion == nil, fix.receivedAt >= (next ?? last).receivedAt else { return [] }
      // Who has come back before it could be told has gone nowhere.
      state = .told(last, at: at, next: Self.isSignificant(from: last, to: fix) ? fix : nil)
      return tellWhenDue(at: now)
    case (.told, .wake): return tellWhenDue(at: now)
    }
  }

  private mutating func tellWhenDue(at now: Instant) -> [Action] {
    guard case .told(_, let at, let next?) = state, now >= at + Self.interval else { return [] }
    return tell(next, at: now)
  }

  private mutating func tell(_ fix: PositionFix, at now: Instant) -> [Action] {
    state = .told(fix, at: now, next: nil)
    return [.deliver(fix.grown(to: now), age: fix.age(at: now))]
  }

  private static func isSignificant(from last: PositionFix, to fix: PositionFix) -> Bool {
    let way = Geodesic.inverse(from: last.coordinate, to: fix.coordinate).distance
    return way >= distance && way.value >= 2 * Math.hypot(last.horizontalRadius68.value, fix.horizontalRadius68.value)
  }
}
