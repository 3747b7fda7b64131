import Geodesy

/// Scrubs a capture record by record: bytes source by source, each at its own time; what names a machine or its owner goes.
///
/// A record comes out when it is known what its bytes belong to, and never before one that went in earlier.
package struct CaptureScrubber: Sendable {
  /// A source that says nothing for so long says no more of a frame that it has begun.
  private static let patience: Duration = .seconds(2)

  /// A record that went in, and how many of its bytes have not come out.
  private struct Waiting: Sendable {
    var record: CaptureRecord
    var missing: Int
    var done: [UInt8] = []
  }

  private struct Source: Sendable {
    var stream = StreamScrubber()
    var lastHeard: Duration
  }

  /// What was put in the place of what.
  package private(set) var disguise: Disguise
  private var sources: [Int: Source] = [:]
  private var waiting: [Waiting] = []

  /// A scrubber at the beginning of a capture.
  package init(_ disguise: Disguise) { self.disguise = disguise }

  /// Takes the next record, gives those that are done.
  package mutating func push(_ record: CaptureRecord) -> [CaptureRecord] {
    for number in sources.keys.sorted() {
      guard let source = sources[number], source.stream.pendingByteCount > 0,
        record.arrival - source.lastHeard > Self.patience
      else { continue }
      end(number)
    }
    switch record.event {
    case .bytes(let bytes): take(bytes, record)
    case .gone:
      end(record.source)
      waiting.append(Waiting(record: record, missing: 0))
    case .device(let device):
      var record = record
      record.event = .device(Self.scrubbed(device, number: record.source))
      waiting.append(Waiting(record: record, missing: 0))
    // The access points of a place name it.
    case .scan: disguise.tally.scansDropped += 1
    case .start, .speed: waiting.append(Waiting(record: record, missing: 0))
    }
    return release()
  }

  /// Says that the capture ends here. Gives the rest.
  package mutating func finish() -> [CaptureRecord] {
    for number in sources.keys.sorted() { end(number) }
    return release()
  }

  private mutating func take(_ bytes: [UInt8], _ record: CaptureRecord) {
    waiting.append(Waiting(record: record, missing: bytes.count))
    var source = sources[record.source] ?? Source(lastHeard: record.arrival)
    source.lastHeard = record.arrival
    let done = source.stream.push(bytes.span, &disguise)
    sources[record.source] = source
    fill(record.source, done)
  }

  private mutating func end(_ number: Int) {
    guard var source = sources[number] else { return }
    let done = source.stream.finish(&disguise)
    sources[number] = source
    fill(number, done)
  }

  /// Gives bytes that have come out to the records that they went in with.
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

  /// A device without what is its own: names that hold a serial number, and the number.
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

  /// A text whose numbers of five digits and more, which may be a serial one, are zeros.
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

/// What a scrubbed recording keeps beyond what is harmless.
package struct ScrubOptions: Hashable, Sendable {
  /// Satellites keep their numbers, elevations and azimuths. With the time they give the place to some hundred kilometres,
  /// and the turn of the track.
  package var keepsSky = false
  /// Sentences and messages with a right checksum that the scrubber does not know stay as they are.
  package var keepsUnknown = false

  /// Nothing.
  package init() {}
}

/// What a scrubber has done, for people to read.
package struct ScrubTally: Hashable, Sendable {
  /// Positions that were moved.
  package var positionsMoved = 0
  /// Sentences and messages with a right checksum whose content was blanked, as it may hold anything.
  package var framesBlanked = 0
  /// Bytes outside of frames with a right checksum that were blanked.
  package var bytesBlanked = 0
  /// Wi-Fi scans that were left out.
  package var scansDropped = 0

  /// Nothing done yet.
  package init() {}
}

/// The beginnings of what receivers say of themselves when they are switched on.
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

  /// Whether no number in it could be a coordinate: versions have two decimals at most.
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
