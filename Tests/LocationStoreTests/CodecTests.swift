import Geodesy
@testable import LocationStore
import TestSupport
import Testing
import WireFormats

@Suite struct CodecTests {
  // MARK: Primitives

  /// RFC 3720, appendix B.4, and the common check value.
  @Test func checksumIsTheOneOfISCSI() {
    func checksum(_ bytes: [UInt8]) -> UInt32 {
      var checksum = CRC32C()
      checksum.add(bytes.span)
      return checksum.value
    }
    #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(checksum(Array(0..<32)) == 0x46DD_794E)
    #expect(checksum((0..<32).reversed()) == 0x113F_DB5C)
    #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
  }

  @Test(arguments: [0, 1, -1, 63, -64, 64, 8191, 1 << 62, .max, .min] as [Int64])
  func zigZagGoesThereAndBack(value: Int64) {
    #expect(ZigZag.decode(ZigZag.encode(value)) == value)
    var bytes: [UInt8] = []
    ZigZag.append(value, to: &bytes)
    #expect(bytes.count == ZigZag.byteCount(value))
    var offset = 0
    #expect(ZigZag.read(bytes.span, at: &offset) == value)
    #expect(offset == bytes.count)
    var short = 0
    #expect(ZigZag.read(bytes.span.extracting(..<(bytes.count - 1)), at: &short) == nil)
  }

  @Test func zigZagRefusesWhatIsNo64Bits() {
    var offset = 0
    let bytes = [UInt8](repeating: 0xFF, count: 9) + [2]
    #expect(ZigZag.read(bytes.span, at: &offset) == nil)
  }

  @Test func bitsOfAnyWidth() {
    var random = SplitMix64(seed: 1)
    let values = (0..<500).map { _ -> (UInt64, Int) in
      let width = Int.random(in: 0...64, using: &random)
      let value = UInt64.random(in: .min ... .max, using: &random)
      return (width == 64 ? value : value & (1 << UInt64(width) - 1), width)
    }
    var writer = BitWriter()
    for (value, width) in values { writer.append(value, width: width) }
    var reader = BitReader(at: 0)
    for (value, width) in values { #expect(reader.read(width, of: writer.bytes.span) == value) }
    #expect(writer.bytes.count == (values.reduce(0) { $0 + $1.1 } + 7) / 8)
  }

  // MARK: Blocks

  private let source = TrackSource(device: "/dev/ttyACM0", receiver: "usb-1546-01a9-serial")

  /// Encodes the entries as a block, and decodes them again.
  private func roundTrip(_ fixes: [PositionFix]) throws -> [TrackEntry] {
    let decoder = TrackBlockDecoder(segment: 7, sources: [source])
    var encoder = TrackBlockEncoder()
    var last = TrackRow()
    var entries: [TrackEntry] = []
    for fix in fixes {
      let index = fix.device == nil && fix.receiver == nil ? 0 : 1
      let row = try #require(TrackRow(fix, source: index, previous: last))
      if !encoder.append(row) {
        entries += try decoder.entries(encoder.finish(segment: 7, index: 3).span, index: 3)
        #expect(encoder.append(row) == true)
      }
      last = row
    }
    return entries + (try decoder.entries(encoder.finish(segment: 7, index: 3).span, index: 3))
  }

  @Test func wholeNumbersComeBackAsTheyWere() throws {
    let fixes = (0..<500).map(LoggedDrive.fix)
    #expect(try roundTrip(fixes) == fixes.map { .fix($0) })
  }

  /// Any value is within half a unit, or a whole one if it is rounded down, and unchanged by another round trip.
  @Test func anyFixComesBackWithinItsUnits() throws {
    var random = SplitMix64(seed: 3)
    let fixes = (0..<2000).map { _ in PositionFix.anything(&random) }
    let back = try roundTrip(fixes)
    for (fix, entry) in zip(fixes, back) {
      guard case .fix(let reported) = entry else {
        Issue.record("no fix: \(entry)")
        continue
      }
      #expect(reported.isWithinUnits(of: fix), "\(reported) for \(fix)")
    }
    let again = try roundTrip(
      back.compactMap { entry in if case .fix(let fix) = entry { fix } else { nil } })
    #expect(again == back)
  }

  @Test func fixWithoutAPlaceIsRefused() {
    var fix = LoggedDrive.fix(1)
    fix.coordinate.latitude = Angle(degrees: .nan)
    #expect(TrackRow(fix, source: 0, previous: TrackRow()) == nil)
    fix = LoggedDrive.fix(1)
    fix.coordinate.longitude = Angle(degrees: 180.1)
    #expect(TrackRow(fix, source: 0, previous: TrackRow()) == nil)
    fix = LoggedDrive.fix(1)
    fix.horizontalRadius68 = Meters(0)
    #expect(TrackRow(fix, source: 0, previous: TrackRow()) == nil)
    fix.horizontalRadius68 = Meters(.infinity)
    #expect(TrackRow(fix, source: 0, previous: TrackRow()) == nil)
  }

  @Test func halfAMinuteOfDrivingIsOneBlock() {
    var encoder = TrackBlockEncoder()
    var last = TrackRow()
    for number in stride(from: 0, to: 300, by: 10) {
      guard let row = TrackRow(LoggedDrive.fix(number), source: 1, previous: last) else { return }
      #expect(encoder.append(row) == true, "full after \(number / 10)")
      last = row
    }
  }

  private func block() -> [UInt8] {
    var encoder = TrackBlockEncoder()
    var last = TrackRow()
    while let row = TrackRow(LoggedDrive.fix(encoder.count), source: 1, previous: last), encoder.append(row) {
      last = row
    }
    return encoder.finish(segment: 7, index: 3)
  }

  @Test func anyBitThatFlipsIsFound() throws {
    let decoder = TrackBlockDecoder(segment: 7, sources: [source])
    let block = block()
    #expect(try decoder.entries(block.span, index: 3).count > 20)
    for bit in 0..<block.count * 8 {
      var damaged = block
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: TrackBlockError.self) { try decoder.entries(damaged.span, index: 3) }
    }
  }

