import Geodesy
import TestSupport
import Testing
import TrackFormats

@Suite struct PhotographTests {
  static let position = PhotographPosition(
    time: GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000),
    coordinate: Coordinate(latitude: Angle(degrees: -33.856784321), longitude: Angle(degrees: 151.215296789)),
    heightAboveMeanSeaLevel: Meters(-12.345), horizontalRadius68: Meters(2.5))

  @Test func reportsWhenItWasTaken() throws {
    let clock: Int64 = 1_772_372_096_000_000_000
    for isLittleEndian in [true, false] {
      var sample = SampleJPEG(isLittleEndian: isLittleEndian)
      #expect(try Photograph(sample.bytes).time.clock.nanosecondsSince1970 == clock)
      #expect(try Photograph(sample.bytes).time.offset == nil)
      sample.fraction = "78 "
      sample.offset = "+01:00"
      let time = try Photograph(sample.bytes).time
      #expect(time.clock.nanosecondsSince1970 == clock + 780_000_000)
      #expect(time.offset == .seconds(3600))
    }
  }

  @Test(arguments: ["    :  :     :  :  ", "0000:00:00 00:00:00", "x"])
  func aClockThatWasNeverSet(text: String) {
    #expect(throws: PhotographError.noTime) { try Photograph(SampleJPEG(time: text).bytes) }
  }

  @Test(arguments: ["2026:13:01 00:00:00", "2026-03-01 13:34:56", "2026:02:30 10:00:00", "2026:03:01 24:00:00"])
  func invalidTime(text: String) {
    #expect(throws: PhotographError.badTime(text)) { try Photograph(SampleJPEG(time: text).bytes) }
  }

  @Test func offsets() {
    #expect(PhotographTime.offset("+05:30") == .seconds(19_800))
    #expect(PhotographTime.offset("-03:00") == .seconds(-10_800))
    #expect(PhotographTime.offset("Z") == .zero)
    for text in ["", "+5:30", "+15:00", "05:30", "+05:60", "+05:30 ", "   :  "] {
      #expect(PhotographTime.offset(text) == nil)
    }
  }

  @Test func aPositionIsReportedFromACompass() throws {
    #expect(try !Photograph(SampleJPEG().bytes).hasPosition)
    #expect(try !Photograph(SampleJPEG(gps: .compass).bytes).hasPosition)
    #expect(try Photograph(SampleJPEG(gps: .position).bytes).hasPosition)
    #expect(try Photograph(try Photograph(SampleJPEG().bytes).tagged(with: Self.position)).hasPosition)
  }

  /// All existing data stays at its place, except for the position of the first directory; the picture is the same.
  @Test(arguments: [true, false]) func nothingThatWasThereMoves(isLittleEndian: Bool) throws {
    let comment = SampleJPEG.segment(0xFE, Array("after".utf8))
    var sample = SampleJPEG(isLittleEndian: isLittleEndian, hasMakerNote: true, gps: .compass)
    sample.before = [SampleJPEG.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])]
    sample.after = [comment]
    let tagged = try Photograph(sample.bytes).tagged(with: Self.position)
    let start = 2 + 18 + 10
    let (old, new) = (sample.exif, Array(tagged[start...].prefix(sample.exif.count)))
    #expect(old[..<4] == new[..<4])
    #expect(old[8...] == new[8...])
    #expect(tagged.suffix(comment.count + SampleJPEG.picture.count) == (comment + SampleJPEG.picture)[...])
  }

  @Test func roomEndsWithTheSegment() throws {
    // The added data: a GPS directory with its values, and another copy of the first directory.
    let room = 65_533 - 10 - SampleJPEG().exif.count
    _ = try Photograph(SampleJPEG(filling: room - 400).bytes).tagged(with: Self.position)
    #expect(throws: PhotographError.noRoom) {
      try Photograph(SampleJPEG(filling: room - 100).bytes).tagged(with: Self.position)
    }
  }

  @Test func invalidPhotographIsRefused() {
    #expect(throws: PhotographError.notJPEG) { try Photograph([]) }
    #expect(throws: PhotographError.notJPEG) { try Photograph(Array("\u{89}PNG....".utf8)) }
    #expect(throws: PhotographError.damaged(at: 2)) { try Photograph([0xFF, 0xD8, 0, 0]) }
    #expect(throws: PhotographError.noTime) { try Photograph(SampleJPEG(time: nil).bytes) }
    #expect(throws: PhotographError.noTime) { try Photograph(SampleJPEG(time: nil, gps: .position).bytes) }
    var linked = SampleJPEG()
    linked.before = [SampleJPEG.segment(0xE2, Array("MPF\0".utf8) + [0, 0])]
    #expect(throws: PhotographError.linkedPictures) { try Photograph(linked.bytes) }
  }

  /// Every truncation of the file, every byte of its EXIF set to the largest and the smallest value, and random changes:
  /// rejected, or tagged into a file that can be read again.
  @Test func hostileBytes() throws {
    for isLittleEndian in [true, false] {
      let whole = SampleJPEG(isLittleEndian: isLittleEndian, fraction: "5", offset: "+01:00", gps: .compass).bytes
      for end in whole.indices { attempt(Array(whole[..<end])) }
      for index in whole.indices {
        for value in [0x00, 0x7F, 0xFF] as [UInt8] {
          var changed = whole
          changed[index] = value
          attempt(changed)
        }
      }
      var random = SplitMix64(seed: 7)
      for _ in 0..<3000 {
        var changed = whole
        for _ in 0..<4 {
          changed[Int.random(in: 12..<whole.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        attempt(changed)
      }
    }
  }

  private func attempt(_ bytes: [UInt8]) {
    guard let tagged = try? Photograph(bytes).tagged(with: Self.position) else { return }
    #expect((try? Photograph(tagged))?.hasPosition == true)
  }
}
