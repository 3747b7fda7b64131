import Foundation
import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// Imported fixes of a log: merged with the recorded ones, each of them once.
@Suite struct ImportedTrackTests {
  private let place: TemporaryPlace
  private var folder: TrackFolder { TrackFolder(place.path) }

  private final class TemporaryPlace {
    let path = NSTemporaryDirectory() + "import-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  init() throws { place = try TemporaryPlace() }

  private static let start = GNSSTime(nanosecondsSince1970: 1_714_550_400_000_000_000)

  /// A fix this many seconds after 2024-05-01T08:00:00Z, without an accuracy.
  private func fix(_ second: Double, latitude: Double = 47) -> PositionFix {
    let time = Self.start + .seconds(second)
    // Files have 10⁻⁹ degrees.
    let north = Int64(latitude * 1e9) + Int64(second.truncatingRemainder(dividingBy: 86_400) * 1e4)
    var fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
      coordinate: Coordinate(latitude: Angle(degrees: Double(north) / 1e9), longitude: Angle(degrees: 8)),
      horizontalRadius68: PositionFix.greatestRadius68, kind: .estimated, technologies: [])
    fix.isImported = true
    return fix
  }

  private func importer(_ retention: LogRetention = .megabytes(1000), now: GNSSTime? = nil) -> TrackImporter {
    TrackImporter(into: folder, log: "test", retention: retention, freeShare: 0, now: now)
  }

  @discardableResult
  private func importAll(_ entries: [TrackEntry]) throws -> TrackImporter {
    var importer = importer()
    for entry in entries {
      importer.add(entry)
      if importer.isFull { try importer.flush() }
    }
    while importer.waiting > 0 { try importer.flush() }
    return importer
  }

  private func fixes(_ entries: [TrackEntry]) -> [PositionFix] {
    entries.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  @Test func whatIsImportedIsReadInOrder() throws {
    let later = (0..<500).map { fix(Double($0) + 86_400 * 3) }
    let earlier = (0..<500).map { fix(Double($0)) }
    let importer = try importAll(later.map { .fix($0) } + [.interruption(.gap)] + earlier.map { .fix($0) })
    #expect(importer.added == 1000 && importer.known == 0)
    let track = try read(folder)
    #expect(fixes(track.entries) == earlier + later)
    #expect(track.damage == TrackDamage())
    // Each part begins with an interruption, because nothing precedes it in its file.
    #expect(track.entries.count { if case .interruption = $0 { true } else { false } } == 2)
    let imports = ImportedFolder(of: folder)
    let days = try imports.days()
    #expect(days.count == 2)
    #expect(imports.begin(of: days) == earlier[0].time && imports.end(of: days) == later[499].time)
    #expect(fixes(try read(folder, from: later[10].time, to: later[19].time).entries) == Array(later[10...19]))
  }

  @Test func aSecondTimeNothingIsAdded() throws {
    let entries: [TrackEntry] = (0..<300).map { .fix(fix(Double($0))) }
    try importAll(entries)
    let before = try read(folder).entries
    let again = try importAll(entries)
    #expect(again.added == 0 && again.known == 300)
    #expect(try read(folder).entries == before)
    // A format with fewer digits, and one that overlaps.
    let rounded: [TrackEntry] = (200..<400).map { second in
      var fix = fix(Double(second))
      fix.coordinate.latitude.degrees = (fix.coordinate.latitude.degrees * 1e6).rounded() / 1e6
      fix.time = fix.time + .microseconds(400)
      return .fix(fix)
    }
    let other = try importAll(rounded)
    #expect(other.added == 100 && other.known == 100)
    #expect(fixes(try read(folder).entries).count == 400)
    // Twice in one import.
    let twice = try importAll((1000..<1010).flatMap { [.fix(fix(Double($0))), .fix(fix(Double($0)))] })
    #expect(twice.added == 10 && twice.known == 10)
    // The same time at another place is another fix.
    #expect(try importAll([.fix(fix(0, latitude: 48))]).added == 1)
  }

  @Test func importedAndRecordedFixesAreOneTrack() throws {
    let recorded = try write(3000, to: folder)
    let first = LoggedDrive.fix(0).time
    func imported(_ seconds: Double) -> PositionFix {
      var fix = fix(0)
      fix.time = first + .milliseconds(Int64(seconds * 1000))
      // Files have whole milliseconds of the monotonic clock.
      fix.receivedAt = Instant(nanoseconds: fix.time.nanosecondsSince1970 / 1_000_000 * 1_000_000)
      return fix
    }
    // Before, among and after the recorded 300 s, and one that the log has.
    let new = [imported(-4000), imported(-3990), imported(100.05), imported(5000)]
    let known = LoggedDrive.fix(77)
    let importer = try importAll(new.map { .fix($0) } + [.fix(known)])
    #expect(importer.added == 4 && importer.known == 1)
    let track = try read(folder).entries
    let all = fixes(track)
    #expect(all.count == 3004)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(all.filter(\.isImported) == new)
    #expect(fixes(recorded) == all.filter { !$0.isImported })
    // The recorded track is not connected to what was imported long before and after it, but to what lies within.
    let gaps = track.indices.filter { track[$0] == .interruption(.gap) }.map { index -> TrackEntry in track[index + 1] }
    #expect(gaps.contains(.fix(new[0])) && gaps.contains(.fix(new[3])))
    #expect(!gaps.contains(.fix(new[2])))
    guard case .fix(let begin)? = recorded.first(where: { if case .fix = $0 { true } else { false } }) else { return }
    #expect(
      gaps.contains(.fix(begin)) || track.contains(.interruption(.started)) || track.contains(.interruption(.resumed)))
  }

