import Foundation
import TestSupport
import Testing
import WireFormats

/// The path of the log; `nil` without LOCATION_DATA.
private let recordedLog: String? = ProcessInfo.processInfo.environment["LOCATION_DATA"].map {
  $0 + "/gnss/MTV.Local1.ublox-F9K.20200206-181434.nmea"
}

/// A drive of 8.7 km recorded from a u-blox F9K: 45,498 lines, 13 of them damaged (each has a `G` twice: "$GGPGSV").
@Suite(.enabled(if: recordedLog != nil, "needs LOCATION_DATA, the folder of recorded receivers"))
struct RecordedLogTests {
  private func log() throws -> [UInt8] {
    guard let path = recordedLog else { throw Missing.message }
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  @Test func onlyTheDamagedLinesAreRejected() throws {
    let bytes = try log()
    let decoding = Decoding(bytes)
    #expect(decoding.counters.validNMEA == 45_485 && decoding.messages.count == 45_485)
    #expect(
      decoding.counters.checksumErrors == 13 && decoding.counters.malformed == 0 && decoding.counters.unknown == 0)
    #expect(decoding.counters.validUBX == 0 && decoding.counters.skippedRTCM == 0 && !decoding.hasPendingBytes)
    // The noise is exactly the damaged lines without their line endings.
    let damaged = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: Array("$GG".utf8)) }
    #expect(damaged.count == 13)
    #expect(
      decoding.counters.noiseBytes == damaged.reduce(0) { $0 + UInt64($1.filter { $0 != UInt8(ascii: "\r") }.count) })
  }

  /// Every sentence has the values that its epoch must have.
  @Test func nothingIsLost() throws {
    var counts: [String: Int] = [:]
    var positions = 0
    for message in Decoding(try log()).messages {
      guard case .nmea(let sentence, _) = message else { continue }
      switch sentence {
      case .rmc(let rmc):
        counts["RMC", default: 0] += 1
        if rmc.time != nil, rmc.date != nil, rmc.latitudeNanodegrees != nil, rmc.speedMilliknots != nil {
          positions += 1
        }
      case .gga: counts["GGA", default: 0] += 1
      case .gll: counts["GLL", default: 0] += 1
      case .vtg: counts["VTG", default: 0] += 1
      case .gsa: counts["GSA", default: 0] += 1
      case .gsv: counts["GSV", default: 0] += 1
      case .txt: counts["TXT", default: 0] += 1
      default: counts["other", default: 0] += 1
      }
    }
    #expect(counts == ["RMC": 1653, "GGA": 1653, "GLL": 1654, "VTG": 1652, "GSA": 6612, "GSV": 32_260, "TXT": 1])
    #expect(positions == 1653)
  }

  @Test(arguments: [1, 13, 4096, 0]) func chunksDoNotMatter(length: Int) throws {
    let bytes = try log()
    let whole = Decoding(bytes)
    var random = SplitMix64(seed: 1)
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + (length > 0 ? length : Int.random(in: 1...700, using: &random)), bytes.count)
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    let cut = Decoding(pieces: pieces)
    #expect(cut.counters == whole.counters && cut.messages.count == whole.messages.count)
    // Reflection is slow: only every eleventh message is compared, which includes all types.
    for index in stride(from: 0, to: min(whole.messages.count, cut.messages.count), by: 11) {
      #expect(cut.messages[index].text == whole.messages[index].text)
    }
  }
}
