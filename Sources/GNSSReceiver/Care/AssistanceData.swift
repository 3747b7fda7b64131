package import Geodesy
import WireFormats

/// A receiver's satellite data, as the messages in which it sent them.
package struct AssistanceData: Hashable, Sendable {
  /// The maximum size, bytes; a full database of four constellations has about 20 KiB.
  package static let maximumSize = 64 * 1024

  /// The receiver that it comes from, see `ReceiverKey`.
  package let key: ReceiverKey
  /// Whole UBX frames, one after another.
  package private(set) var frames: [[UInt8]] = []
  private var size = 0

  /// Data without frames.
  package init(key: ReceiverKey) { self.key = key }

  /// Adds a frame; `false` if the size would exceed `maximumSize`.
  package mutating func append(_ frame: [UInt8]) -> Bool {
    guard size + frame.count <= Self.maximumSize else { return false }
    frames.append(frame)
    size += frame.count
    return true
  }

  /// All frames in one piece: a UBX log that any UBX program reads.
  package var bytes: [UInt8] { frames.flatMap { $0 } }
}

/// Sends assistance data to a receiver, one message at a time: the receiver's buffer is small, and not all receivers
/// acknowledge what they accept.
struct AssistanceUpload: Sendable {
  /// The pause between two messages; on a slow line the transfer of a message takes longer than this.
  static let pause: Duration = .milliseconds(10)

  private var waiting: ArraySlice<[UInt8]>
  private let nanosecondsPerByte: Int64
  /// When the next message may be sent; `nil` if all have been sent.
  private(set) var deadline: Instant?

  init(_ messages: [[UInt8]], baud: Int?, at now: Instant) {
    waiting = messages[...]
    nanosecondsPerByte = baud.map { 10_000_000_000 / Int64(max($0, 50)) } ?? 0
    deadline = waiting.isEmpty ? nil : now
  }

  /// The message that is due; empty if none is.
  mutating func next(at now: Instant) -> [UInt8] {
    guard let deadline, now >= deadline, let message = waiting.popFirst() else { return [] }
    let carried = Duration.nanoseconds(Int64(message.count) * nanosecondsPerByte)
    self.deadline = waiting.isEmpty ? nil : now + max(Self.pause, carried)
    return message
  }
}

/// The protocol of a receiver generation for assistance data.
enum AssistanceProtocol: Hashable, Sendable {
  /// UBX-MGA: generation 8 on, protocol 15.
  case mga
  /// UBX-AID: generations 5 to 7.
  case aid

  init(protocolVersionHundredths version: Int?) { self = (version ?? 0) >= 1500 ? .mga : .aid }

  /// The request for all data that the receiver has.
  var poll: [UInt8] {
    switch self {
    case .mga: UBXFrame.pollDatabase
    case .aid: UBXFrame.pollAidingData
    }
  }

  /// Whether a message is part of the requested data and is not empty.
  func isData(_ payload: UBXPayload) -> Bool {
    switch self {
    // Twelve reserved bytes, then the entry.
    case .mga: payload.messageClass == 0x13 && payload.bytes.count > 12
    // Eight bytes are only the satellite's number and a status word: there is no data for that satellite.
    case .aid: payload.messageClass == 0x0B && payload.bytes.count > 8
    }
  }

  /// The messages with the receiver's approximate time and position.
  func opening(time: (utc: GNSSTime, error: Duration)?, place: AssistancePosition?) -> [[UInt8]] {
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

/// The approximate position of a receiver before its first fix.
package struct AssistancePosition: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Above the ellipsoid.
  package var height: Meters
  /// The possible error of the coordinate, a 68 % radius.
  package var error: Meters

  /// The assumed speed of travel since the last fix, in meters per second, and the greatest assumed distance, in
  /// meters.
  static let travelSpeed = 30.0
  static let farthest = 300_000.0

  /// The position of the last fix, which is `age` old.
  package init(_ fix: PositionFix, age: Duration) {
    coordinate = fix.coordinate
    height = fix.heightAboveEllipsoid ?? fix.heightAboveMeanSeaLevel ?? Meters(0)
    // An error below 100 m would give the receiver no further advantage.
    let travelled = min(max(0, age.inSeconds) * Self.travelSpeed, Self.farthest)
    error = Meters(max(100, fix.horizontalRadius68.value + travelled))
  }
}

/// Reads a receiver's satellite data: polls once, and collects messages until the receiver reports the end or falls silent.
struct AssistanceReader: Sendable {
  /// Silence after which the data is complete; most receivers report the end.
  static let patience: Duration = .milliseconds(1500)

  /// The longest time to read, even if more data comes: a full database takes this long on a slow line.
  static let longest: Duration = .seconds(30)

  private let language: AssistanceProtocol
  private let end: Instant
  private(set) var data: AssistanceData
  /// When reading ends unless more data comes.
  private(set) var deadline: Instant
  private(set) var isOver = false

  init(_ language: AssistanceProtocol, _ key: ReceiverKey, at now: Instant) {
    self.language = language
    data = AssistanceData(key: key)
    deadline = now + Self.patience
    end = now + Self.longest
  }

  mutating func received(_ message: UBXMessage, at now: Instant) {
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

/// Assistance data for a receiver's first fix.
package struct ReceiverAssistance: Hashable, Sendable {
  /// The satellite data that the receiver reported before.
  package var data: AssistanceData?
  /// UTC now; `nil` if the machine's clock cannot be trusted.
  package var utc: GNSSTime?
  /// The possible error of `utc`.
  package var utcError: Duration = .seconds(1)
  /// The receiver's approximate position.
  package var place: AssistancePosition?

  /// No assistance data.
  package init() {}
}
