package import Geodesy

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

/// What is known of the receiver at the other end.
package enum LinkState: Hashable, Sendable {
  /// Looking for the speed it talks at.
  case hunting(baud: Int)
  /// Valid frames come.
  case talking
  /// Valid frames came and do not any more.
  case silent
}

/// What a receiver has said about itself. Strings come from the device: printable ASCII, bounded by the decoder.
package struct ReceiverIdentity: Hashable, Sendable {
  /// Module or chip: `NEO-M9N`, `00080000` (a hardware version) where it names none.
  package var model: String?
  /// Firmware: `SPG 4.04`, `7.03 (45970)`.
  package var firmware: String?
  /// u-blox protocol version in hundredths: 2301 for 23.01.
  package var protocolVersionHundredths: Int?
  /// UBX-SEC-UNIQID in hexadecimal: the receiver's own serial number.
  package var uniqueID: String?
  /// Whether valid NMEA was heard.
  package var speaksNMEA = false
  /// Whether valid UBX was heard.
  package var speaksUBX = false

  /// Nothing said yet.
  package init() {}
}

/// What the owner of a link knows of the receiver before it has said a word.
package struct ReceiverSettings: Hashable, Sendable {
  /// Path of its device, as fixes name it.
  package var device: String
  /// What the hardware around it says of its identity; its own word goes before that.
  package var identity: String?
  /// The speed that it was last heard at.
  package var lastGoodSpeed: Int?
  /// Whether it may be written to at all: polls, and what a service that owns it sets.
  package var mayPoll = true
  /// How a service that owns it would have it; `nil`: it belongs to none, and is left as it is.
  package var wish: ReceiverWish?
  /// Whether its USB identity says u-blox, so that polls are understood.
  package var isUblox = false
  /// Whether its bytes come from a replay or a simulator.
  package var isSimulated = false
  /// Whether it has a line speed that can be wrong; a replay has not.
  package var hasLineSpeed = true
  /// The latest day that is certain to be past, see `EraResolver`.
  package var eraFloor: CalendarDate?
  /// The machine's clock at `wallClockReadAt`, for streams that tell no date; `nil`: it cannot be trusted.
  package var wallClock: GNSSTime?
  /// Whether the first epochs wait for the date that follows them: a recording's time is not that of the machine's clock.
  package var waitsForDate = false
  /// When `wallClock` was read.
  package var wallClockReadAt = Instant(nanoseconds: 0)

  /// Settings for the device at `device`.
  package init(device: String) { self.device = device }
}
