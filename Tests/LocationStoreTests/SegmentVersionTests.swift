import Foundation
import Geodesy
import LocationPolicy
@testable import LocationStore
import TestSupport
import Testing

/// Segments of earlier versions, and blocks of later ones.
@Suite struct SegmentVersionTests {
  /// A header and a block with 29 fixes of `LoggedDrive`, recorded before blocks had the column `hdop`, in the format
  /// of version 0.1.0.
  private static let open = """
    Q0xUUkFDSwABAAMB8nTYptN24cjog9Nb/R7pGMDNldToAAAA/XjmvE/iQjy/RmLln5E9CQZraWxsZWQBDC9kZXYvdHR5QUNNMBR1c2ItMTU0Ni\
    0wMWE5LXNlcmlhbAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYXWBCMvL+70BAB4AAZIEkJAHiQAICgYMBwMAAAACgsD5leCisAaC77jkvWiyutiW3gK43b\
    LNO8gmuukwl+YF/j2GuwL8ArzbBegBGv4DtAQCAAAAAAEAAAAAAADwabgsBpUXbdgcUxJyBBACAMBPCqDG5GoHQUE7FCAAgCBieP14cLyjhSIS\
    jxAAECgHviKcQ54RZu+EgAAAqGhjK+PTw4EJih02IwAAQTjYMegIfs6VMVFGBgBA9A9dh8dlHEyEewuIAAAZEDIG0cMoJsJABSoQACA+DYASQJ\
    l65FXsKTAFAARDQoAB2DbHO36+dYAAAFSgeGJ4t08sYLbKAggAkHEcDhdwHQghBH0LJAAAmCHj9aPAx661Q/1CMQAADX/IejA6RJLnn0dGBABo\
    MJK0jLk8zxHibQgEAADegMCZwdw/dTlEUygAAKCCMl4uytaGIE6zJBQBABzdhJ0GhLFvnPiqKMgAAE4qKBNh/xxzsLQAFhwAAGUBHhztpUY1NX\
    fyAwIAHoEBCyDgmmAii5poQQCANFqEIeApxOHpIVFHBgAwEgaXg0U7vfme03QEAACgI3Aw4fCSQC1AjJwIAAARO8APzrGWCrhyZiQEAFTyTDmA\
    nlzS1sJIOWAAgCGBkHRYJlFjoyEhBggAAK4ZnRAITS++84HUAQAAAAAAAAAAAAAAAAAA
    """

