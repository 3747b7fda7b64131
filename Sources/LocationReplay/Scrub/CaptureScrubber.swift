import Geodesy

/// Scrubs a capture record by record, and removes what identifies a machine or its owner. The bytes of each source are
/// scrubbed as one stream; each record keeps its time.
///
/// A record is output when it is known to which frames its bytes belong, and never before an earlier record.
package struct CaptureScrubber: Sendable {
  /// After a silence of this duration, a source will not complete the frame that it has begun.
  private static let patience: Duration = .seconds(2)

  /// A received record, and how many of its bytes have not been output.
  private struct Waiting: Sendable {
    var record: CaptureRecord
    var missing: Int
    var done: [UInt8] = []
  }

  private struct Source: Sendable {
    var stream = StreamScrubber()
    var lastReceived: Duration
  }

  /// The random parameters, and the summary so far.
  package private(set) var anonymization: Anonymization
  private var sources: [Int: Source] = [:]
  private var waiting: [Waiting] = []

  /// A scrubber at the beginning of a capture.
  package init(_ anonymization: Anonymization) { self.anonymization = anonymization }

  /// Receives the next record; returns those that are done.
  package mutating func push(_ record: CaptureRecord) -> [CaptureRecord] {
    for number in sources.keys.sorted() {
      guard let source = sources[number], source.stream.pendingByteCount > 0,
        record.arrival - source.lastReceived > Self.patience
      else { continue }
      end(number)
    }
    switch record.event {
    case .bytes(let bytes): receive(bytes, record)
    case .gone:
      end(record.source)
      waiting.append(Waiting(record: record, missing: 0))
    case .device(let device):
      var record = record
      record.event = .device(Self.scrubbed(device, number: record.source))
      waiting.append(Waiting(record: record, missing: 0))
    // Access points reveal the position.
    case .scan: anonymization.tally.scansDropped += 1
    case .start, .speed: waiting.append(Waiting(record: record, missing: 0))
    }
    return release()
  }

  /// Ends the capture; returns the rest.
  package mutating func finish() -> [CaptureRecord] {
    for number in sources.keys.sorted() { end(number) }
    return release()
  }

  private mutating func receive(_ bytes: [UInt8], _ record: CaptureRecord) {
    waiting.append(Waiting(record: record, missing: bytes.count))
    var source = sources[record.source] ?? Source(lastReceived: record.arrival)
    source.lastReceived = record.arrival
    let done = source.stream.push(bytes.span, &anonymization)
    sources[record.source] = source
    fill(record.source, done)
  }

  private mutating func end(_ number: Int) {
    guard var source = sources[number] else { return }
    let done = source.stream.finish(&anonymization)
    sources[number] = source
    fill(number, done)
  }

  /// Assigns output bytes to the records that they came from.
  private mutating func fill(_ number: Int, _ bytes: [UInt8]) {
    var rest = bytes[...]
    for index in waiting.indices where !rest.isEmpty && waiting[index].record.source == number {
      let part = rest.prefix(waiting[index].missing)
      waiting[index].done += part
      waiting[index].missing -= part.count
      rest = rest.dropFirst(part.count)
    }
  }

  private mutating func release() -> [CaptureRecord] {
    let ready = waiting.prefix { $0.missing == 0 }
    waiting.removeFirst(ready.count)
    return ready.map { entry in
      guard case .bytes = entry.record.event else { return entry.record }
      var record = entry.record
      record.event = .bytes(entry.done)
      return record
    }
  }

  /// A device without what identifies it: its serial number, long numbers in its names, and a path that is not simply
  /// that of a port.
  private static func scrubbed(_ device: CapturedDevice, number: Int) -> CapturedDevice {
    var device = device
    let name = device.path.utf8.dropFirst("/dev/tty".utf8.count)
    let isPlain =
      device.path.hasPrefix("/dev/tty") && name.count <= 8
      && name.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    if !isPlain { device.path = "/dev/scrubbed\(number)" }
    device.serial = nil
    device.product = device.product.map(withoutNumbers)
    device.manufacturer = device.manufacturer.map(withoutNumbers)
    return device
  }

  /// A text with zeros for all numbers of five or more digits, which may be serial numbers.
  private static func withoutNumbers(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var start = 0
    for place in 0...bytes.count {
      if place < bytes.count, (0x30...0x39).contains(bytes[place]) { continue }
      if place - start >= 5 { for digit in start..<place { bytes[digit] = UInt8(ascii: "0") } }
      start = place + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What a scrubbed recording keeps although it may reveal something.
package struct ScrubOptions: Hashable, Sendable {
  /// Keep the satellites' numbers, elevations and azimuths. Together with the time they reveal the position to within a few hundred
  /// kilometers, and the rotation of the track.
  package var keepsSky = false
  /// Keep sentences and messages that have a correct checksum but are unknown to the scrubber.
  package var keepsUnknown = false

  /// Keeps neither.
  package init() {}
}

/// The summary of a scrubber's work, for people to read.
package struct ScrubTally: Hashable, Sendable {
  /// The number of positions moved.
  package var positionsMoved = 0
  /// The number of sentences and messages with a correct checksum that were blanked because their content is unknown.
  package var framesBlanked = 0
  /// The number of bytes blanked outside of frames with a correct checksum.
  package var bytesBlanked = 0
  /// The number of Wi-Fi scans removed.
  package var scansDropped = 0

  /// An empty summary.
  package init() {}
}

/// The beginnings of the texts that receivers send when they start.
enum KnownText {
  private static let beginnings: [[UInt8]] = [
    "ANTSTATUS=", "ANTSUPERV=", "ANTENNA ", "HW UBX", "ROM ", "EXT CORE", "PROTVER", "FWVER=", "MOD=", "GNSS OTP",
    "LLC ",
    "PF=", "GPS;", "FIS ", "u-blox ", "SIMULATED", "IC=", "SW=", "TB=", "MO=", "Starting GNSS", "Stopping GNSS",
    "txbuf alloc", "ANT_OK", "ANT_OPEN", "ANT_SHORT",
  ].map { Array($0.utf8) }

  static func contains(_ text: some Collection<UInt8>) -> Bool {
    isHarmless(text) && beginnings.contains { text.starts(with: $0) }
  }

  /// Whether no number in `text` could be a coordinate: versions have at most two decimals.
  static func isHarmless(_ text: some Collection<UInt8>) -> Bool {
    var decimals: Int?
    for byte in text {
      switch byte {
      case UInt8(ascii: "."): decimals = 0
      case 0x30...0x39: decimals = decimals.map { $0 + 1 }
      default: decimals = nil
      }
      if decimals == 3 { return false }
    }
    return true
  }
}
