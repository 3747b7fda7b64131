import Fleet
import FleetDestinations
import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// An outbox on the disk.
@Suite struct FleetOutboxStoreTests {
  private static func open(
    _ path: String, keep: Int = 64, machine: String = "m", freeShare: Double = 0
  ) throws -> FleetOutboxStore {
    try FleetOutboxStore(path, name: "test", machine: machine, keep: keep, bootID: nil, freeShare: freeShare)
  }

  private static func event(_ number: Int) -> FleetEvent {
    let fix = LoggedDrive.fix(number)
    return .crossing(
      FleetCrossing(
        region: "region \(number)", isEntry: number.isMultiple(of: 2), time: fix.time, addedAt: fix.time,
        coordinate: fix.coordinate, radius68: Meters(5)))
  }

  private static func times(_ records: [FleetRecord]) -> [GNSSTime] { records.map(\.time) }

  @Test func recordsAreReadInOrderSyncedOrNot() throws {
    let folder = try TemporaryFolder()
    var store = try Self.open(folder.path + "/a")
    var appended: [FleetRecord] = []
    for number in 0..<200 {
      appended.append(try #require(try store.append(LoggedDrive.fix(number))))
      if number % 50 == 20 { appended.append(try #require(try store.append(Self.event(number)))) }
      if number % 70 == 69 { try store.sync() }
    }
    #expect(appended.map(\.place) == appended.map(\.place).sorted())
    var read: [FleetRecord] = []
    while true {
      let (records, isEnd) = try store.records(after: read.last?.place ?? .start, limit: 7)
      read += records
      if isEnd { break }
    }
    #expect(read.map(\.place) == appended.map(\.place))
    #expect(read.map(\.identifier) == appended.map(\.identifier))
    #expect(try store.waiting() == 204)
    try store.save(appended[100].place)
    #expect(try store.waiting() == 103)
  }

  @Test func aRestartContinuesAtTheCursorWithTheSameIdentifiers() throws {
    let folder = try TemporaryFolder()
    var appended: [FleetRecord] = []
    do {
      var store = try Self.open(folder.path + "/a")
      for number in 0..<100 { appended.append(try #require(try store.append(LoggedDrive.fix(number)))) }
      appended.append(try #require(try store.append(Self.event(100))))
      try store.save(appended[39].place)
    }
    var store = try Self.open(folder.path + "/a")
    #expect(store.cursor == appended[39].place)
    let (records, isEnd) = try store.records(after: store.cursor, limit: 1000)
    #expect(isEnd && records.map(\.identifier) == appended[40...].map(\.identifier))
    let next = try #require(try store.append(LoggedDrive.fix(200)))
    #expect(next.place > appended[100].place)
  }

  /// The number of the last event survives the acknowledgement, restarts, and the file's replacement.
  @Test func theLastEventIsKnownAfterItsAcknowledgement() throws {
    let folder = try TemporaryFolder()
    for number in 1...30 {
      var store = try Self.open(folder.path + "/a")
      #expect(store.lastEvent == UInt64(number - 1) * 2)
      let first = try #require(try store.append(Self.event(number), number: UInt64(number) * 2 - 1))
      let second = try #require(try store.append(Self.event(number), number: UInt64(number) * 2))
      #expect(store.lastEvent == UInt64(number) * 2)
      try store.save(number.isMultiple(of: 3) ? first.place : second.place)
    }
    var store = try Self.open(folder.path + "/a")
    #expect(try store.records(after: store.cursor, limit: 100).records.count == 1)
    // Events without a number change nothing.
    _ = try store.append(Self.event(99))
    #expect(store.lastEvent == 60)
  }

  @Test func anAcknowledgedEventsPlaceIsNotUsedAgain() throws {
    let folder = try TemporaryFolder()
    var places: [FleetPlace] = []
    // Without any position, all events are at the same place in the track.
    for number in 0..<5 {
      var store = try Self.open(folder.path + "/a")
      let record = try #require(try store.append(Self.event(number)))
      places.append(record.place)
      #expect(try store.records(after: store.cursor, limit: 10).records == [record])
      try store.save(record.place)
    }
    #expect(places == places.sorted() && Set(places).count == 5)
  }

  @Test func aCursorBehindTheLostTrackIsSetBack() throws {
    let folder = try TemporaryFolder()
    do {
      var store = try Self.open(folder.path + "/a")
      for number in 0..<10 { _ = try store.append(LoggedDrive.fix(number)) }
      try store.save(FleetPlace(segment: 9, block: 5, entry: 3))
    }
    var store = try Self.open(folder.path + "/a")
    let record = try #require(try store.append(LoggedDrive.fix(11)))
    #expect(record.place > store.cursor)
    #expect(try store.waiting() == 1)
  }

  @Test func aCopyOnAnotherMachineHasOtherIdentifiers() throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder.path + "/a").memory.box
    let again = try Self.open(folder.path + "/a").memory.box
    let other = try Self.open(folder.path + "/a", machine: "other").memory.box
    #expect(first == again && first != other)
  }

  @Test func aDamagedCursorSendsAgainAndLosesNothing() throws {
    let folder = try TemporaryFolder()
    do {
      var store = try Self.open(folder.path + "/a")
      for number in 0..<10 { _ = try store.append(LoggedDrive.fix(number)) }
      try store.sync()
      let records = try store.records(after: .start, limit: 99).records
      try store.save(records[3].place)
      try store.save(records[5].place)
    }
    // One damaged sector: the other is used.
    var bytes = try #require(try StateFile.read(folder.path + "/a/cursor", maximumSize: 4096))
    #expect(bytes.count == 1024)
    bytes[20] ^= 1
    try StateFile.write(folder.path + "/a/cursor", bytes)
    #expect(try [4, 6].contains(Self.open(folder.path + "/a").waiting()))
    bytes = [UInt8](repeating: 0xFF, count: 1024)
    try StateFile.write(folder.path + "/a/cursor", bytes)
    #expect(try Self.open(folder.path + "/a").waiting() == 10)
  }

  @Test func aFullOutboxIsThinnedBeforeAnythingIsLostAndReportsTheLoss() throws {
    let folder = try TemporaryFolder()
    var lost: FleetLoss?
    do {
      var store = try Self.open(folder.path + "/a", keep: 1)
      // A straight line: thinning saves nearly everything. A sync every third position fills a sector for each.
      var fix = LoggedDrive.fix(0)
      var isThinned = false
      for number in 0..<9_000 {
        fix.time = LoggedDrive.fix(0).time + .seconds(number)
        fix.coordinate = Coordinate(
          latitude: Angle(degrees: 50 + Double(number) * 1e-4), longitude: Angle(degrees: 8))
        _ = try store.append(fix)
        if number % 3 == 0 { try store.sync() }
        if number % 1000 == 999, let change = try store.enforceSize(loaded: .start) {
          #expect(change.lost == nil)
          isThinned = true
        }
      }
      #expect(isThinned && store.bytes <= 1_000_000 && store.memory.lost == nil)
      // The first and the last position are still there, and the order is.
      let records = try store.records(after: .start, limit: 100_000).records
      #expect(records.count < 9_000 && records.map(\.place) == records.map(\.place).sorted())
      #expect(records.first?.time == LoggedDrive.fix(0).time && records.last?.time == fix.time)
      // Noise cannot be thinned.
      var random = SplitMix64(seed: 7)
      for number in 0..<9_000 {
        fix.time = LoggedDrive.fix(0).time + .seconds(10_000 + number)
        fix.coordinate = Coordinate(
          latitude: Angle(degrees: Double.random(in: 50...51, using: &random)),
          longitude: Angle(degrees: Double.random(in: 8...9, using: &random)))
        _ = try store.append(fix)
        if number % 3 == 0 { try store.sync() }
        if number % 1000 == 999, let found = try store.enforceSize(loaded: store.cursor)?.lost {
          if lost == nil { lost = found } else { lost?.add(found) }
        }
      }
      #expect(lost != nil && store.memory.lost == lost && store.bytes <= 1_300_000)
    }
    #expect(try Self.open(folder.path + "/a", keep: 1).memory.lost == lost)
  }

  /// After a restart, what was in flight is sent again with the same identifiers, although the outbox is thinned meanwhile.
  @Test func whatMayHaveBeenSentKeepsItsIdentifiers() throws {
    let folder = try TemporaryFolder()
    do {
      var store = try Self.open(folder.path + "/a", keep: 1)
      var fix = LoggedDrive.fix(0)
      for number in 0..<9_000 {
        fix.time = LoggedDrive.fix(0).time + .seconds(number)
        fix.coordinate = Coordinate(latitude: Angle(degrees: 50 + Double(number) * 1e-4), longitude: Angle(degrees: 8))
        _ = try store.append(fix)
        if number % 3 == 0 { try store.sync() }
      }
      try store.sync()
    }
    var store = try Self.open(folder.path + "/a", keep: 1)
    let before = try store.records(after: store.cursor, limit: 256).records.prefix(256).map(\.identifier)
    #expect(try store.enforceSize(loaded: store.cursor) != nil)
    #expect(try store.waiting() < 9_000)
    #expect(try store.records(after: store.cursor, limit: 256).records.prefix(256).map(\.identifier) == before)
  }

  @Test func theTimeOfTheLastConfirmationIsKept() throws {
    let folder = try TemporaryFolder()
    let time = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_001)
    do {
      var store = try Self.open(folder.path + "/a")
      let record = try #require(try store.append(LoggedDrive.fix(0)))
      #expect(store.acknowledgedAt == nil)
      try store.save(record.place, acknowledgedAt: time)
      try store.save(record.place)
    }
    #expect(try Self.open(folder.path + "/a").acknowledgedAt == time)
  }

  @Test func aFullDiskForgetsNoPositionThatWasAccepted() throws {
    let folder = try TemporaryFolder()
    // No disk has so much room.
    var store = try Self.open(folder.path + "/a", freeShare: 2)
    var appended: [FleetPlace] = []
    for number in 0..<FleetOutboxStore.mostUnsynced + 100 {
      appended.append(try #require(try store.append(LoggedDrive.fix(number))).place)
    }
    var failures = 0
    do { try store.sync() } catch { failures += 1 }
    #expect(try store.waiting() == appended.count)
    #expect(try store.records(after: .start, limit: 10_000).records.map(\.place) == appended)
    // Nor does the cursor pass what is not on the disk.
    do { try store.save(appended[20]) } catch { failures += 1 }
    #expect(failures == 2 && store.cursor == .start)
  }

  @Test func anEventIsKeptWhenPositionsAreLost() throws {
    let folder = try TemporaryFolder()
    var store = try Self.open(folder.path + "/a", keep: 1)
    let event = try #require(try store.append(Self.event(0)))
    var random = SplitMix64(seed: 7)
    for number in 0..<9_000 {
      var fix = LoggedDrive.fix(number)
      fix.coordinate = Coordinate(
        latitude: Angle(degrees: Double.random(in: 50...51, using: &random)),
        longitude: Angle(degrees: Double.random(in: 8...9, using: &random)))
      _ = try store.append(fix)
      if number % 3 == 0 { try store.sync() }
    }
    let change = try store.enforceSize(loaded: .start)
    #expect(change?.lost != nil)
    #expect(try store.records(after: .start, limit: 3).records.first == event)
  }
}
