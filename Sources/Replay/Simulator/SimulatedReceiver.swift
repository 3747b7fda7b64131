package import Geodesy

/// A receiver without a sky, for tests and `--source simulator`: says what a real one of its dialect would say, when it
/// would say it, and answers the polls that its dialect knows.
package struct SimulatedReceiver: Sendable {
  /// What happens to it.
  package enum Input: Hashable, Sendable {
    /// It gets power: time zero of its trajectory, cold start and faults.
    case powered
    /// Bytes that the driver wrote.
    case received([UInt8])
    /// It loses power and forgets all.
    case unplugged
    /// The deadline came; early is a no-op.
    case wake
  }

  /// What it wants done.
  package enum Action: Hashable, Sendable {
    /// These bytes reach the driver now.
    case send([UInt8])
  }

  /// What it was made of.
  package let configuration: Configuration

  /// A receiver without power.
  package init(_ configuration: Configuration) { self.configuration = configuration }

  /// When it wants to be called next; `nil` without power.
  package var nextDeadline: Instant? { nil }

  /// Takes what happened at `now`, gives what is to be done.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] { [] }

  /// Where it truly is at `time`.
  package func truth(at time: GNSSTime) -> SimulatedTruth {
    configuration.trajectory.truth(
      after: time - configuration.startTime, geoidSeparation: configuration.geoidSeparation)
  }
}
