import Geodesy
import WireFormats

/// Decides which polls to send to a receiver. It sends only messages that u-blox receivers answer, only polls, which change
/// nothing, and only after the first message from the receiver.
///
/// A u-blox that sends only NMEA knows its accuracy but does not report it. It is polled once an epoch with the message that
/// its generation supports (NAV-PVT, otherwise NAV-POSLLH), until it no longer answers.
struct ReceiverPolling: Sendable {
  /// Unanswered polls in a row after which a message is no longer polled.
  static let patience = 3

  /// Remaining polls of its version and unique ID.
  private var versionPolls: Int
  private var hasReportedVersion = false
  /// Whether a service owns the receiver: then even a receiver that has not named its maker is polled for its version. A u-blox
  /// on a UART sends NMEA like any other receiver, and other receivers ignore messages that they do not understand.
  var isOwned: Bool
  private var asksAccuracy: UBXFrame.Pollable? = .navPVT
  private var unanswered = 0
  private var isUblox: Bool
  private let mayPoll: Bool
  /// Whether it is asked for leap seconds, for the time of clocks.
  var asksLeapSeconds = false
  private var leapSeconds = LeapSecondPolling()

  /// `isUblox`: the USB identity is u-blox's; otherwise the receiver's messages may show it.
  init(mayPoll: Bool, isUblox: Bool, isOwned: Bool) {
    self.isUblox = isUblox
    self.mayPoll = mayPoll
    self.isOwned = isOwned
    versionPolls = mayPoll ? Self.patience : 0
    if !mayPoll { asksAccuracy = nil }
  }

  /// Handles a message that shows the maker, or an answer to a poll.
  mutating func received(_ message: WireMessage) {
    switch message {
    case .ubx(let frame):
      isUblox = true
      switch frame {
      case .navPVT, .navPOSLLH: unanswered = 0
      case .monVERSoftware: hasReportedVersion = true
      case .navTIMELS(let leap): leapSeconds.received(leap)
      case .navPOSECEF, .navSOL, .navVELNED, .navTIMEUTC, .navSVINFO, .navSAT, .navSatellite, .navDOP, .navSTATUS,
        .navCOV, .navEOE, .navRELPOSNED,
        .timTP, .monVERHardware, .monVERExtension, .monRF, .secUNIQID, .acknowledgement, .configuration,
        .assistance,
        .assistanceAcknowledgement, .unknown:
        break
      }
    case .nmea(.pubxPosition, _), .nmea(.pubxSatellite, _), .nmea(.pubxTime, _): isUblox = true
    case .nmea(.txt(let txt), _): if txt.text.string.hasPrefix("u-blox") { isUblox = true }
    case .nmea: break
    }
  }

  /// What the previous epoch reported about its accuracy.
  enum AccuracyReporting {
    /// It contained an accuracy in meters.
    case reportsAccuracy
    /// It had a fix and was received from its beginning on, but contained no accuracy.
    case lacksAccuracy
    /// The receiver was configured to report its accuracy: no poll is needed.
    case isSet
    /// It allows no conclusion.
    case open

    init(after draft: EpochDraft) {
      let tells = draft.evidence.ellipse != nil || draft.evidence.horizontalAccuracyMeters != nil
      self = tells ? .reportsAccuracy : draft.isWhole && draft.hasFix ? .lacksAccuracy : .open
    }
  }

  /// The bytes to write at the beginning of an epoch.
  mutating func polls(after occasion: AccuracyReporting, at now: Instant) -> [UInt8] {
    guard isUblox || isOwned || asksLeapSeconds else { return [] }
    var bytes: [UInt8] = []
    if !hasReportedVersion, versionPolls > 0 {
      versionPolls -= 1
      bytes += UBXFrame.poll(.monVER) + UBXFrame.poll(.secUNIQID)
    }
    guard isUblox else { return bytes }
    if asksLeapSeconds, mayPoll, leapSeconds.isDue(at: now) { bytes += UBXFrame.poll(.navTIMELS) }
    if case .isSet = occasion {
      unanswered = 0
      return bytes
    }
    // The receiver reports its accuracy without polls: an epoch without it has lost a message, which is no reason to
    // poll.
    if case .reportsAccuracy = occasion, !hasAsked { asksAccuracy = nil }
    guard let message = asksAccuracy else { return bytes }
    if !hasAsked { guard case .lacksAccuracy = occasion else { return bytes } }
    if unanswered == Self.patience {
      asksAccuracy = message == .navPVT ? .navPOSLLH : nil
      unanswered = 0
      hasAsked = false
      return bytes
    }
    unanswered += 1
    hasAsked = true
    return bytes + UBXFrame.poll(message)
  }

  /// Whether the accuracy is an answer to polls: then polling continues.
  private var hasAsked = false
}

/// When a u-blox is polled for UBX-NAV-TIMELS: often until it has received the leap seconds, then seldom, for their announcements. A
/// receiver before generation 8 does not know the message, and is no longer polled after three polls without an answer.
struct LeapSecondPolling: Sendable {
  /// Between polls of a receiver that has only the firmware's default.
  static let shortInterval: Duration = .seconds(30)
  /// Between polls of a receiver that has received them.
  static let longInterval: Duration = .seconds(1800)

  private var interval = shortInterval
  private var polledAt: Instant?
  private var unanswered = 0

  mutating func received(_ leap: NavTIMELS) {
    unanswered = 0
    interval = leap.isDefault || leap.leapSeconds == nil ? Self.shortInterval : Self.longInterval
  }

  /// Whether a poll is to be sent now; it counts as sent.
  mutating func isDue(at now: Instant) -> Bool {
    guard unanswered < ReceiverPolling.patience, polledAt.map({ now - $0 >= interval }) ?? true else { return false }
    unanswered += 1
    polledAt = now
    return true
  }
}
