import Geodesy
import WireFormats

/// Decides what is asked of a receiver. It asks only what u-blox receivers answer, only polls, which change nothing, and only
/// once the receiver has been heard.
///
/// A u-blox that tells NMEA alone knows its accuracy and does not say so: it is polled for it once an epoch, by the message
/// that its generation has (NAV-PVT, else NAV-POSLLH), and left alone once it does not answer.
struct Interrogation: Sendable {
  /// Polls in a row without an answer after which a message is given up.
  static let patience = 3

  /// Times that it may still be asked who it is.
  private var versionPolls: Int
  private var hasToldVersion = false
  /// Set where a service owns the receiver: then one that says nothing of its maker is asked, too. A u-blox on a UART says
  /// NMEA like any other, and others pass over what they do not understand.
  var isOwned: Bool
  private var asksAccuracy: UBXFrame.Pollable? = .navPVT
  private var unanswered = 0
  private var isUblox: Bool

  /// `isUblox`: the USB identity says so; else the receiver's own words may.
  init(mayPoll: Bool, isUblox: Bool, isOwned: Bool) {
    self.isUblox = isUblox
    self.isOwned = isOwned
    versionPolls = mayPoll ? Self.patience : 0
    if !mayPoll { asksAccuracy = nil }
  }

  /// A message came that tells a maker, or an answer.
  mutating func heard(_ message: WireMessage) {
    switch message {
    case .ubx(let frame):
      isUblox = true
      switch frame {
      case .navPVT, .navPOSLLH: unanswered = 0
      case .monVERSoftware: hasToldVersion = true
      case .navPOSECEF, .navSOL, .navVELNED, .navTIMEUTC, .navSVINFO, .navSAT, .navSatellite, .navDOP, .navSTATUS,
        .navCOV, .navEOE,
        .navTIMELS, .monVERHardware, .monVERExtension, .monRF, .secUNIQID, .acknowledgement, .configuration,
        .assistance,
        .assistanceAcknowledgement, .unknown:
        break
      }
    case .nmea(.pubxPosition, _), .nmea(.pubxSatellite, _), .nmea(.pubxTime, _): isUblox = true
    case .nmea(.txt(let txt), _): if txt.text.string.hasPrefix("u-blox") { isUblox = true }
    case .nmea: break
    }
  }

  /// What the epoch before the one that begins now was like.
  enum Occasion {
    /// It told its accuracy in metres.
    case tellsAccuracy
    /// It had a fix, was heard from its beginning on, and did not.
    case lacksAccuracy
    /// It told its accuracy because it was set to: there is no need to ask.
    case isSet
    /// Nothing follows from it.
    case open

    init(after draft: EpochDraft) {
      let tells = draft.evidence.ellipse != nil || draft.evidence.horizontalAccuracyMeters != nil
      self = tells ? .tellsAccuracy : draft.isWhole && draft.hasFix ? .lacksAccuracy : .open
    }
  }

  /// What to write now that an epoch has begun.
  mutating func polls(after occasion: Occasion) -> [UInt8] {
    guard isUblox || isOwned else { return [] }
    var bytes: [UInt8] = []
    if !hasToldVersion, versionPolls > 0 {
      versionPolls -= 1
      bytes += UBXFrame.poll(.monVER) + UBXFrame.poll(.secUNIQID)
    }
    guard isUblox else { return bytes }
    if case .isSet = occasion {
      unanswered = 0
      return bytes
    }
    // It says it of itself: an epoch that lacks it has lost a message, and is no reason to ask.
    if case .tellsAccuracy = occasion, !hasAsked { asksAccuracy = nil }
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

  /// Whether the accuracy that comes is an answer: then it goes on being asked for.
  private var hasAsked = false
}
