import GNSSReceiver
import Geodesy
import LocationReplay
import WireFormats

/// A log played to a receiver session as `locationctl replay` does it, message by message, so that it is known which messages
/// each epoch consists of.
struct Playback {
  /// A complete epoch, and the messages since the previous one.
  struct Epoch {
    let fix: PositionFix?
    let sky: SkySummary
    let erasAdded: Int
    let messages: Range<Int>
    /// The UTC milliseconds since midnight in the last of its messages that has a time.
    let timeOfDay: Int?
    /// All times of its messages.
    let timesOfDay: Set<Int>
    /// The latitudes in its messages, in degrees.
    let latitudes: [Double]
    let longitudes: [Double]
    /// The coarsest step of these coordinates, in degrees.
    let coordinateStep: Double
    /// The coarsest step of its heights, in meters.
    let heightStep: Double
  }

  /// A sentence with a correct checksum that was rejected, and the number of messages before it.
  private(set) var refused: [(position: Int, sentence: String)] = []

  private(set) var messages: [PlayedMessage] = []
  private(set) var epochs: [Epoch] = []
  /// For each line that was cut off or had a wrong checksum, the number of messages before it.
  private(set) var broken: [Int] = []
  private var session: ReceiverSession
  private let origin = Instant(nanoseconds: 0)
  /// Leap seconds at the log's date, to convert a time of week to a time of day.
  private let leapMilliseconds: Int
  private var isFrom = 0

  init(_ log: ReceiverLog) {
    var settings = ReceiverSettings(device: log.name)
    settings.hasLineSpeed = false
    settings.mayPoll = false
    settings.isSimulated = true
    // The log's date serves as the machine's clock, as in gpsd; there is no earliest date, because several logs are older than
    // that.
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

  /// Collects the epochs that have become complete. `endsBefore`: the last message may be the first of the next epoch.
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

  /// The UTC milliseconds since midnight in a message.
  func timeOfDay(_ message: PlayedMessage) -> Int? {
    if let time = message.timeOfDay { return time }
    return message.timeOfWeek.map { ($0 - leapMilliseconds + 7 * 86_400_000) % 86_400_000 }
  }

  private static func sentence(of message: WireMessage, in bytes: [UInt8]) -> String? {
    if case .nmea = message { line(in: bytes) } else { nil }
  }

  /// The last line that begins in the bytes, or an empty string.
  private static func line(in bytes: [UInt8]) -> String {
    let start = bytes.lastIndex { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") }
    return String(decoding: bytes[(start ?? bytes.count)...], as: UTF8.self)
  }
}
