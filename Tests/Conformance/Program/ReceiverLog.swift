import Foundation
import Geodesy
import WireFormats

/// One of gpsd's recorded receivers: its bytes, without the comments that gpsd's player also removes.
struct ReceiverLog {
  /// The protocol of its receiver.
  enum Kind: String {
    case nmea = "NMEA"
    case ubx = "UBX"
    /// Another protocol, which this package does not decode.
    case foreign = "other"
  }

  let name: String
  /// The name without `.log`.
  var shortName: String { String(name.dropLast(4)) }
  let bytes: [UInt8]
  /// The date in `# Date:`, which presets the era.
  let date: CalendarDate?
  let kind: Kind
  let counters: DecodeCounters

  /// The share of a log in a supported protocol that may be noise or messages of unsupported protocols.
  private static let mostNoise = 0.6

  init(name: String, data: Data) {
    self.name = name
    var kept: [UInt8] = []
    kept.reserveCapacity(data.count)
    var date: CalendarDate?
    var isHeader = true
    for line in Self.lines(of: [UInt8](data)) {
      guard Self.isComment(line, inHeader: isHeader) else {
        isHeader = false
        kept += line
        continue
      }
      if date == nil { date = Self.date(in: line) }
    }
    bytes = kept
    self.date = date
    var decoder = WireDecoder()
    decoder.push(kept.span) { _ in }
    counters = decoder.counters
    kind = Self.kind(of: decoder.counters)
  }

  /// Most of the log must be supported frames. One UBX message makes it the log of a u-blox receiver, whatever else it contains.
  private static func kind(of counters: DecodeCounters) -> Kind {
    let all = counters.frameBytes + counters.noiseBytes
    guard counters.validNMEA + counters.validUBX > 0, Double(counters.noiseBytes) <= mostNoise * Double(all) else {
      return .foreign
    }
    return counters.validUBX > 0 ? .ubx : .nmea
  }

  /// The lines with their line endings.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      lines.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  /// After the header, a `#` may be part of a binary message: a comment is text up to its end.
  private static func isComment(_ line: ArraySlice<UInt8>, inHeader: Bool) -> Bool {
    guard line.first == UInt8(ascii: "#"), line.last == UInt8(ascii: "\n") else { return false }
    return inHeader || line.dropLast().allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0D || $0 == 0x09 }
  }

  private static func date(in line: ArraySlice<UInt8>) -> CalendarDate? {
    let text = String(decoding: line, as: UTF8.self)
    guard let mark = text.range(of: "Date:") else { return nil }
    let parts = text[mark.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines).prefix {
      $0 != "T" && $0 != " "
    }
    .split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return CalendarDate(year: parts[0], month: parts[1], day: parts[2])
  }
}
