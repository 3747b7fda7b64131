package import Geodesy
import WireFormats

/// What a receiver knew of its satellites, as the messages that it told it in.
package struct AssistanceData: Hashable, Sendable {
  /// A full database of four constellations has some 20 KiB; more is not kept.
  package static let maximumSize = 64 * 1024

  /// Whose it is, see `ReceiverKey`.
  package let key: ReceiverKey
  /// Whole UBX frames, one after another.
  package private(set) var frames: [[UInt8]] = []
  private var size = 0

  /// Nothing known yet.
  package init(key: ReceiverKey) { self.key = key }

  /// Adds a frame; `false` where it is too much.
  package mutating func append(_ frame: [UInt8]) -> Bool {
    guard size + frame.count <= Self.maximumSize else { return false }
    frames.append(frame)
    size += frame.count
    return true
  }

  /// All of it in one piece: a UBX log that any UBX program reads.
  package var bytes: [UInt8] { frames.flatMap { $0 } }
}

/// Gives a receiver what is known, a message at a time: its buffer is small, and not all acknowledge what they take.
struct AssistanceGift: Sendable {
  /// Between two messages; a slow line takes longer by itself.
  static let pause: Duration = .milliseconds(10)

  private var waiting: ArraySlice<[UInt8]>
  private let nanosecondsPerByte: Int64
  /// When the next message may go; `nil`: all are gone.
  private(set) var deadline: Instant?

  init(_ messages: [[UInt8]], baud: Int?, at now: Instant) {
    waiting = messages[...]
    nanosecondsPerByte = baud.map { 10_000_000_000 / Int64(max($0, 50)) } ?? 0
    deadline = waiting.isEmpty ? nil : now
  }

  /// The message that is due; empty where none is.
  mutating func next(at now: Instant) -> [UInt8] {
    guard let deadline, now >= deadline, let message = waiting.popFirst() else { return [] }
    let carried = Duration.nanoseconds(Int64(message.count) * nanosecondsPerByte)
    self.deadline = waiting.isEmpty ? nil : now + max(Self.pause, carried)
    return message
  }
}

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

/// Roughly where a receiver is before it knows.
package struct AssistancePlace: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Above the ellipsoid.
  package var height: Meters
  /// How far it may be off; 68 %.
  package var error: Meters

  /// How far may have been travelled since, in metres per second, and at most.
  static let travelSpeed = 30.0
  static let farthest = 300_000.0

  /// Where the last fix was, `age` ago.
  package init(_ fix: PositionFix, age: Duration) {
    coordinate = fix.coordinate
    height = fix.heightAboveEllipsoid ?? fix.heightAboveMeanSeaLevel ?? Meters(0)
    // Below 100 m nothing is gained.
    let travelled = min(max(0, age.inSeconds) * Self.travelSpeed, Self.farthest)
    error = Meters(max(100, fix.horizontalRadius68.value + travelled))
  }
}

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

/// What is known that helps a receiver to its first fix.
package struct ReceiverHelp: Hashable, Sendable {
  /// What it knew of the satellites.
  package var data: AssistanceData?
  /// UTC now; `nil` where ours cannot be trusted.
  package var utc: GNSSTime?
  /// How far `utc` may be off.
  package var utcError: Duration = .seconds(1)
  /// Roughly where it is.
  package var place: AssistancePlace?

  /// Nothing known.
  package init() {}
}
