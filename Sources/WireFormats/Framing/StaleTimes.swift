/// Recognizes the times of a second, slower talker on the same line: they lie a few seconds behind the epoch in hand, and other
/// sentences go on with that one. A clock that was set back goes on from the earlier time instead.
package struct StaleTimes: Sendable {
  /// Stale times one after the other, each later than the one before, that make them the new present.
  package static let timesToAcceptStepBack = 3
  /// A talker that lies further behind repeats nothing that was just told: its clock is another, or was set.
  package static let longestLagSeconds: Int64 = 10

  private var latest: Int64?
  private var inARow = 0

  /// A filter that has seen nothing.
  package init() {}

  /// Whether a time that a message tells is stale.
  ///
  /// - Parameters:
  ///   - lag: how far it lies behind the present; zero or less: not at all.
  ///   - time: the time itself, in the unit of `second`; over midnight it may leap, which begins the count again.
  ///   - second: a second in the unit of both.
  package mutating func isStale(_ time: Int64, lag: Int64, second: Int64) -> Bool {
    guard lag > 0, lag <= Self.longestLagSeconds * second else {
      latest = nil
      inARow = 0
      return false
    }
    if let latest, time <= latest {
      // The same epoch again, or one further back, which a clock does not do.
      if time < latest { inARow = 1 }
    } else {
      inARow += 1
    }
    latest = time
    guard inARow >= Self.timesToAcceptStepBack else { return true }
    latest = nil
    inARow = 0
    return false
  }
}
