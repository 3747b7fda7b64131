package import Geodesy

/// Keeps one connection to a server that sends a receiver's bytes, and reconnects after every loss, without end.
package struct StreamConnection: Sendable {
  package enum Input: Hashable, Sendable {
    /// The source is needed.
    case start
    /// The source is no longer needed.
    case stop
    /// The connection is made.
    case connected
    /// The connection could not be made; never `StreamProblem.closed` or `.silent`, which this type sets itself.
    case failed(StreamProblem)
    /// Bytes have arrived.
    case received
    /// The server closed the connection.
    case closed
    /// `nextDeadline` was reached. An early call has no effect.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Start to connect; answered by `.connected` or `.failed`.
    case connect
    /// Close the connection, or abandon the attempt to make it. No input about that connection may follow.
    case close
    /// The connection is lost, or was not made. Discard an incomplete frame.
    case lost(StreamProblem)
  }

  private enum State: Hashable, Sendable {
    case idle
    case connecting(since: Instant)
    case connected(lastBytes: Instant)
    case pausing(until: Instant)
  }

  /// A server that sends nothing for this long is lost: receivers send once a second.
  package static let longestSilence: Duration = .seconds(10)
  package static let longestConnect: Duration = .seconds(20)

  private var state = State.idle
  private var failures = 0
  private var jitter: Jitter
  /// Why the last connection ended; `nil`: bytes arrive, or none was made yet.
  package private(set) var problem: StreamProblem?

  /// - Parameter seed: a random number.
  package init(seed: UInt64) { jitter = Jitter(seed: seed) }

  package var isConnected: Bool { if case .connected = state { true } else { false } }

  package var nextDeadline: Instant? {
    switch state {
    case .idle: nil
    case .connecting(let since): since + Self.longestConnect
    case .connected(let lastBytes): lastBytes + Self.longestSilence
    case .pausing(let until): until
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.idle, .start):
      state = .connecting(since: now)
      return [.connect]
    case (.idle, _), (_, .start): return []
    case (.pausing, .stop):
      reset()
      return []
    case (_, .stop):
      reset()
      return [.close]
    case (.connecting, .connected):
      state = .connected(lastBytes: now)
      return []
    case (.connecting, .failed(let problem)): return lose(problem, at: now)
    case (.connecting, .closed), (.connected, .closed): return lose(.closed, at: now)
    case (.connecting(let since), .wake):
      guard now - since >= Self.longestConnect else { return [] }
      return [.close] + lose(.tooLate, at: now)
    case (.connected, .received):
      state = .connected(lastBytes: now)
      failures = 0
      problem = nil
      return []
    case (.connected, .failed(let problem)): return lose(problem, at: now)
    case (.connected(let lastBytes), .wake):
      guard now - lastBytes >= Self.longestSilence else { return [] }
      return [.close] + lose(.silent, at: now)
    case (.pausing(let until), .wake):
      guard now >= until else { return [] }
      state = .connecting(since: now)
      return [.connect]
    case (.connecting, .received), (.connected, .connected), (.pausing, .connected),
      (.pausing, .failed), (.pausing, .received), (.pausing, .closed):
      return []
    }
  }

  private mutating func reset() {
    state = .idle
    failures = 0
    problem = nil
  }

  private mutating func lose(_ problem: StreamProblem, at now: Instant) -> [Action] {
    failures += 1
    self.problem = problem
    state = .pausing(until: now + GrowingDelay.stream.delay(after: failures, &jitter))
    return [.lost(problem)]
  }
}

/// Why there is no connection to a server.
package enum StreamProblem: Error, Hashable, Sendable {
  /// The host name does not resolve.
  case noSuchHost
  /// The server refuses the connection, or there is no network.
  case unreachable
  /// The certificate of the server is not trusted.
  case notTrusted
  /// The connection was not made in time.
  case tooLate
  /// The server closed the connection.
  case closed
  /// The server sent nothing for `StreamConnection.longestSilence`.
  case silent
}
