import Foundation
import Geodesy
import LocationReplay
import TestSupport
import Testing
import WireFormats

/// Properties of any scrubbed stream.
@Suite struct StreamScrubberTests {
  @Test(arguments: Dialect.allCases) func noCoordinateIsFound(dialect: Dialect) {
    let bytes = ScrubBench.recording(dialect)
    let search = CoordinateSearch(of: bytes)
    #expect(search.count > 100)
    #expect(search.hits(in: bytes).count > 90)
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(search.hits(in: ScrubBench.scrub(bytes, seed: seed)) == [])
    }
  }

  @Test(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"))
  func noCoordinateOfTheRecordedDriveIsFound() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: RecordedDrive.logPath)))
    let search = CoordinateSearch(of: bytes)
    #expect(search.hits(in: bytes).count > 6000)
    let scrubbed = ScrubBench.scrub(bytes, seed: 3)
    #expect(search.hits(in: scrubbed) == [])
    expectTheSameCounts(bytes, scrubbed)
  }

  @Test(arguments: Dialect.allCases) func asMuchIsValidAsBefore(dialect: Dialect) {
    let bytes = ScrubBench.recording(dialect)
    for seed in 1...3 as ClosedRange<UInt64> {
      let scrubbed = ScrubBench.scrub(bytes, seed: seed)
      expectTheSameCounts(bytes, scrubbed)
      expectTheSameCounts(bytes, ScrubBench.scrub(scrubbed, seed: seed + 1))
    }
  }

  @Test(arguments: Dialect.allCases) func chunksDoNotMatter(dialect: Dialect) {
    let bytes = ScrubBench.recording(dialect, seconds: 25)
    let whole = ScrubBench.scrub(bytes)
    #expect(whole.count == bytes.count)
    var generator = SplitMix64(seed: 4)
    for cuts in [[1], [7], (0..<97).map { _ in Int.random(in: 1...400, using: &generator) }] {
      #expect(ScrubBench.scrub(bytes, cuts: cuts) == whole)
    }
  }

  /// A recording that begins in the middle of a sentence or of a message.
  @Test(arguments: [Dialect.nmea411, .ublox8]) func aBeginningWithoutItsHeadHoldsNothing(dialect: Dialect) {
    let bytes = ScrubBench.recording(dialect, seconds: 20)
    let search = CoordinateSearch(of: bytes)
    for start in stride(from: 1, to: 400, by: 7) {
      let cut = Array(bytes[start...])
      #expect(search.hits(in: ScrubBench.scrub(cut)) == [])
    }
  }

  /// A stream without a complete sentence or message: a wrong baud rate, or another protocol.
  @Test func noiseIsBlanked() {
    let text = Array("4717.10000,N,00833.90000,E,0000000B5A\r\n".utf8)
    #expect(
      String(decoding: ScrubBench.scrub(text), as: UTF8.self) == "0000.00000,X,00000.00000,X,0000000X0X\r\n")
    #expect(ScrubBench.scrub([0x1C, 0x2F, 0x1E, 0x84, 0xFF]) == [0, 0x58, 0, 0, 0])
  }

  /// A damaged sentence stays damaged, whatever its new checksum is.
  @Test func damageStays() {
    for reported in 0..<256 {
      let checksum = String(format: "%02X", reported)
      for content in ["GPGGA,120000,4717.1000,N,00833.9000,E,1,08,1.0,400.0,M,47.0,M,,", ",,", "", "GPXXX"] {
        guard content.utf8.reduce(0, ^) != UInt8(reported) else { continue }
        let line = Array("$\(content)*\(checksum)\r\n".utf8)
        let scrubbed = ScrubBench.scrub(line)
        #expect(ScrubBench.counters(scrubbed).validNMEA == 0, "\(String(decoding: scrubbed, as: UTF8.self))")
        #expect(scrubbed.count == line.count)
      }
    }
    let line = Array("$GPGGA,120000,4717.1000,N,00833.9000,E,1*00\r\n".utf8)
    #expect(
      String(decoding: ScrubBench.scrub(line), as: UTF8.self).hasPrefix("$GPGGA,000000,0000.0000,X,00000.0000,X,"))
  }

  private func expectTheSameCounts(
    _ bytes: [UInt8], _ scrubbed: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (one, other) = (ScrubBench.counters(bytes), ScrubBench.counters(scrubbed))
    #expect(bytes.count == scrubbed.count, sourceLocation: sourceLocation)
    #expect(one.validNMEA == other.validNMEA, sourceLocation: sourceLocation)
    #expect(one.validUBX == other.validUBX, sourceLocation: sourceLocation)
    #expect(one.skippedRTCM == other.skippedRTCM, sourceLocation: sourceLocation)
    #expect(one.malformed == other.malformed, sourceLocation: sourceLocation)
    #expect(one.unknown == other.unknown, sourceLocation: sourceLocation)
    #expect(one.checksumErrors == other.checksumErrors, sourceLocation: sourceLocation)
  }
}