  /// The same with 20 fixes, encrypted for `owner`.
  private static let sealed = """
    Q0xUUkFDSwACAAMBPiq1eWXVxNkAAAkinProGPTlHZPwLBtXwJG+vXRzR87ivhHBe0zskw9/km+CI0s/YywtD8vVyuLkuyaThFvsF+3igChq+e\
    LYjW89rxxucHnuRQCPnCpX3LYBo/hVQTX40/m6OH4lft/elBOU+pYqU0fmnluhTt/9IP6wStujkHQEdG9sZOTZc0nPmcKMaiByg/rubKj1ptwt\
    r82ekfchRKfnghRJDBORaJsW2mVpqzl0tX3XhSEGtiNI0xhYE31QL7rYSfo4gTIl328zYmli3T9LFC7Qx4whd6AxH1sOCN9Icr0RFYsc51/sjy\
    6/9LoDKVPHSRBPDAUdZlFm7cEZJxDCy7OL3TWhJJUnqQCMQNv11QfB18iDJMnbePwX4iy9zl9ltLeXNYwAe1xV+4nQa3IvuzmARTm4j7sXhOw4\
    7OTOeN8wYiqz18DdiHG3RjcCfqFVZ0P5CCSpUtz6d1W20QQb9tHCm9Qts8faIn9gc3G9NJlRBPGHJ1q/hXNEHDw+We5xci6xFZfIRCl76KCtmR\
    9s8CFpdEJnKUG5mpyGkktBUL5Cq+LV5KlNcw6DF/ukVjTQFokancfVhdB1Oo1EPbT0eF4Tw0wq2aNp3oq/LJ15Y+9E5EJoj6H9TH/uP6WN7OxK\
    tVz6H6kmhd0lSPbNfjSbNhdvUuM1AEDjnHQ2uVos436qHb4mbLh1MtokL5ztNSQpnusr2mQSfetzUDRgWq/23gEyDUFN7KQ8ItzAzyOdKMLbME\
    4Qe+XL6klRYgTkRDphYBV6LkOZIuqjZOYq3prf9L71pwa7pM0gvJt7c8ybV1L86F9ArpQ4YDWJLc6T36hqWvUTL/Mv7j/tqq+NGkIMRjQWrir7\
    GjFSm1rOaRAcOyOsqYuDM5M21ThcBExm1hT4aLYTSLU6diTbXGcXC+DWTLidhSzyi7DULbSCXTMj2He0QaniRnmLvtcxkdJs/tlkQB7rkugvql\
    Vz3LzvU5fH8u3HdT+Osj9YCjlhvfUSEmsE0KAf0ikm5tO85Db4WHs0Mka4h/kX/qqw76HuA9U1HUNEDkoY3eIn7iRsnR6xhS7biSFULvcgOyaN\
    jppk4ADXs4ii2KrWXf3afuQbI5J/TQNfJnQaJoKWsVS5RP6b5kSM+0OmnQKHzxQyPbQyRLEJwhm7BFPfQLEPQx8edjvuWdrz2q2JQtOFjHvMCd\
    a/had6VgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAaZ5paK90EI8CAG/a+AoBcpo9S5NeuxI2rhW3dur2jZy8W+uXt8JiZ3LAgDVTEct3JY2GEF\
    xKWZFTNPyCySp3NCkpzoBHaOuv88oF2TuAQGwD3nSqfG2twKA8dpSrhw5e190leJS6uCvqm8VopqxYfZ1mnO9GCEoUBVmdx3zg6HBH8iFPHddT\
    A4MIL4lfIueA67sGBnNywgeLUVU9IglABKE18H9RwUSi+6gh9Nnb60cHMqRlqz48M66jA7gUit89ydCAsDJq0PNGpxlEA/Hw2k72DPE9s7K6f7\
    Nf35Rtf8pea9q19sUCi3ws8WdYdHjpwVyo0CXyE1PZD4H5wvDxmUl6EVFVksu9xl7Fhc/Yj2awKv+JNv9oqoEMizW1VlYuqjdIaTHeIgvfu9uF\
    II4p8oSr70KlKzIISqcEtg56XkiVNNZX8pi8mWqhqmvVcCKqAk2jR02J3I+XeTn0htf6DSmsL6tbj/5PdwAERLY6mjrXr7ZEUk+TpGmIEEbnwQ\
    dtm/RRID6DATBj4xg+V8Pv2WJTQKCUhPhc67mJwltE++B2HW+tcionZFyDKBxUjMGoJsoqQnlZ5zw5dAUbTAWrPlFu9hlBrbbI+3d9uDKhv0Rk\
    +0VS2Vgd/sm9Q2KjpVM5YqXrJ2KKqw5pQMAUVVV9UdZeFPG1CLMSHhwGoR0U21lo4JK9
    """
  private static let owner = "sealsecret1li4imlbdnrogyyxv43s34doyyyjg7ovxwyju64k6z22xvqbswxvqas4v"

