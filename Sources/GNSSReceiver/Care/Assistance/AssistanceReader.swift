import Geodesy
import WireFormats

/// Reads out what a receiver knows of its satellites: asks once, and gathers until the end is told, or nothing more comes.
struct AssistanceReader: Sendable {
  /// Silence after which nothing more comes; most receivers say when they are through.
  static let patience: Duration = .milliseconds(1500)

  /// However much more comes, nobody listens longer: a full database takes a slow line so long.
  static let longest: Duration = .seconds(30)

  private let language: AssistanceLanguage
  private let end: Instant
  private(set) var data: AssistanceData
  /// When it is over at the latest, unless more comes.
  private(set) var deadline: Instant
  private(set) var isOver = false

  init(_ language: AssistanceLanguage, _ key: ReceiverKey, at now: Instant) {
    self.language = language
    data = AssistanceData(key: key)
    deadline = now + Self.patience
    end = now + Self.longest
  }

  mutating func heard(_ message: UBXMessage, at now: Instant) {
    switch message {
    case .assistance(let payload) where payload.messageClass == (language == .mga ? 0x13 : 0x0B):
      deadline = min(now + Self.patience, end)
      if language.isData(payload), !data.append(payload.frame) { isOver = true }
    case .assistanceAcknowledgement(let end) where end.endsDump: isOver = true
    default: break
    }
  }

  mutating func wake(at now: Instant) { if now >= deadline { isOver = true } }
}