  @Test func blockOfAnotherPlaceIsRefused() throws {
    let block = block()
    let here = TrackBlockDecoder(segment: 7, sources: [source])
    #expect(throws: TrackBlockError.self) { try here.entries(block.span, index: 4) }
    let elsewhere = TrackBlockDecoder(segment: 8, sources: [source])
    #expect(throws: TrackBlockError.self) { try elsewhere.entries(block.span, index: 3) }
    let blank = [UInt8](repeating: 0, count: TrackBlock.size)
    #expect(throws: TrackBlockError.blank) { try here.entries(blank.span, index: 3) }
    for count in 0..<block.count {
      #expect(throws: TrackBlockError.self) { try here.entries(block.span.extracting(..<count), index: 3) }
    }
  }

  /// With a correct checksum over any content, the result is entries that a fix can have, or an error.
  @Test func allContentOfABlockIsChecked() {
    var random = SplitMix64(seed: 5)
    let decoder = TrackBlockDecoder(segment: 7, sources: [source])
    let whole = block()
    var readable = 0
    for _ in 0..<3000 {
      var block = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        block[Int.random(in: 4..<512, using: &random)] = .random(in: 0...255, using: &random)
      }
      block.replace(at: 0, littleEndian: TrackBlock.checksum(block.span, segment: 7, index: 3))
      guard let entries = try? decoder.entries(block.span, index: 3) else { continue }
      readable += 1
      for case .fix(let fix) in entries {
        #expect(fix.horizontalRadius68.value > 0 && abs(fix.coordinate.latitude.degrees) <= 90)
        #expect((0..<360).contains(fix.course?.degrees ?? 0))
      }
    }
    #expect(readable > 0)
  }

  @Test func sourceThatTheHeaderDoesNotListIsRefused() {
    let decoder = TrackBlockDecoder(segment: 7, sources: [])
    #expect(throws: TrackBlockError.contents) { try decoder.entries(block().span, index: 3) }
  }

  // MARK: Headers

  @Test func headerComesBack() throws {
    var header = SegmentHeader(
      number: .max - 5, log: "Ωalk", bootID: "00112233-4455-6677-8899-aabbccddeeff",
      time: GNSSTime(nanosecondsSince1970: -1), timeValidity: .dateUnconfirmed, arrival: Instant(nanoseconds: 12))
    #expect(header.add(source) == true)
    #expect(header.add(TrackSource(device: nil, receiver: "r")) == true)
    let bytes = header.bytes
    #expect(bytes.count == SegmentHeader.size)
    #expect(SegmentHeader(bytes.span) == header)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(SegmentHeader(damaged.span) == nil)
      #expect(SegmentHeader.either((damaged + bytes).span) == header)
      #expect(SegmentHeader.either((bytes + damaged).span) == header)
    }
  }

  @Test func headerHasRoomForWhatFits() throws {
    var header = SegmentHeader(
      number: 1, log: String(repeating: "n", count: 64), bootID: nil, time: GNSSTime(nanosecondsSince1970: 0),
      timeValidity: .none, arrival: Instant(nanoseconds: 0))
    let long = String(repeating: "d", count: 255)
    #expect(header.add(TrackSource(device: long, receiver: long)) == true)
    #expect(header.add(TrackSource(device: nil, receiver: long)) == true)
    #expect(header.add(TrackSource(device: long, receiver: nil)) == false)
    #expect(SegmentHeader(header.bytes.span) == header)
    // A truncated name would be another device's.
    #expect(TrackSource(device: long + "d", receiver: nil).isUnknown)
  }
}
