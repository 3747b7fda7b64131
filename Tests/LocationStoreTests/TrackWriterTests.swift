import Foundation
import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport
import Testing

@Suite struct TrackWriterTests {
  @Test func whatIsSyncedIsThereBeforeTheEnd() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test())
    try writer.append(.interruption(.resumed))
    try writer.append(.fix(LoggedDrive.fix(0)))
    try writer.sync()
    #expect(try read(folder).entries == [.interruption(.resumed), .fix(LoggedDrive.fix(0))])
    // Another reader is permitted, but no second writer.
    #expect(throws: TrackError.inUse) { _ = try TrackWriter(folder: folder, .test()) }
    try writer.append(.interruption(.paused))
    try writer.close()
    let expected: [TrackEntry] = [.interruption(.resumed), .fix(LoggedDrive.fix(0)), .interruption(.paused)]
    #expect(try read(folder).entries == expected)
    // No space beyond the used blocks stays allocated.
    #expect(try folder.segments().map(\.size) == [SegmentHeader.blocksOffset + 2 * TrackBlock.size])
  }

  @Test func spaceThatACrashLeftIsGivenBack() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    let first = try write(20, to: folder, closes: false)
    #expect(try folder.segments()[0].size > 100_000)
    let second = try write(20, from: 20, to: folder)
    #expect(try folder.segments().map(\.sequence) == [1, 2])
    #expect(try folder.segments()[0].size == SegmentHeader.blocksOffset + 2 * TrackBlock.size)
    #expect(try read(folder).entries == first + second)
  }

  @Test func aNewDayAndANewSourceBeginASegment() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test())
    var fixes = (0..<6).map(LoggedDrive.fix)
    for index in 2..<6 { fixes[index].time = fixes[index].time + .seconds(86_400) }
    for index in 4..<6 { fixes[index].device = "/dev/ttyACM1" }
    // Back to a listed device, and to the previous day.
    fixes.append(LoggedDrive.fix(6))
    for fix in fixes { try writer.append(.fix(fix)) }
    try writer.close()
    #expect(try read(folder).entries == fixes.map { .fix($0) })
    #expect(try folder.segments().count == 4)
    #expect(folder.header(of: 4)?.isOneDay == true)
    #expect(folder.header(of: 3)?.sources.map(\.device) == ["/dev/ttyACM1", "/dev/ttyACM0"])
  }

  @Test func aLongTrackIsSeveralSegments() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test())
    // A sync after each fix makes one block per fix, with 8,188 blocks per segment.
    var fix = LoggedDrive.fix(0)
    let count = 8188 * 2 + 5
    for number in 0..<count {
      fix.satellitesUsed = number
      try writer.append(.fix(fix))
      if number % 100 == 0 { try writer.sync() }
      // Each block contains only one fix, because the next source ends the block.
      fix.device = number % 2 == 0 ? "/dev/ttyACM1" : "/dev/ttyACM0"
    }
    try writer.close()
    var reader = try TrackReader(folder: folder)
    var next = 0
    while let entry = reader.next() {
      guard case .fix(let fix) = entry else { continue }
      #expect(fix.satellitesUsed == next)
      next += 1
    }
    let damage = reader.damage
    #expect(next == count && damage == TrackDamage())
  }

  @Test func fixWithoutAPlaceIsRefused() throws {
    let place = try TemporaryFolder()
    var writer = try TrackWriter(folder: TrackFolder(place.path), .test())
    var fix = LoggedDrive.fix(0)
    fix.coordinate.latitude = Angle(degrees: .nan)
    #expect(throws: TrackError.noPlace) { try writer.append(.fix(fix)) }
    try writer.append(.fix(LoggedDrive.fix(1)))
    try writer.close()
    #expect(try read(TrackFolder(place.path)).entries == [.fix(LoggedDrive.fix(1))])
  }

  // MARK: Retention

  /// An encrypted segment only shows its day: no segment is removed that may contain part of the days to keep.
  @Test(arguments: TrackKind.allCases) func oldestDaysGoFirst(kind: TrackKind) throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test(kind, .days(3)))
    for day in 0..<10 {
      var fix = LoggedDrive.fix(0)
      fix.time = fix.time + .seconds(86_400 * day)
      let now = fix.time
      writer.clock = { now }
      try writer.append(.fix(fix))
      try writer.sync()
    }
    try writer.close()
    // Three days, and the segments that began before them and ended within them.
    #expect(try folder.segments().map(\.sequence) == [6, 7, 8, 9, 10])
  }

  /// One segment per day, counted from the day of the drive; for each, the day of its first fix, and the day on the machine's
  /// clock at that time.
  private func daysKept(_ days: [(receiver: Int, machine: Int?)], of retention: LogRetention) throws -> [Int] {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test(.open, retention))
    for (number, day) in days.enumerated() {
      var fix = LoggedDrive.fix(number)
      fix.time = fix.time + .seconds(86_400 * day.receiver)
      writer.clock = { day.machine.map { LoggedDrive.fix(number).time + .seconds(86_400 * $0) } }
      try writer.append(.fix(fix))
      try writer.sync()
    }
    try writer.close()
    return try folder.segments().map(\.sequence)
  }

  @Test func aWrongDateRemovesNothing() throws {
    // A receiver that is 20 days ahead, with a correct machine's clock, and with one that has not been set.
    for clock in [4, nil] as [Int?] {
      let days = [(0, 0), (1, 1), (2, 2), (3, 3), (23, clock), (24, clock)]
      #expect(try daysKept(days, of: .days(7)) == [1, 2, 3, 4, 5, 6])
    }
    // A machine that is ahead, with a correct receiver.
    #expect(try daysKept([(0, 0), (1, 1), (2, 2), (3, 400)], of: .days(7)) == [1, 2, 3, 4])
    // A receiver that was 1,024 weeks behind for a while: the segments before that are not old.
    #expect(try daysKept([(0, 0), (1, 1), (-7167, 1), (2, 2), (3, 3)], of: .days(7)) == [1, 2, 3, 4, 5])
    // A receiver that was ahead for a while does not keep the earlier segments forever.
    #expect(try daysKept([(0, 0), (1000, 1), (2, 2), (12, 12), (13, 13)], of: .days(7)) == [3, 4, 5])
  }

  @Test func megabytesAreABound() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var writer = try TrackWriter(folder: folder, .test(.open, .megabytes(1)))
    var random = SplitMix64(seed: 9)
    for day in 0..<20 {
      for _ in 0..<800 {
        // Fixes that hardly compress.
        var fix = PositionFix.anything(&random)
        fix.timeValidity = .confirmed
        fix.time = LoggedDrive.fix(0).time + .seconds(86_400 * day)
        try writer.append(.fix(fix))
      }
      try writer.sync()
      let size = try folder.segments().reduce(0) { $0 + $1.sizeOnDisk }
      #expect(size <= 1_000_000, "\(size) on day \(day)")
    }
    try writer.close()
    let kept = try folder.segments().map(\.sequence)
    #expect(kept.last ?? 0 >= 20 && kept.count > 5 && kept.first ?? 0 > 1)
  }

  @Test func unconfirmedTimesRemoveNothing() throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    try write(5, to: folder)
    var fix = LoggedDrive.fix(0)
    fix.time = GNSSTime(nanosecondsSince1970: 4_000_000_000_000_000_000)
    fix.timeValidity = .dateUnconfirmed
    for _ in 0..<3 {
      var writer = try TrackWriter(folder: folder, .test(.open, .days(1)))
      try writer.append(.fix(fix))
      try writer.close()
    }
    #expect(try folder.segments().count == 4)
  }

  // MARK: Full disk

  @Test func stopsBeforeTheDiskIsFull() throws {
    let place = try TemporaryFolder()
    var writer = try TrackWriter(folder: TrackFolder(place.path), .test(freeShare: 1))
    try writer.append(.fix(LoggedDrive.fix(0)))
    let error = #expect(throws: TrackError.self) { try writer.sync() }
    guard case .noRoom(let free, let needed)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(free < needed)
    #expect(try TrackFolder(place.path).segments().isEmpty)
  }

  private static func isLackOfRoom(_ error: TrackError) -> Bool {
    switch error {
    case .noRoom: true
    case .system(let error): error.isLackOfRoom
    case .inUse, .noPlace, .noKey: false
    }
  }

  /// A file system with room for more and more pages: wherever writing fails, the synced entries are there, and when there is
  /// room again, the log continues.
  @Test(.enabled(if: SmallFileSystem.isPossible, SmallFileSystem.whatIsMissing))
  func fileSystemThatFills() throws {
    // Space is allocated in steps of 64 pages: the first and the second step fail at each stage.
    for pages in [0, 1, 2, 3, 10, 33, 60, 62, 63, 64, 65, 66, 67, 90, 126] {
      let disk = try SmallFileSystem(kilobytes: 1024)
      let folder = TrackFolder(disk.path + "/log")
      var writer = try TrackWriter(folder: folder, .test())
      let room = try FileSystemCapacity(at: disk.path)
      let ballast = disk.path + "/ballast"
      try Data(count: max(0, room.free - pages * 4096)).write(to: URL(fileURLWithPath: ballast))
      var (synced, unsynced): ([TrackEntry], [TrackEntry]) = ([], [])
      var failures = 0
      for number in 0..<600 {
        if number == 550 { try FileManager.default.removeItem(atPath: ballast) }
        do throws(TrackError) {
          let entry = TrackEntry.fix(LoggedDrive.fix(number))
          try writer.append(entry)
          unsynced.append(entry)
          try writer.sync()
          synced += unsynced
          unsynced = []
        } catch {
          #expect(Self.isLackOfRoom(error), "\(error)")
          failures += 1
          guard failures == 1 else { continue }
          #expect(try read(folder).entries == synced)
        }
      }
      #expect(failures > 0, "room for \(pages) pages was enough")
      #expect(unsynced.isEmpty)
      let (entries, damage) = try read(folder)
      #expect(entries == synced && damage == TrackDamage(), "room for \(pages) pages")
      // The entries that were buffered meanwhile, up to the limit, and the later ones.
      #expect(entries.count > 170)
    }
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, SmallFileSystem.whatIsMissing))
  func readOnlyFolder() throws {
    let disk = try SmallFileSystem(kilobytes: 1024)
    let folder = TrackFolder(disk.path + "/log")
    let entries = try write(20, to: folder)
    try disk.makeReadOnly()
    #expect(try read(folder).entries == entries)
    var writer = try TrackWriter(folder: folder, .test())
    try writer.append(.fix(LoggedDrive.fix(20)))
    let error = #expect(throws: TrackError.self) { try writer.sync() }
    #expect(error == .system(SystemError(operation: "open", errno: EROFS)))
    #expect(throws: TrackError.system(SystemError(operation: "mkdir", errno: EROFS))) {
      _ = try TrackWriter(folder: TrackFolder(disk.path + "/new"), .test())
    }
  }
}
