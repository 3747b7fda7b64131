import GNSSReceiver
import Geodesy
import LocationReplay
import WireFormats

/// A log played to a receiver session as `locationctl replay` does, message by message, so that each epoch is known to be of
/// certain messages.
struct Playback {
  /// A complete epoch, and the messages since the one before.
  struct Epoch {
    let fix: PositionFix?
    let sky: SkySummary
    let erasAdded: Int
    let messages: Range<Int>
    /// UTC milliseconds since midnight that its messages tell last.
    let timeOfDay: Int?
    /// All of those.
    let timesOfDay: Set<Int>
    /// The places that its messages tell, in degrees.
    let latitudes: [Double]
    let longitudes: [Double]
    /// Of those the coarsest step, in degrees.
    let coordinateStep: Double
    /// The coarsest step of heights, in metres.
    let heightStep: Double
  }

  /// A sentence with a right checksum that was refused, and the number of messages before it.
  private(set) var refused: [(position: Int, sentence: String)] = []

  private(set) var messages: [PlayedMessage] = []
  private(set) var epochs: [Epoch] = []
  /// Numbers of messages before which a line broke off, or its checksum was wrong.
  private(set) var broken: [Int] = []
  private var session: ReceiverSession
  private let origin = Instant(nanoseconds: 0)
  /// Leap seconds at the log's date, where a time of week is to be told as a time of day.
  private let leapMilliseconds: Int
  private var isFrom = 0

  init(_ log: ReceiverLog) {
    var settings = ReceiverSettings(device: log.name)
    settings.hasLineSpeed = false
    settings.mayPoll = false
    settings.isSimulated = true
    // The machine's clock, as gpsd takes it; no floor, as several logs are older than it says.
    settings.wallClock = log.date.flatMap { date in
      TimeOfDay(hour: 0, minute: 0, second: 0).flatMap { GNSSTime(date: date, timeOfDay: $0) }
    }
    leapMilliseconds = LeapSeconds.count(on: log.date) * 1000
    session = ReceiverSession(settings)
    collect(session.handle(.opened(baud: nil), at: origin), endsBefore: false)
    play(log.bytes)
  }

  private mutating func play(_ bytes: [UInt8]) {
    var pacer = PlainLogPacer()
    var shadow = WireDecoder()
    var waiting: [UInt8] = []
    var malformed: UInt64 = 0
    var errors: UInt64 = 0
    pacer.push(bytes[...])
    pacer.finish()
    var now = origin
    while let chunk = pacer.next() {
      let arrival = origin + chunk.arrival
      wake(until: arrival)
      now = max(now, arrival)
      var start = 0
      for index in chunk.bytes.indices {
        var message: PlayedMessage?
        waiting.append(chunk.bytes[index])
        shadow.push(chunk.bytes.span.extracting(index..<(index + 1))) { decoded in
          if message == nil { message = PlayedMessage(sentence: Self.sentence(of: decoded, in: waiting)) }
          message?.receive(decoded)
        }
        if shadow.counters.malformed > malformed {
          malformed = shadow.counters.malformed
          refused.append((messages.count, Self.line(in: waiting)))
        }
        if shadow.counters.checksumErrors > errors {
          errors = shadow.counters.checksumErrors
          broken.append(messages.count)
        }
        guard let message else { continue }
        messages.append(message)
        waiting.removeAll(keepingCapacity: true)
        receive(chunk.bytes[start...index], at: now)
        start = index + 1
      }
      receive(chunk.bytes[start...], at: now)
    }
    wake(until: now + .seconds(1))
  }

  private mutating func receive(_ bytes: ArraySlice<UInt8>, at now: Instant) {
    guard !bytes.isEmpty else { return }
    collect(session.receive(Array(bytes).span, at: now), endsBefore: true)
  }

  private mutating func wake(until time: Instant) {
    var last: Instant?
    while let deadline = session.nextDeadline, deadline <= time, deadline != last {
      last = deadline
      collect(session.handle(.wake, at: deadline), endsBefore: false)
    }
  }

  /// Notes the epochs that have become complete. `endsBefore`: the last message may be the next epoch's first.
  private mutating func collect(_ actions: [ReceiverSession.Action], endsBefore: Bool) {
    for case .epoch(let epoch) in actions where epoch.stage == .complete {
      var end = messages.count
      if endsBefore, end > isFrom + 1, isNext(messages[end - 1], after: messages[isFrom..<(end - 1)]) { end -= 1 }
      let reported = messages[isFrom..<end].compactMap(timeOfDay).last
      epochs.append(
        Epoch(
          fix: epoch.fix, sky: epoch.sky, erasAdded: epoch.erasAdded, messages: isFrom..<end, timeOfDay: reported,
          timesOfDay: Set(messages[isFrom..<end].compactMap(timeOfDay)),
          latitudes: messages[isFrom..<end].compactMap(\.latitude),
          longitudes: messages[isFrom..<end].compactMap(\.longitude),
          coordinateStep: messages[isFrom..<end].compactMap(\.coordinateStep).max() ?? 0,
          heightStep: messages[isFrom..<end].compactMap(\.heightStep).max() ?? 0))
      isFrom = end
    }
  }

  private func isNext(_ message: PlayedMessage, after messages: ArraySlice<PlayedMessage>) -> Bool {
    guard let time = timeOfDay(message), let last = messages.compactMap(timeOfDay).last else { return false }
    return time != last
  }

  /// The UTC milliseconds since midnight that a message tells.
  func timeOfDay(_ message: PlayedMessage) -> Int? {
    if let time = message.timeOfDay { return time }
    return message.timeOfWeek.map { ($0 - leapMilliseconds + 7 * 86_400_000) % 86_400_000 }
  }

  private static func sentence(of message: WireMessage, in bytes: [UInt8]) -> String? {
    if case .nmea = message { line(in: bytes) } else { nil }
  }

  /// The last line that begins in the bytes, or nothing.
  private static func line(in bytes: [UInt8]) -> String {
    let start = bytes.lastIndex { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") }
    return String(decoding: bytes[(start ?? bytes.count)...], as: UTF8.self)
  }
}
