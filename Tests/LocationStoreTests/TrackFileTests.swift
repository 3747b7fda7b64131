import Foundation
import Geodesy
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// What can be read of a file: complete, truncated, damaged and torn.
@Suite struct TrackFileTests {
  @Test func readsWhatWasWritten() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path + "/a/b")
    let entries = try write(1000, batch: 30, to: folder)
    let (reported, damage) = try read(folder)
    #expect(reported == entries)
    #expect(damage == TrackDamage())
    #expect(mode(folder.path) == 0o700)
    #expect(mode(folder.path(of: 1)) == 0o600)
    let header = try #require(folder.header(of: 1))
    #expect(header.log == "test" && header.bootID == "00112233-4455-6677-8899-aabbccddeeff")
    #expect(header.time.nanosecondsSince1970 == LoggedDrive.fix(0).time.nanosecondsSince1970)
    #expect(header.arrival == LoggedDrive.fix(0).receivedAt)
  }

  @Test(arguments: TrackKind.allCases) func nothingThereIsAnEmptyTrack(kind: TrackKind) throws {
    let place = try TemporaryFolder()
    #expect(try read(TrackFolder(place.path + "/none"), kind).entries.isEmpty)
    var writer = try TrackWriter(folder: TrackFolder(place.path), .test(kind))
    try writer.append(.interruption(.started))
    try writer.sync()
    try writer.close()
    #expect(try read(TrackFolder(place.path), kind).entries.isEmpty)
  }

  /// For every length to which a file can be truncated: all blocks before the cut, and nothing else.
  @Test(arguments: TrackKind.allCases) func truncatedAnywhere(kind: TrackKind) throws {
    let (whole, blocks) = try smallTrack(kind)
    for length in stride(from: 0, to: whole.count, by: kind.step) {
      let cut = try damaged(Array(whole[..<length]), kind)
      let kept = blocks.prefix(max(0, (length - SegmentHeader.blocksOffset) / TrackBlock.size))
      #expect(cut.entries == Array(kept.joined()), "cut to \(length)")
      #expect(cut.damage.blocks <= 1)
    }
  }

  /// With one flipped bit in every byte: all blocks except the one with that bit, and nothing else.
  @Test(arguments: TrackKind.allCases) func flippedAnywhere(kind: TrackKind) throws {
    let (whole, blocks) = try smallTrack(kind)
    var random = SplitMix64(seed: 1)
    for index in stride(from: 0, to: whole.count, by: kind.step) {
      var bytes = whole
      bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
      let (entries, damage) = try damaged(bytes, kind)
      let block = (index - SegmentHeader.blocksOffset) / TrackBlock.size
      guard index >= SegmentHeader.blocksOffset else {
        #expect(entries == Array(blocks.joined()), "byte \(index): the other copy of the header")
        #expect(damage == TrackDamage())
        continue
      }
      var kept = blocks
      kept[block] = block == blocks.count - 1 ? [] : [.interruption(.gap)]
      #expect(entries == Array(kept.joined()), "byte \(index)")
      #expect(damage.blocks == 1 && damage.segments == 0)
    }
  }

  /// The end is the time of the last fix that a reader would return, however the file ends.
  @Test func theEndIsThatOfTheLastFix() throws {
    let place = try TemporaryFolder()
    #expect(TrackFolder(place.path).end == nil)
    let (whole, blocks) = try smallTrack(.open)
    let folder = TrackFolder(place.path)
    func end(_ bytes: [UInt8]) throws -> GNSSTime? {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: 1)))
      return folder.end
    }
    for count in 0...blocks.count {
      guard case .fix(let last)? = blocks.prefix(count).joined().reversed().first else {
        #expect(try end(Array(whole[..<SegmentHeader.blocksOffset])) == nil)
        continue
      }
      let cut = Array(whole[..<(SegmentHeader.blocksOffset + count * TrackBlock.size)])
      #expect(try end(cut) == last.time)
      // Like after a crash: with a piece of a block, and with space that was allocated in advance.
      #expect(try end(cut + [1, 2, 3]) == last.time)
      #expect(try end(cut + [UInt8](repeating: 0, count: 100_000)) == last.time)
      #expect(try end(cut + [UInt8](repeating: 7, count: TrackBlock.size)) == last.time)
    }
    // Another run that has not recorded anything yet.
    try Data([UInt8](repeating: 0, count: 5000)).write(to: URL(fileURLWithPath: folder.path(of: 2)))
    #expect(folder.end != nil)
  }

  @Test(arguments: TrackKind.allCases) func bothHeadersDamaged(kind: TrackKind) throws {
    let (whole, _) = try smallTrack(kind)
    var bytes = whole
    bytes[3] ^= 1
    bytes[SegmentHeader.size + 3] ^= 1
    let (entries, damage) = try damaged(bytes, kind)
    #expect(entries.isEmpty && damage.segments == 1)
  }

  /// Of a batch of several blocks, any of them may have reached the disk.
  @Test(arguments: TrackKind.allCases) func tornBatch(kind: TrackKind) throws {
    let (whole, blocks) = try smallTrack(kind)
    for missing in 0..<blocks.count {
      var bytes = whole
      let start = SegmentHeader.blocksOffset + missing * TrackBlock.size
      for index in start..<start + TrackBlock.size { bytes[index] = 0 }
      let (entries, damage) = try damaged(bytes, kind)
      var kept = blocks
      let isLast = missing == blocks.count - 1
      kept[missing] = isLast ? [] : [.interruption(.gap)]
      #expect(entries == Array(kept.joined()))
      // A block that was never written is not damage if it is at the end.
      #expect(damage.blocks == (isLast ? 0 : 1))
    }
  }

  @Test(arguments: TrackKind.allCases) func blocksThatChangedPlacesAreRefused(kind: TrackKind) throws {
    let (whole, blocks) = try smallTrack(kind)
    var bytes = whole
    let (a, b) = (SegmentHeader.blocksOffset, SegmentHeader.blocksOffset + TrackBlock.size)
    bytes.replaceSubrange(a..<b, with: whole[b..<b + TrackBlock.size])
    let (entries, damage) = try damaged(bytes, kind)
    #expect(entries == [.interruption(.gap)] + Array(blocks.dropFirst().joined()))
    #expect(damage.blocks == 1)
  }

  @Test(arguments: TrackKind.allCases) func garbageIsNoTrack(kind: TrackKind) throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    for name in ["00000001.track", "00000002.track", "notes.txt", "1.track", "00000000.track"] {
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(
        to: URL(fileURLWithPath: place.path + "/" + name))
    }
    let (entries, damage) = try read(folder, kind)
    #expect(entries.isEmpty && damage.segments == 2)
    // Nothing in the folder is lost, and nothing in it prevents writing.
    let written = try write(20, to: folder, .test(kind))
    let (reported, _) = try read(folder, kind)
    #expect(reported == [written[0], .interruption(.gap)] + written[1...] || reported == written)
    #expect(try folder.segments().map(\.sequence) == [1, 2, 3])
  }

  @Test(arguments: TrackKind.allCases) func onlyTheRangeIsReported(kind: TrackKind) throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    try write(100, to: folder, .test(kind))
    try write(100, from: 100, to: folder, .test(kind))
    let (from, to) = (LoggedDrive.fix(90).time, LoggedDrive.fix(109).time)
    let (entries, damage) = try read(folder, from: from, to: to, kind)
    let fixes = (90..<110).map { TrackEntry.fix(LoggedDrive.fix($0)) }
    #expect(entries == fixes[..<10] + [.interruption(.started)] + fixes[10...])
    #expect(damage == TrackDamage())
    #expect(try read(folder, from: LoggedDrive.fix(1000).time, kind).entries.isEmpty)
    #expect(try read(folder, to: LoggedDrive.fix(-50).time, kind).entries.isEmpty)
  }

  @Test(arguments: TrackKind.allCases) func whatFollowsAWrongDateIsFound(kind: TrackKind) throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test(kind))
    for number in 0..<30 {
      var fix = LoggedDrive.fix(number)
      if (10..<20).contains(number) { fix.time = fix.time + .seconds(3 * 86_400) }
      try writer.append(.fix(fix))
    }
    try writer.close()
    #expect(try folder.segments().count == 3)
    let (from, to) = (LoggedDrive.fix(5).time, LoggedDrive.fix(25).time)
    let fixes = (Array(5..<10) + Array(20...25)).map { TrackEntry.fix(LoggedDrive.fix($0)) }
    #expect(try read(folder, from: from, to: to, kind).entries == fixes)
  }

  /// Segments like those of earlier versions: only a later date began another segment.
  @Test func segmentsWithMixedDatesAreReadWhole() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test())
    for number in 0..<30 {
      var fix = LoggedDrive.fix(number)
      fix.timeValidity = .dateUnconfirmed
      if number < 10 { fix.time = fix.time + .seconds(3 * 86_400) }
      try writer.append(.fix(fix))
    }
    try writer.close()
    #expect(try folder.segments().count == 1)
    var header = try #require(folder.header(of: 1))
    #expect(!header.isOneDay)
    header.timeValidity = .confirmed
    let blocks = try bytes(of: folder.path(of: 1))[SegmentHeader.blocksOffset...]
    try Data(header.bytes + header.bytes + blocks).write(to: URL(fileURLWithPath: folder.path(of: 1)))
    try write(10, from: 30, to: folder)
    #expect(try read(folder, to: LoggedDrive.fix(29).time).entries.count == 20)
    #expect(try read(folder, from: LoggedDrive.fix(20).time).entries.count == 31)
  }

  // MARK: Support

  /// A file of four blocks, and the entries of each block.
  private func smallTrack(_ kind: TrackKind) throws -> (bytes: [UInt8], blocks: [[TrackEntry]]) {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    let entries = try write(20, batch: 5, to: folder, .test(kind))
    let whole = try bytes(of: folder.path(of: 1))
    let blocks = [Array(entries[...5])] + (1..<4).map { Array(entries[($0 * 5 + 1)...($0 * 5 + 5)]) }
    try #require(whole.count == SegmentHeader.blocksOffset + blocks.count * TrackBlock.size)
    return (whole, blocks)
  }

  /// What can be read of a segment with these bytes.
  private func damaged(_ bytes: [UInt8], _ kind: TrackKind) throws -> (entries: [TrackEntry], damage: TrackDamage) {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: 1)))
    return try read(folder, kind)
  }
}