  private static func parts(_ text: String) throws -> (header: SegmentHeader, block: [UInt8]) {
    let bytes = Array(try #require(Data(base64Encoded: text)))
    try #require(bytes.count == SegmentHeader.size + TrackBlock.size)
    let header = SegmentHeader(bytes.span.extracting(..<SegmentHeader.size))
    return (try #require(header), Array(bytes[SegmentHeader.size...]))
  }

  private static func recorded(_ text: String, key: String? = nil) throws -> [TrackEntry] {
    let (header, block) = try parts(text)
    let blocks = SegmentBlocks(header, key: try key.map { try OwnerKey($0) })
    var reader = try #require(blocks)
    var damage = TrackDamage()
    let entries = reader.decode(block.span, &damage)
    #expect(damage == TrackDamage())
    return try #require(entries)
  }

  @Test func aSegmentWithoutDilutionsIsRead() throws {
    let drive = (0..<29).map { TrackEntry.fix(LoggedDrive.fix($0)) }
    #expect(try Self.recorded(Self.open) == [.interruption(.started)] + drive)
  }

  @Test func anEncryptedSegmentWithoutDilutionsIsRead() throws {
    let drive = (0..<20).map { TrackEntry.fix(LoggedDrive.fix($0)) }
    #expect(try Self.recorded(Self.sealed, key: Self.owner).suffix(20) == drive[...])
  }

  /// What earlier versions read stays what they read: without a dilution, a block is the same byte by byte.
  @Test func aBlockWithoutDilutionsIsThatOfEarlierVersions() throws {
    let (header, recorded) = try Self.parts(Self.open)
    var encoder = TrackBlockEncoder()
    var rows = try (0..<29).map { try #require(TrackRow(LoggedDrive.fix($0), source: 1, previous: TrackRow())) }
    rows.insert(TrackRow(.started, neighbour: rows[0]), at: 0)
    for row in rows { #expect(encoder.append(row) == true) }
    let block = encoder.finish(segment: header.number, index: UInt32(SegmentHeader.blocksOffset / TrackBlock.size))
    #expect(block == recorded)
  }

  // MARK: - Dilutions

  private let source = TrackSource(device: "/dev/ttyACM0", receiver: "usb-1546-01a9-serial")

  private static func fix(_ number: Int, _ hdop: Double?) -> PositionFix {
    var fix = LoggedDrive.fix(number)
    fix.hdop = hdop
    return fix
  }

  /// Blocks with and without dilutions in one track; each value comes back to 0.01.
  @Test func dilutionsComeBack() throws {
    let dilutions: [Double?] = [0.01, 0.5, 0.85, 0.86, nil, 1.2, 99.98, nil, 0.9]
    var fixes = (0..<200).map { Self.fix($0, nil) } + (200..<600).map { Self.fix($0, dilutions[$0 % dilutions.count]) }
    fixes += (600..<800).map { Self.fix($0, nil) }
    var packer = TrackPacker(segment: 7)
    let blocks = packer.blocks(of: fixes.map { .fix($0) })
    let formats = blocks.map { $0[4] }
    #expect(Set(formats) == [1, 3] && formats.first == 1 && formats.last == 1, "\(formats)")
    let decoder = TrackBlockDecoder(segment: 7, sources: packer.sources)
    let back = try blocks.enumerated().flatMap { try decoder.entries($0.element.span, index: UInt32($0.offset)) }
    #expect(back == fixes.map { .fix($0) })
  }

  /// No receiver reports these, and no reader gets them.
  @Test(arguments: [0, -1, 100, .nan, .infinity]) func whatIsNoDilutionIsUnknown(value: Double) throws {
    let row = try #require(TrackRow(Self.fix(1, value), source: 1, previous: TrackRow()))
    #expect(!row.hasDilution)
    #expect(row.entry(sources: [source]) == .fix(LoggedDrive.fix(1)))
  }

  /// A receiver reports a slowly changing dilution in hundredths: that costs less than a byte per fix.
  @Test func aDilutionCostsLessThanAByte() {
    var random = SplitMix64(seed: 1)
    var hundredths = 85
    let with = (0..<4000).map { number in
      hundredths += .random(in: -2...2, using: &random)
      return TrackEntry.fix(Self.fix(number, Double(max(50, hundredths)) / 100))
    }
    var (plain, diluted) = (TrackPacker(segment: 7), TrackPacker(segment: 7))
    let few = plain.blocks(of: (0..<4000).map { .fix(LoggedDrive.fix($0)) }).count
    let many = diluted.blocks(of: with).count
    #expect(Double((many - few) * TrackBlock.size) / 4000 < 1, "\(few) blocks, \(many) with dilutions")
  }

  /// What an encrypted block does not encrypt is the same whether its fixes have dilutions or not.
  @Test func anEncryptedBlockDoesNotShowDilutions() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test(.sealed))
    var entries: [TrackEntry] = []
    for number in 0..<100 {
      let entry = TrackEntry.fix(Self.fix(number, number < 50 ? nil : 0.9))
      entries.append(entry)
      try writer.append(entry)
      if number == 49 { try writer.sync() }
    }
    try writer.close()
    #expect(try read(folder, .sealed).entries == entries)
    let bytes = try bytes(of: folder.path(of: 1))
    let formats = stride(from: SegmentHeader.blocksOffset, to: bytes.count, by: TrackBlock.size).map { bytes[$0 + 4] }
    #expect(formats.count >= 2 && Set(formats) == [4])
  }

  /// The format is part of what is authenticated: the columns of a block cannot be exchanged for those of another version.
  @Test func anEncryptedBlockOfAnotherFormatIsRefused() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    try write(30, to: folder, .test(.sealed))
    var file = try bytes(of: folder.path(of: 1))
    let number = try #require(folder.header(of: 1)).number
    let offset = SegmentHeader.blocksOffset
    file[offset + 4] = TrackBlockFormat.sealed.rawValue
    let forged = TrackBlock.sealed(
      Array(file[offset..<offset + TrackBlock.size]), segment: number, index: UInt32(offset / TrackBlock.size))
    file.replaceSubrange(offset..<offset + TrackBlock.size, with: forged)
    try Data(file).write(to: URL(fileURLWithPath: folder.path(of: 1)))
    #expect(try read(folder, .sealed).damage.blocks == 1)
  }

  // MARK: - Later versions

  @Test(arguments: [0, 2, 4, 5, 255] as [UInt8]) func aBlockOfAnUnknownFormatIsNotRead(format: UInt8) throws {
    var encoder = TrackBlockEncoder()
    let row = try #require(TrackRow(LoggedDrive.fix(1), source: 1, previous: TrackRow()))
    #expect(encoder.append(row) == true)
    var block = encoder.finish(segment: 7, index: 3)
    block[4] = format
    let later = TrackBlock.sealed(block, segment: 7, index: 3)
    let decoder = TrackBlockDecoder(segment: 7, sources: [source])
    #expect(throws: TrackBlockError.format(found: format)) { try decoder.entries(later.span, index: 3) }
  }

  /// Only that block is left out: it is counted, and there is a gap in its place.
  @Test func theRestOfATrackWithAnUnknownBlockIsRead() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test())
    for number in 0..<30 {
      try writer.append(.fix(LoggedDrive.fix(number)))
      if number % 10 == 9 { try writer.sync() }
    }
    try writer.close()
    var file = try bytes(of: folder.path(of: 1))
    let number = try #require(folder.header(of: 1)).number
    let offset = SegmentHeader.blocksOffset + TrackBlock.size
    file[offset + 4] = 9
    let later = TrackBlock.sealed(
      Array(file[offset..<offset + TrackBlock.size]), segment: number, index: UInt32(offset / TrackBlock.size))
    file.replaceSubrange(offset..<offset + TrackBlock.size, with: later)
    try Data(file).write(to: URL(fileURLWithPath: folder.path(of: 1)))
    let (entries, damage) = try read(folder)
    let kept = (0..<30).map { TrackEntry.fix(LoggedDrive.fix($0)) }
    #expect(entries == Array(kept[..<10]) + [.interruption(.gap)] + Array(kept[20...]))
    #expect(damage.blocks == 1 && damage.segments == 0 && damage.files == 0)
  }
}