  @Test func namesOfDevicesAndClocksOfOtherMachinesAreDropped() throws {
    var other = fix(0)
    (other.device, other.receiver, other.isImported) = ("/dev/ttyX", "usb", false)
    other.receivedAt = Instant(nanoseconds: 5)
    try importAll([.fix(other)])
    #expect(fixes(try read(folder).entries) == [fix(0)])
  }

  @Test func anUnknownAccuracyStaysUnknown() throws {
    var known = fix(1)
    known.horizontalRadius68 = Meters(7.5)
    known.heightAboveMeanSeaLevel = Meters(400)
    known.speedMetersPerSecond = 1.25
    known.technologies = .wifi
    try importAll([.fix(fix(0)), .fix(known)])
    let all = fixes(try read(folder).entries)
    #expect(all.map(\.knownHorizontalRadius68) == [nil, Meters(7.5)])
    #expect(all == [fix(0), known])
  }

  @Test func anInterruptedImportIsCompletedByTheNext() throws {
    let entries: [TrackEntry] = (0..<100).map { .fix(fix(Double($0) * 86_400)) }
    var first = importer()
    for entry in entries { first.add(entry) }
    try first.flush()
    #expect(first.added == TrackImporter.daysAtOnce && first.waiting == 100 - TrackImporter.daysAtOnce)
    // The process ends here. What a killed writer leaves of a day is no day.
    let imports = ImportedFolder(of: folder)
    try Data("half".utf8).write(to: URL(fileURLWithPath: imports.path + "/2031-01-01.track.4711.new"))
    #expect(try imports.days().count == TrackImporter.daysAtOnce)
    let second = try importAll(entries)
    #expect(second.added == 100 - TrackImporter.daysAtOnce && second.known == TrackImporter.daysAtOnce)
    #expect(fixes(try read(folder).entries).count == 100)
  }

