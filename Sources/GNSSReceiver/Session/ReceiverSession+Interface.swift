extension ReceiverSession {
  /// What the session is told; bytes come by `receive`.
  package enum Input: Hashable, Sendable {
    /// The port is open; its present speed, where it has one.
    case opened(baud: Int?)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the owner of the port is to do, or to know.
  package enum Action: Hashable, Sendable {
    /// Set the port to another speed and throw away what it has received.
    case setSpeed(Int)
    case write([UInt8])
    case epoch(GNSSEpoch)
    /// The receiver has said who it is, or more of it.
    case identified(ReceiverIdentity)
    /// Valid frames come at this speed.
    case speedFound(Int)
    case stateChanged(LinkState)
    /// All speeds were tried twice and not one valid frame came; the hunt goes on.
    case nothingHeard(bytes: Int, speeds: [Int])
    /// Close the port and open it anew: it has fallen silent without an error.
    case reopen
  }
}
