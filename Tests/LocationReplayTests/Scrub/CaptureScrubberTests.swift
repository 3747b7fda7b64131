import Geodesy
import LocationReplay
import Testing
import WireFormats

/// Whole recordings: the other data beside the bytes, and the times of the bytes.
@Suite struct CaptureScrubberTests {
  private func scrub(_ records: [CaptureRecord]) -> [CaptureRecord] {
    var scrubber = CaptureScrubber(ScrubBench.anonymization(seed: 1))
    return records.flatMap { scrubber.push($0) } + scrubber.finish()
  }

  private func bytes(_ milliseconds: Int, _ source: Int, _ text: [UInt8]) -> CaptureRecord {
    CaptureRecord(arrival: .milliseconds(milliseconds), source: source, event: .bytes(text))
  }

  /// Sentences that are split across reads and interleaved with those of another receiver.
  @Test func eachByteStaysWhereAndWhenItWas() {
    let one = ScrubBench.recording(.nmea411, seconds: 8)
    let other = ScrubBench.recording(.ublox8, seconds: 8)
    var records: [CaptureRecord] = []
    for (index, start) in stride(from: 0, to: min(one.count, other.count), by: 37).enumerated() {
      records.append(bytes(index * 10, 1, Array(one[start..<min(start + 37, one.count)])))
      records.append(bytes(index * 10 + 5, 2, Array(other[start..<min(start + 37, other.count)])))
      if index == 20 {
        records.append(CaptureRecord(arrival: .milliseconds(206), source: 1, event: .speed(baud: 9600)))
      }
    }
    let scrubbed = scrub(records)
    #expect(scrubbed.map(\.arrival) == records.map(\.arrival))
    #expect(scrubbed.map(\.source) == records.map(\.source))
    func lengths(_ records: [CaptureRecord]) -> [Int] {
      records.map { if case .bytes(let bytes) = $0.event { bytes.count } else { -1 } }
    }
    #expect(lengths(scrubbed) == lengths(records))
    for (source, original) in [(1, one), (2, other)] {
      let all = scrubbed.filter { $0.source == source }.flatMap { record -> [UInt8] in
        if case .bytes(let bytes) = record.event { bytes } else { [] }
      }
      let search = CoordinateSearch(of: original)
      #expect(search.count > 10)
      #expect(search.hits(in: all) == [])
      #expect(all.count >= 2000)
      #expect(ScrubBench.counters(all).validFrames == ScrubBench.counters(Array(original[..<all.count])).validFrames)
    }
  }

  /// A sentence that began before a receiver was unplugged is not completed by later bytes.
  @Test func aSentenceCutByUnpluggingIsIgnored() {
    let sentence = ScrubBench.nmea("GPGGA,120000.00,4717.10000,N,00833.90000,E,1,08,1.0,400.0,M,47.0,M,,")
    let records = [
      bytes(0, 1, Array(sentence[..<40])), CaptureRecord(arrival: .milliseconds(10), source: 1, event: .gone),
      bytes(20, 1, Array(sentence[40...])),
    ]
    let scrubbed = scrub(records)
    #expect(scrubbed[1] == records[1])
    #expect(scrubbed[0].event == .bytes(Array("$XXXXX,000000.00,0000.00000,X,00000.0000".utf8)))
  }

  /// A source that becomes silent in the middle of a frame does not delay the others.
  @Test func silenceHoldsNoOneBack() {
    var scrubber = CaptureScrubber(ScrubBench.anonymization(seed: 1))
    #expect(scrubber.push(bytes(0, 1, Array("$GPGGA,12".utf8))) == [])
    #expect(scrubber.push(bytes(1000, 2, Array("\r\n".utf8))) == [])
    #expect(scrubber.push(bytes(2500, 2, Array("\r\n".utf8))).count == 3)
  }

  @Test func whoseItIsGoes() {
    var device = CapturedDevice(path: "/dev/serial/by-id/usb-u-blox_AG_12345678-if00")
    device.usbVendorID = 0x1546
    device.usbProductID = 0x01A8
    device.manufacturer = "u-blox AG"
    device.product = "u-blox 8 S/N 0012345678"
    device.serial = "12345678"
    device.baud = 9600
    let scrubbed = scrub([CaptureRecord(arrival: .zero, source: 3, event: .device(device))])
    var expected = CapturedDevice(path: "/dev/scrubbed3")
    expected.usbVendorID = 0x1546
    expected.usbProductID = 0x01A8
    expected.manufacturer = "u-blox AG"
    expected.product = "u-blox 8 S/N 0000000000"
    expected.baud = 9600
    #expect(scrubbed == [CaptureRecord(arrival: .zero, source: 3, event: .device(expected))])
    let plain = CaptureRecord(arrival: .zero, source: 1, event: .device(CapturedDevice(path: "/dev/ttyACM0")))
    #expect(scrub([plain]) == [plain])
    #expect(scrub([CaptureRecord(arrival: .zero, source: 0, event: .scan([1, 2, 3]))]) == [])
  }

  /// A file of any kind, cut at any place.
  @Test(arguments: [1, 100, 65_536]) func aFileIsCutAnywhere(size: Int) throws {
    var writer = CaptureWriter()
    var file = writer.comment("recorded at 47.285 8.565")
    file += writer.encode(
      CaptureRecord(arrival: .zero, source: 1, event: .device(CapturedDevice(path: "/dev/ttyACM0"))))
    for (index, piece) in stride(from: 0, to: 4000, by: 100).enumerated() {
      let text = ScrubBench.recording(.mixed, seconds: 8)
      file += writer.encode(bytes(index * 50, 1, Array(text[piece..<(piece + 100)])))
    }
    let search = CoordinateSearch(of: file)
    for (format, content) in [(LogFormat.capture, file), (.nmea, ScrubBench.recording(.nmea23, seconds: 8))] {
      var whole = try #require(RecordingScrubber(format, ScrubBench.anonymization(seed: 2), comment: "scrubbed"))
      var expected = whole.push(content.span)
      expected += whole.finish()
      var scrubber = try #require(RecordingScrubber(format, ScrubBench.anonymization(seed: 2), comment: "scrubbed"))
      var output: [UInt8] = []
      for start in stride(from: 0, to: content.count, by: size) {
        output += scrubber.push(content.span.extracting(start..<min(start + size, content.count)))
      }
      output += scrubber.finish()
      #expect(output == expected)
      #expect(scrubber.problem == nil)
      #expect(search.hits(in: output) == [])
      #expect(scrubber.tally.positionsMoved > 5)
    }
  }
}
