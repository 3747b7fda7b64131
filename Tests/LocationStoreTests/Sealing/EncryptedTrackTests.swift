import Foundation
import Geodesy
import LinuxIO
import LocationDatabase
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// What an encrypted track reveals to its owner, and what it reveals to others. `TrackFileTests` shows that it is as robust as an
/// unencrypted one if files are truncated, torn and damaged.
@Suite struct EncryptedTrackTests {
  @Test func onlyItsOwnerReadsIt() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    let entries = try write(1000, batch: 30, to: folder, .test(.sealed))
    let (reported, damage) = try read(folder, .sealed)
    #expect(reported == entries && damage == TrackDamage())
    // Without a key, with another key, and with the correct key.
    let (nothing, left) = try read(folder)
    #expect(nothing.isEmpty && left.segments == 1)
    var reader = try TrackReader(folder: folder, key: OwnerKey())
    #expect(reader.next() == nil)
    let owner = try #require(TrackKind.sealed.key).publicKey
    #expect(throws: EncryptedTrackError.otherKey(owner)) { _ = try open(folder, OwnerKey()) }
  }

  /// A log of many years: the header of each segment shows its day and its name, and only its owner can read its sources.
  @Test func theHeaderReportsOthersADay() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    try write(20, to: folder, .test(.sealed))
    let first = LoggedDrive.fix(0)
    let header = try #require(folder.header(of: 1))
    #expect(header.log == "test" && header.bootID == nil && header.sources.isEmpty)
    #expect(header.arrival == Instant(nanoseconds: 0))
    #expect(header.time.nanosecondsSinceMidnight == 0 && header.time.date == first.time.date)
    #expect(header.encryption?.owner == TrackKind.sealed.key?.publicKey)
    #expect(folder.end == header.time)
    #expect(SegmentHeader(header.bytes.span) == header)
    // The device and receiver of a fix are there for the owner.
    guard case .fix(let fix)? = try read(folder, .sealed).entries.dropFirst().first else {
      Issue.record("no fix")
      return
    }
    #expect(fix == first && fix.receiver != nil)
  }

  /// Everything in a folder, byte by byte: no name, device, time or position, in any of the forms that appear in this package's
  /// files.
  @Test func aStolenDiskHoldsNoPlaceAndNoTime() throws {
    let open = try TemporaryFolder()
    let sealed = try TemporaryFolder()
    try write(400, to: TrackFolder(open.path))
    try write(400, to: TrackFolder(sealed.path), .test(.sealed))
    func all(_ path: String) throws -> [UInt8] {
      try FileManager.default.contentsOfDirectory(atPath: path).flatMap { try bytes(of: path + "/" + $0) }
    }
    let (clear, closed) = (Set(windows(try all(open.path))), Set(windows(try all(sealed.path))))
    #expect(closed.count > 20_000)
    var found = 0
    for number in 0..<400 {
      let fix = LoggedDrive.fix(number)
      for pattern in Self.patterns(of: fix) {
        if clear.contains(pattern) { found += 1 }
        #expect(!closed.contains(pattern), "fix \(number)")
      }
    }
    // The search would find them: every block of an unencrypted track begins with a complete fix.
    #expect(found > 40)
    let device = Array("/dev/tty".utf8)
    #expect(clear.contains(Self.number(device)) && !closed.contains(Self.number(device)))
  }

  /// Every sequence of eight bytes.
  private func windows(_ bytes: [UInt8]) -> [UInt64] {
    var value: UInt64 = 0
    return bytes.enumerated().compactMap { index, byte in
      value = value >> 8 | UInt64(byte) << 56
      return index >= 7 ? value : nil
    }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  /// Eight bytes of a fix: its position as numbers, and in the encoding of blocks and headers with the bytes that follow there;
  /// and its time.
  private static func patterns(of fix: PositionFix) -> [UInt64] {
    let (latitude, longitude) = (fix.coordinate.latitude.degrees, fix.coordinate.longitude.degrees)
    let (north, east) = (Int64((latitude * 1e9).rounded()), Int64((longitude * 1e9).rounded()))
    func packed(_ value: Int64) -> [UInt8] {
      var (rest, bytes) = (UInt64(bitPattern: value << 1 ^ value >> 63), [UInt8]())
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
    return [
      latitude.bitPattern, longitude.bitPattern, UInt64(bitPattern: north), UInt64(bitPattern: east),
      number(Array((packed(north) + packed(east)).prefix(8))),
      number(Array(packed(fix.time.nanosecondsSince1970 / 1000).prefix(8))),
      UInt64(bitPattern: fix.time.nanosecondsSince1970),
    ]
  }

  /// Anyone who can write to the disk can also compute checksums.
  @Test func aBlockIsReadInItsOwnPlaceAlone() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    let entries = try write(20, batch: 5, to: folder, .test(.sealed))
    let whole = try bytes(of: folder.path(of: 1))
    let number = try #require(folder.header(of: 1)).number
    let first = SegmentHeader.blocksOffset / TrackBlock.size
    func block(_ index: Int) -> [UInt8] { Array(whole[index * TrackBlock.size..<(index + 1) * TrackBlock.size]) }
    for (from, to) in [(first, first + 1), (first + 1, first), (first + 2, first + 3)] {
      var forged = whole
      let moved = TrackBlock.sealed(block(from), segment: number, index: UInt32(to))
      forged.replaceSubrange(to * TrackBlock.size..<(to + 1) * TrackBlock.size, with: moved)
      try Data(forged).write(to: URL(fileURLWithPath: folder.path(of: 1)))
      let (reported, damage) = try read(folder, .sealed)
      #expect(damage.blocks == 1 && reported.allSatisfy { entries.contains($0) || $0 == .interruption(.gap) })
    }
    // One bit in each byte of a block is flipped, with a correct checksum.
    for byte in 4..<TrackBlock.size {
      var changed = block(first)
      changed[byte] ^= 1
      let forged = TrackBlock.sealed(changed, segment: number, index: UInt32(first))
      var file = whole
      file.replaceSubrange(first * TrackBlock.size..<(first + 1) * TrackBlock.size, with: forged)
      try Data(file).write(to: URL(fileURLWithPath: folder.path(of: 1)))
      let (reported, damage) = try read(folder, .sealed)
      // Byte 5 has no meaning.
      #expect(byte == 5 ? reported == entries : damage.blocks == 1 && reported.count == 16, "byte \(byte)")
    }
  }

  /// The same for the unencrypted part of a header: it is bound to the encrypted part.
  @Test func aHeaderWithAnotherDayIsRefused() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    try write(20, to: folder, .test(.sealed))
    let whole = try bytes(of: folder.path(of: 1))
    for offset in [10, 11, 12, 20, 30, 70, 141, 150, 900] {
      var header = Array(whole[..<SegmentHeader.size])
      header[offset] ^= 1
      let forged = SegmentHeader.sealed(header)
      try Data(forged + forged + whole[SegmentHeader.blocksOffset...]).write(
        to: URL(fileURLWithPath: folder.path(of: 1)))
      var reader = try TrackReader(folder: folder, key: TrackKind.sealed.key)
      #expect(reader.next() == nil, "byte \(offset)")
      let damage = reader.damage
      #expect(damage.segments == 1)
    }
  }

  @Test func spaceThatACrashLeftIsGivenBackAndTheRestIsANewSegment() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    let first = try write(20, to: folder, .test(.sealed), closes: false)
    #expect(try folder.segments()[0].size > 100_000)
    let second = try write(20, from: 20, to: folder, .test(.sealed))
    #expect(try folder.segments().map(\.sequence) == [1, 2])
    #expect(try folder.segments()[0].size == SegmentHeader.blocksOffset + 2 * TrackBlock.size)
    #expect(try read(folder, .sealed).entries == first + second)
    // Each segment has its own key.
    let boxes = (1...2).compactMap { folder.header(of: $0)?.encryption?.box }
    #expect(Set(boxes).count == 2)
  }

  @Test func anythingIsEncryptedAndOpened() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var random = SplitMix64(seed: 11)
    var writer = try TrackWriter(folder: folder, .test(.sealed))
    var entries: [TrackEntry] = []
    for number in 0..<200 {
      let entry: TrackEntry =
        number % 17 == 16 ? .interruption(.gap) : .fix(PositionFix.anything(&random))
      do throws(TrackError) {
        try writer.append(entry)
        entries.append(entry)
      } catch .noPlace {}
      if number % 50 == 0 { try writer.sync() }
    }
    try writer.close()
    // The stored values are the same, encrypted or not.
    let other = try TemporaryFolder()
    var again = try TrackWriter(folder: TrackFolder(other.path), .test())
    for entry in entries { try again.append(entry) }
    try again.close()
    let (reported, damage) = try read(folder, .sealed)
    #expect(damage == TrackDamage())
    #expect(reported == (try read(TrackFolder(other.path)).entries))
  }

  @Test func invalidKeyIsRefused() throws {
    let place = try TemporaryFolder()
    // The point of order 1: the result of every multiplication by it is known.
    let nothing = try #require(LogPublicKey(bytes: [UInt8](repeating: 0, count: LogPublicKey.size)))
    #expect(!nothing.isUsable)
    #expect(try #require(TrackKind.sealed.key).publicKey.isUsable)
    var settings = TrackWriter.Settings.test()
    settings.publicKey = nothing
    var writer = try TrackWriter(folder: TrackFolder(place.path), settings)
    #expect(throws: TrackError.noKey) { try writer.append(.fix(LoggedDrive.fix(0))) }
    #expect(try TrackFolder(place.path).segments().isEmpty)
  }

  @Test func anOwnersKeyIsReadAsItIsWritten() throws {
    let key = OwnerKey()
    let again = try OwnerKey(key.text)
    #expect(again.publicKey == key.publicKey && again.text == key.text)
    #expect(OwnerKey().publicKey != key.publicKey)
    #expect(throws: LogKeyTextError.public) { _ = try OwnerKey(key.publicKey.text) }
  }

  // MARK: The index

  @Test func theIndexAndTheNoteKeepWhoseItIs() throws {
    let place = try TemporaryFolder()
    let now = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000)
    var configuration = LogConfiguration()
    configuration.publicKey = try #require(TrackKind.sealed.key).publicKey
    do {
      let index = try LogIndex(stateFolder: place.path)
      for name in ["a", "test"] {
        let log = try index.start(name, configuration, at: now)
        #expect(log.configuration == configuration)
        try write(5, to: index.folder(of: log), .test(.sealed))
      }
      // A stopped log has no note: its header shows its key.
      _ = try index.stop("test", at: now)
      #expect(try index.log(named: "test")?.configuration == configuration)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where name.hasPrefix("index") {
      try FileManager.default.removeItem(atPath: place.path + "/" + name)
    }
    let index = try LogIndex(stateFolder: place.path)
    #expect(try index.logs().map(\.name) == ["a", "test"])
    #expect(try index.logs().map(\.configuration.publicKey) == [configuration.publicKey, configuration.publicKey])
  }

  /// An index of the previous version contains logs, which are unencrypted.
  @Test func logsOfTheVersionBeforeAreOpen() throws {
    let place = try TemporaryFolder()
    let path = place.path + "/" + LogIndex.fileName
    do {
      let table = """
        CREATE TABLE logs (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, distance_m REAL,
          interval_s REAL, radius68_m REAL, keeps_suspects INTEGER NOT NULL, keeps_standstill INTEGER NOT NULL,
          keep_days INTEGER, keep_megabytes INTEGER, is_running INTEGER NOT NULL, changed_ns INTEGER NOT NULL) STRICT
        """
      let database = try Database(path: path, migrations: [table])
      try database.run("INSERT INTO logs VALUES (3, 'old', NULL, NULL, NULL, 0, 1, 30, NULL, 1, 17)")
    }
    let index = try LogIndex(stateFolder: place.path)
    let log = try #require(try index.log(named: "old"))
    #expect(
      log.id == 3 && log.configuration.publicKey == nil && log.configuration.options.retention == .days(30)
        && log.isRunning)
  }
}
