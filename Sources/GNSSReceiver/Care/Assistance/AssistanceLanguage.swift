import Geodesy
import WireFormats

/// The messages of a generation that help it to a fix.
enum AssistanceLanguage: Hashable, Sendable {
  /// UBX-MGA: generation 8 on, protocol 15.
  case mga
  /// UBX-AID: generations 5 to 7.
  case aid

  init(protocolVersionHundredths version: Int?) { self = (version ?? 0) >= 1500 ? .mga : .aid }

  /// Asks for all that the receiver knows.
  var poll: [UInt8] {
    switch self {
    case .mga: UBXFrame.pollDatabase
    case .aid: UBXFrame.pollAidingData
    }
  }

  /// Whether a message is a piece of what was asked for, and says anything.
  func isData(_ payload: UBXPayload) -> Bool {
    switch self {
    // Twelve reserved bytes, then the entry.
    case .mga: payload.messageClass == 0x13 && payload.bytes.count > 12
    // Number and word alone: nothing is known of that satellite.
    case .aid: payload.messageClass == 0x0B && payload.bytes.count > 8
    }
  }

  /// Where and when the receiver is.
  func opening(time: (utc: GNSSTime, error: Duration)?, place: AssistancePlace?) -> [[UInt8]] {
    switch self {
    case .mga:
      [
        time.flatMap { UBXFrame.initialTime($0.utc, error: $0.error) },
        place.map { UBXFrame.initialPosition($0.coordinate, height: $0.height, error: $0.error) },
      ].compactMap { $0 }
    case .aid:
      [UBXFrame.initialAid(time: time, place: place.map { ($0.coordinate, $0.height, $0.error) })].compactMap { $0 }
    }
  }
}