  @Test func manyFixesInAnyOrder() throws {
    var random = SplitMix64(seed: 7)
    let seconds = (0..<45_000).map { Double($0) * 60 }.shuffled(using: &random)
    let importer = try importAll(seconds.flatMap { [.interruption(.gap), .fix(fix($0, latitude: 40))] })
    #expect(importer.added == 45_000)
    let all = fixes(try read(folder).entries)
    #expect(all.count == 45_000)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test func aDamagedBlockIsCountedAndLeavesAGap() throws {
    try importAll((0..<2000).map { .fix(fix(Double($0))) })
    let imports = ImportedFolder(of: folder)
    let path = imports.path(of: try #require(try imports.days().first?.date))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[SegmentHeader.blocksOffset + TrackBlock.size + 100] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let track = try read(folder)
    #expect(track.damage.blocks == 1)
    #expect(fixes(track.entries).count < 2000)
    #expect(track.entries.count { $0 == .interruption(.gap) } == 2)
    // Importing again brings back what was lost.
    try importAll((0..<2000).map { .fix(fix(Double($0))) })
    #expect(fixes(try read(folder).entries).count == 2000)
  }

  @Test func whatAKilledImportLeavesIsDeleted() throws {
    try importAll([.fix(fix(0))])
    let imports = ImportedFolder(of: folder)
    func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: imports.path)) }
    let before = try names()
    func make(_ name: String) throws {
      try Data("half".utf8).write(to: URL(fileURLWithPath: "\(imports.path)/\(name)"))
    }
    let others: Set = [
      "2031-01-01.track.new", "2031-01-01.track.x1.new", "2031-01-01.track..new", "2031-02-30.track.7.new",
      "mine.7.new",
      "2031-01-01.track.7.new.new",
    ]
    for name in others { try make(name) }
    try FileManager.default.createDirectory(
      atPath: imports.path + "/2031-01-03.track.8.new", withIntermediateDirectories: false)
    try make("2031-01-01.track.4711.new")
    try make("2031-01-02.track.1.new")
    do {
      // Another process imports now, and one of the files may be its own.
      let lock = try FolderLock(imports.path)
      try imports.removeIncomplete()
      #expect(try names().contains("2031-01-01.track.4711.new"))
      withExtendedLifetime(lock) {}
    }
    try imports.removeIncomplete()
    #expect(try names() == before.union(others).union(["2031-01-03.track.8.new"]))
    // A log without imports.
    try ImportedFolder(of: TrackFolder(place.path + "/none")).removeIncomplete()
  }

  // MARK: Limits

  @Test func whatIsTooOldOrTooMuchIsNotImported() throws {
    var old = importer(.days(30), now: Self.start + .seconds(86_400 * 40))
    for day in 0..<20 { old.add(.fix(fix(Double(day) * 86_400))) }
    while old.waiting > 0 { try old.flush() }
    #expect(old.tooOld == 10 && old.added == 10)
    var full = importer(.megabytes(1))
    for second in 0..<19_000 { full.add(.fix(fix(Double(second), latitude: 45))) }
    try full.flush()
    for second in 19_000..<44_000 { full.add(.fix(fix(Double(second) + 86_400, latitude: 45))) }
    #expect(throws: ImportError.full(megabytes: 1)) { while full.waiting > 0 { try full.flush() } }
    var crowded = TrackImporter(into: folder, log: "test", retention: .megabytes(1000), freeShare: 1, now: nil)
    crowded.add(.fix(fix(5, latitude: 10)))
    #expect(throws: ImportError.self) { try crowded.flush() }
    #expect(crowded.waiting == 1)
  }

  @Test func theOldestIsDeletedFirst() throws {
    try importAll((0..<3).map { .fix(fix(Double($0) * 86_400)) })
    try write(100, to: folder)
    let imports = ImportedFolder(of: folder)
    // A recording makes room: the imported days are older than the recorded ones.
    let size = try folder.segments().reduce(0) { $0 + $1.sizeOnDisk }
    try folder.retain(.megabytes(1), coming: 1_000_000 - size, now: nil)
    #expect(try imports.days().isEmpty)
    #expect(try folder.segments().count == 1)
    try importAll((0..<3).map { .fix(fix(Double($0) * 86_400)) })
    try folder.retain(.days(1), coming: 0, now: Self.start + .seconds(86_400 * 2.5))
    #expect(try imports.days().count == 2)
  }

  @Test func twoProcessesDoNotImportAtOnce() throws {
    try importAll([.fix(fix(0))])
    var importer = importer()
    importer.add(.fix(fix(1)))
    do {
      let lock = try FolderLock(ImportedFolder(of: folder).path)
      #expect(throws: ImportError.inUse) { try importer.flush() }
      withExtendedLifetime(lock) {}
    }
    try importer.flush()
    #expect(importer.added == 1)
  }

  @Test func aLogOfImportedFixesSurvivesTheLossOfTheIndex() throws {
    let state = place.path
    do {
      let index = try LogIndex(stateFolder: state)
      let log = try index.make("walks", LogConfiguration(), at: Self.start)
      #expect(!log.isRunning)
      #expect(try index.make("walks", LogConfiguration(), at: Self.start) == log)
      var importer = TrackImporter(
        into: index.folder(of: log), log: "walks", retention: .megabytes(10), freeShare: 0, now: nil)
      importer.add(.fix(fix(0)))
      try importer.flush()
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(state)/\(LogIndex.fileName)\(suffix)")
    }
    let index = try LogIndex(stateFolder: state)
    let log = try #require(try index.log(named: "walks"))
    #expect(!log.isRunning)
    #expect(fixes(try read(index.folder(of: log)).entries) == [fix(0)])
    try index.remove(log)
    #expect(try ImportedFolder(of: index.folder(of: log)).days().isEmpty)
  }
}

