package import Geodesy
package import WireFormats

extension ReceiverSession {
  /// The session's inputs; bytes come through `receive`.
  package enum Input: Hashable, Sendable {
    /// The port is open; `baud`: its current baud rate, if it has one.
    case opened(baud: Int?)
    /// The configuration that the owning service requests from now on; `nil`: no service owns the receiver, and its settings
    /// are restored.
    case configure(ReceiverConfigurationRequest?)
    /// Put the receiver to sleep for this time, or (`nil`) until `.wakeUp`; only a u-blox that has reported its version can do
    /// that.
    case powerDown(Duration?)
    /// Wake the receiver up.
    case wakeUp
    /// The answer to `.recall`.
    case help(ReceiverAssistance)
    /// The answer to `.recallSettings`, always sent.
    case restore(SavedReceiverConfiguration?)
    /// Prepare to close the port: `.released` follows, at once or after the remaining work.
    case release
    /// The recording has ended; no more data follows.
    case ended
    /// `nextDeadline` has come. Calling early is a no-op.
    case wake
  }

  /// A request or a report to the owner of the port.
  package enum Action: Hashable, Sendable {
    /// Set the port to another baud rate and discard the data that it has received.
    case setSpeed(Int)
    case write([UInt8])
    /// Indirect because an epoch is large and is passed on several times.
    indirect case epoch(GNSSEpoch)
    /// The receiver has identified itself, or has added to its identity.
    case identified(ReceiverIdentity)
    /// Requests assistance data for the receiver's first fix; answered by `.help`. Nothing is stored for a receiver without a
    /// key.
    case recall(ReceiverKey?)
    /// The receiver's satellite data, to be stored for its next start.
    case storeAssistance(AssistanceData)
    /// Requests the settings of this receiver that an earlier session changed and did not restore. Answered by `.restore`;
    /// until then nothing is set.
    case recallSettings(ReceiverKey?)
    /// Store these settings for restoration before the next write, so that they can be restored even if this process is killed;
    /// `nil`: nothing is left to restore.
    case persistRestore(ReceiverKey, SavedReceiverConfiguration?)
    /// The receiver's settings are restored, except for `notPutBack` settings that it did not accept; the port may be closed.
    case released(notPutBack: Int)
    /// Valid frames are received at this baud rate.
    case speedFound(Int)
    case stateChanged(LinkState)
    /// All baud rates were tried twice without one valid frame; probing continues.
    case nothingReceived(bytes: Int, speeds: [Int])
    /// The receiver's leap seconds (UBX-NAV-TIMELS).
    indirect case leapSeconds(NavTIMELS)
    /// The error of the next pulse (UBX-TIM-TP).
    indirect case nextPulse(TimTP)
    /// Close the port and open it again: it has fallen silent without an error.
    case reopen
  }
}

/// State of the link to the receiver.
package enum LinkState: Hashable, Sendable {
  /// Probing for the receiver's baud rate.
  case probing(baud: Int)
  /// Valid frames are received.
  case talking
  /// Valid frames were received before, but no longer.
  case silent
}

/// The identity that a receiver reports. Strings come from the device: printable ASCII, bounded by the decoder.
package struct ReceiverIdentity: Hashable, Sendable {
  /// Module or chip: `NEO-M9N`, or `00080000` (a hardware version) if it names none.
  package var model: String?
  /// The model for people: the generation of the chip, for a u-blox receiver that reports only its hardware version.
  package var modelName: String? { model.map { Self.generations[$0] ?? $0 } }

  /// `hwVersion` of UBX-MON-VER, in the examples of u-blox' protocol specifications of each generation.
  private static let generations = [
    "00040007": "u-blox 6", "00070000": "u-blox 7", "00080000": "u-blox 8", "00190000": "u-blox 9",
    "000A0000": "u-blox 10",
  ]

  /// Firmware: `SPG 4.04`, `7.03 (45970)`.
  package var firmware: String?
  /// u-blox protocol version in hundredths: 2301 for 23.01.
  package var protocolVersionHundredths: Int?
  /// UBX-SEC-UNIQID in hexadecimal: the receiver's own serial number.
  package var uniqueID: String?
  /// Whether valid NMEA was received.
  package var speaksNMEA = false
  /// Whether valid UBX was received.
  package var speaksUBX = false

  /// An identity without any report yet.
  package init() {}

  /// Whether the receiver is one that computes its position with corrections of RTCM 3, as far as it has named itself: u-blox of the
  /// firmware for high precision, and other makers' modules by their names.
  package var takesCorrections: Bool {
    if let firmware, firmware.hasPrefix("HPG") { return true }
    guard let model else { return false }
    return Self.correctedModels.contains { model.holds($0) }
  }

  /// Parts of the names of modules that accept RTCM 3 on the line on which they send positions.
  private static let correctedModels = [
    "F9P", "F9R", "F9H", "X20P", "M8P", "LC29H", "LG290P", "LG580P", "UM980", "UM982", "mosaic",
  ]
}

/// The data about a receiver that the owner of its link has before the receiver has sent anything.
package struct ReceiverSettings: Hashable, Sendable {
  /// The path of the receiver's device, as fixes name it.
  package var device: String
  /// An identity derived from the hardware that the receiver is connected to, which names the receiver in fixes. Without it, the
  /// identity that the receiver itself reports does.
  package var identity: String?
  /// The last baud rate at which valid frames were received.
  package var lastGoodSpeed: Int?
  /// Whether anything may be written to the receiver: polls, assistance data, and the settings of an owning service.
  package var mayPoll = true
  /// The configuration that an owning service requests; `nil`: no service owns the receiver, and its settings stay unchanged.
  package var requestedConfiguration: ReceiverConfigurationRequest?
  /// Whether its USB identity is u-blox's, so that it understands polls.
  package var isUblox = false
  /// Whether its bytes come from a replay or a simulator.
  package var isSimulated = false
  /// Whether its bytes come through a network, so that its fixes are marked `network`.
  package var isInNetwork = false
  /// Whether it has a baud rate that can be wrong; a replay has none.
  package var hasLineSpeed = true
  /// The latest day that is certain to be past, see `EraResolver`.
  package var eraFloor: CalendarDate?
  /// The machine's clock at `wallClockReadAt`, for streams without a date; `nil`: it cannot be trusted.
  package var wallClock: GNSSTime?
  /// Whether the first epochs wait for the date that follows them: a recording's time is not the machine's.
  package var waitsForDate = false
  /// When `wallClock` was read.
  package var wallClockReadAt = Instant(nanoseconds: 0)

  /// Settings for the device at `device`.
  package init(device: String) { self.device = device }
}
