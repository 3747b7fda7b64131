package import Geodesy

/// A client's request about destinations. Only clients in charge of the service may make one: root, and the group `location`.
package enum FleetRequest: Hashable, Sendable {
  /// Adds a destination; `replaces`: changes the settings of an existing one, whose outbox stays. Answered by `.done`.
  case add(FleetDestination)
  /// Changes settings of a destination: lines as in `FleetDestination.text`, where a key alone sets its default; what has no line stays as it
  /// is. `Backlog`: what happens to the records that wait, if the server is another one. Answered by `.done`.
  case change(name: String, String, Backlog?)
  /// Ends a destination when its outbox is empty; `discards`: now, with everything that waits. Answered by `.done`.
  case remove(name: String, discards: Bool)
  /// Answered by `.destinations`.
  case list
  /// Pauses for a time; `nil`: until `resume`. Answered by `.done`.
  case pause(name: String, Duration?)
  /// Ends a pause, and tries a destination again that refused. Answered by `.done`.
  case resume(name: String)
  /// Connects with the settings and tries to publish. Answered by `.tested`.
  case test(name: String)
  /// Sends the position now. Answered by `.done` once it is acknowledged.
  case send(name: String)

  /// What happens to records that were recorded for another server.
  package enum Backlog: UInt8, Hashable, Sendable, CaseIterable {
    case kept = 0, discarded = 1
  }

  /// Whether the answer waits for a server on the network.
  package var needsServer: Bool {
    switch self {
    case .test, .send: true
    case .add, .change, .remove, .list, .pause, .resume: false
    }
  }
}

/// The service's answer to a `FleetRequest`.
package enum FleetAnswer: Hashable, Sendable {
  /// All destinations, by name.
  case destinations([FleetReport])
  case tested(FleetTestResult)
}

/// What a test of a destination found.
package struct FleetTestResult: Hashable, Sendable {
  /// `nil`: there was no connection.
  package var session: FleetSession?
  /// The answer to the message of the test; `nil`: none came.
  package var reply: FleetReply?
  /// Why there is no connection.
  package var problem: FleetProblem?

  package init(session: FleetSession?, reply: FleetReply?, problem: FleetProblem?) {
    (self.session, self.reply, self.problem) = (session, reply, problem)
  }
}

/// Why the service refuses a `FleetRequest`.
package enum FleetFailure: Error, Hashable, Sendable {
  /// There is no destination of that name; `known` are those that there are.
  case unknown(name: String, known: [String])
  /// There is one of that name already.
  case exists(name: String)
  case tooMany(limit: Int)
  case invalid(FleetSettingsError)
  /// Only locationd sends positions to destinations, and it does not answer.
  case needsDaemon
  /// The client is not in charge of the service.
  case notInCharge
  /// The administrator has switched destinations off.
  case off
  /// The position was not acknowledged in time; it stays in the outbox.
  case notAcknowledged(FleetProblem?)
  /// The state folder cannot be written; `reason` is a clause in words.
  case cannotKeep(path: String, reason: String)
  /// So many records wait, which were recorded for another server.
  case otherServer(waiting: Int)
  /// Nothing is sent to this destination now; `nil`: the present position may not be sent to it. `idle`: the destination is being removed.
  case notNow(FleetReport.State?)
  /// The time of day is not known.
  case noClock
}

/// One destination as `locationctl fleet list`, `status` and `doctor` show it. Contains no position and no secret.
package struct FleetReport: Hashable, Sendable {
  package enum State: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing waits, or the next connection is due later.
    case idle = 0
    case connecting = 1
    /// Connected.
    case connected = 2
    /// The connection failed; it is tried again.
    case waiting = 3
    case paused = 4
    /// Outside of its schedule.
    case resting = 5
    /// The server refuses; tried again once an hour and on `resume`.
    case refused = 6
    /// The broker takes the messages, but nobody has subscribed.
    case unheard = 7
    /// Location services are off, or the destination's grant was revoked.
    case notAllowed = 8

    /// As in the JSON output.
    package var name: String { "\(self)" }
  }

  package var name: String
  /// Without secrets.
  package var address: String
  package var kind: FleetKind
  package var state: State
  /// Why there is no connection, and the last answer that was not good.
  package var problem: FleetProblem?
  package var reply: FleetReply?
  /// Records in the outbox, and the time of the oldest.
  package var waiting = 0
  package var oldest: GNSSTime?
  /// When the server last acknowledged something.
  package var lastAcknowledged: GNSSTime?
  /// What was deleted unsent because the outbox was full.
  package var lost: FleetLoss?
  /// Records that the server called invalid several times, and that were left out.
  package var setAside = 0
  /// The outbox's bytes on the disk.
  package var bytes = 0
  /// As in `FleetSession`.
  package var version: UInt8?
  package var isReduced = false
  /// The end of a pause; `nil`: not paused, or indefinitely.
  package var pausedUntil: GNSSTime?
  /// Whether the time of positions is not confirmed yet, so that they are not recorded.
  package var isClockUnsure = false
  /// Positions that were not recorded for that reason, since locationd has started.
  package var unrecorded = 0
  /// Whether the connection is not encrypted.
  package var isUnencrypted = false

  package init(name: String, address: String, kind: FleetKind, state: State) {
    (self.name, self.address, self.kind, self.state) = (name, address, kind, state)
  }
}

/// Records that were deleted unsent.
package struct FleetLoss: Hashable, Sendable {
  package var count: Int
  /// The times of the first and of the last of them.
  package var from: GNSSTime
  package var to: GNSSTime

  package init(count: Int, from: GNSSTime, to: GNSSTime) { (self.count, self.from, self.to) = (count, from, to) }

  /// Adds another loss.
  package mutating func add(_ other: FleetLoss) {
    count += other.count
    (from, to) = (min(from, other.from), max(to, other.to))
  }
}
