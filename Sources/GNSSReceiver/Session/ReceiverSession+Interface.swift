extension ReceiverSession {
  /// What the session is told; bytes come by `receive`.
  package enum Input: Hashable, Sendable {
    /// The port is open; its present speed, where it has one.
    case opened(baud: Int?)
    /// How a service that owns the receiver would have it from now on; `nil`: it is nobody's, and put back as it was.
    case want(ReceiverWish?)
    /// Put the receiver to sleep, for so long or (`nil`) until `.wakeUp`; only a u-blox that has said who it is can do that.
    case powerDown(Duration?)
    /// Wake it up again.
    case wakeUp
    /// The answer to `.recall`.
    case help(ReceiverHelp)
    /// The answer to `.recallSettings`, always given.
    case inherit(InheritedSettings?)
    /// The port is to be closed: `.released` says when, at once or after what is still to be done.
    case release
    /// The recording is over: nothing more comes.
    case ended
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the owner of the port is to do, or to know.
  package enum Action: Hashable, Sendable {
    /// Set the port to another speed and throw away what it has received.
    case setSpeed(Int)
    case write([UInt8])
    /// Indirect: an epoch is large, and is handed on several times.
    indirect case epoch(GNSSEpoch)
    /// The receiver has said who it is, or more of it.
    case identified(ReceiverIdentity)
    /// What is known that helps this receiver to its first fix? Answered by `.help`. Nothing is kept without a key.
    case recall(ReceiverKey?)
    /// What the receiver knows of its satellites, to be kept for its next start.
    case learnt(AssistanceData)
    /// What was changed in this receiver before, and not put back? Answered by `.inherit`; until then nothing is set.
    case recallSettings(ReceiverKey?)
    /// From now on this is to be put back, also should this process be killed with what is written next; `nil`: nothing.
    case owe(ReceiverKey, InheritedSettings?)
    /// The receiver is as it was before, but for so many settings that it would not have put back; the port may be closed.
    case released(notPutBack: Int)
    /// Valid frames come at this speed.
    case speedFound(Int)
    case stateChanged(LinkState)
    /// All speeds were tried twice and not one valid frame came; the hunt goes on.
    case nothingHeard(bytes: Int, speeds: [Int])
    /// Close the port and open it anew: it has fallen silent without an error.
    case reopen
  }
}