/// Imported visits of a user.
@Suite struct ImportedVisitTests {
  private let me = ClientIdentity(userID: 1000)

  private func visit(_ hour: Int, latitude: Double = 47, radius: Double? = nil) -> Visit {
    let time = GNSSTime(nanosecondsSince1970: 1_714_550_400_000_000_000) + .seconds(3600 * hour)
    var visit = Visit(
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: 8)),
      horizontalRadius68: radius.map { Meters($0) } ?? PositionFix.greatestRadius68, arrival: time,
      departure: time + .seconds(1800))
    visit.isImported = true
    return visit
  }

  @Test func eachIsStoredOnceAndListedByArrival() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    let first = try store.importVisits([visit(5), visit(2, radius: 20), visit(9)], of: me)
    #expect(first == (3, 0, 0))
    // A second file has other digits.
    var nearly = visit(2, latitude: 47.0004)
    nearly.arrival = nearly.arrival.map { $0 + .milliseconds(500) }
    #expect(try store.importVisits([nearly, visit(2, latitude: 47.5), visit(7)], of: me) == (2, 1, 0))
    let all = try store.importedVisits(of: me, from: nil, index: 0, limit: 100)
    #expect(all.next == nil)
    #expect(all.visits == [visit(2, radius: 20), visit(2, latitude: 47.5), visit(5), visit(7), visit(9)])
    #expect(all.visits[0].knownHorizontalRadius68 == Meters(20) && all.visits[2].knownHorizontalRadius68 == nil)
    let page = try store.importedVisits(of: me, from: visit(5).departure, index: 1, limit: 1)
    #expect(page.visits == [visit(7)] && page.next == 2)
    #expect(try store.importedVisits(of: ClientIdentity(userID: 1001), from: nil, index: 0, limit: 9).visits.isEmpty)
  }

  @Test func theyAreDeletedByPeriod() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    let other = ClientIdentity(userID: 1001)
    _ = try store.importVisits([visit(1), visit(3), visit(5)], of: me)
    _ = try store.importVisits([visit(3)], of: other)
    #expect(try store.removeImportedVisits(of: me, from: visit(3).departure, to: visit(3).arrival) == 1)
    #expect(try store.importedVisits(of: me, from: nil, index: 0, limit: 9).visits == [visit(1), visit(5)])
    #expect(try store.removeImportedVisits(of: me, from: nil, to: nil) == 2)
    #expect(try store.importedVisits(of: other, from: nil, index: 0, limit: 9).visits == [visit(3)])
  }

  @Test func detectedOnesAreDeletedExceptTheOneThatContinues() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    let list = try #require(try store.id(of: MonitoringList(me, name: "list"), making: true))
    var (unseen, current) = (visit(3), visit(9))
    (unseen.isImported, unseen.departure, unseen.hasEnded) = (false, nil, true)
    (current.isImported, current.departure, current.hasEnded) = (false, nil, false)
    var first = visit(1)
    first.isImported = false
    for visit in [first, unseen, current] { try store.keep(visit, of: list) }
    #expect(try store.removeVisits(of: list, from: visit(2).arrival, to: nil) == 1)
    #expect(try store.visits(of: list, limit: 9) == [first, current])
    #expect(try store.removeVisits(of: list, from: nil, to: nil) == 1)
    #expect(try store.visits(of: list, limit: 9) == [current])
  }

  @Test func theySurviveAndAreNoList() throws {
    let place = try TemporaryFolder()
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      _ = try store.importVisits([visit(1)], of: me)
    }
    let store = try MonitoringStore(stateFolder: place.path)
    #expect(try store.lists().isEmpty)
    #expect(try store.importedVisits(of: me, from: nil, index: 0, limit: 9).visits == [visit(1)])
  }
}
