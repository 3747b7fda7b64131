package import FleetDestinations

/// What an outbox is told, what it wants, and its limits.
extension FleetOutbox {
  package enum Input: Hashable, Sendable {
    /// A record was added at the end.
    case appended(FleetRecord)
    /// The records after the place of `load`, in order. `isEnd`: there are no more.
    case loaded([FleetRecord], isEnd: Bool)
    /// They cannot be read now.
    case loadFailed
    case connected(FleetSession)
    case answered(UInt64, FleetReply)
    /// The records of this message may not be sent any more, or have no form at this destination: they count as sent.
    case withheld(UInt64)
    case ended(FleetProblem, FleetReply?)
    /// Whether sending is allowed: the destination is not paused, and location services are on.
    case allowed(Bool)
    /// The user wants another try now.
    case retry
    /// The network may be back: a connection that could not be made is tried again now. A server that refused, is busy or has no
    /// subscribers has the same reasons as before.
    case networkChanged
    /// Whether a connection is wanted although nothing waits.
    case probe(Bool)
    /// Records up to this place were deleted unsent, or are known to be sent.
    case dropped(upTo: FleetPlace, waiting: Int)
    /// The service ends.
    case stop
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Read the next records after this place, at most `loadLimit`, and send `loaded`.
    case load(after: FleetPlace)
    case connect
    case disconnect
    /// One message with these records.
    case send([FleetRecord])
    case saveCursor(FleetPlace)
    /// The server calls this record invalid; it is left out.
    case setAside(FleetRecord)
    case acknowledged(FleetRecord)
  }

  package struct Limits: Hashable, Sendable {
    /// The most messages in flight.
    package var window = FleetKind.mqtt.window
    /// Messages per second.
    package var rate = 10
    /// The most records of a message.
    package var recordsPerMessage = 1
    /// Time between connections; `nil`: it is held.
    package var batch: Duration?
    package var acceptsUnheard = false

    package init() {}
  }
}
