import Geodesy
import LocationDatabase
import LocationPolicy
import LocationStore
import Regions
import TestSupport
import Testing

@Suite struct MonitoringRegionTests {
  /// Steps of all kinds, with region files and restarts in between: the loaded regions equal those in a dictionary.
  @Test func changesAreLoaded() throws {
    let place = try TemporaryFolder()
    var random = SplitMix64(seed: 4)
    var expected: [String: MonitoredSteps.Entry] = [:]
    var plans: [WrittenSnapshot] = []
    var step = 0
    for _ in 0..<15 {
      var store = try MonitoringStore(stateFolder: place.path)
      let list = try store.made()
      #expect(try store.regions(of: list) == expected)
      for _ in 0..<60 {
        try MonitoredSteps.execute(step, on: &expected)
        try store.change(list, try MonitoredSteps.changes(step).map(MonitoringChange.init))
        step += 1
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try store.snapshot(list, store.load(list))
        case 1, 2: plans.append(try store.planSnapshot(list).write(store.load(list)))
        case 3, 4:
          if let written = plans.randomElement(using: &random) {
            _ = try store.adopt(written)
            #expect(try store.regions(of: list) == expected)
          }
        default: break
        }
      }
      plans = []
      #expect(try store.regions(of: list) == expected && store.setAsideSnapshots.isEmpty)
    }
    #expect(expected.count > 20)
  }

  @Test func polygonsAndNamesComeBack() throws {
    let place = try TemporaryFolder()
    let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.5)].map {
      Coordinate(latitude: Angle(degrees: $0.0), longitude: Angle(degrees: $0.1))
    }
    let names = ["", "ä\0b", "'); DROP TABLE changes;--", String(repeating: "x", count: 1024)]
    let regions = try names.map {
      try Region(identifier: $0, shape: .polygon(PolygonShape(corners: corners)), notifiesOnEntry: false)
    }
    var store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    try store.change(list, regions.map { .add($0, .inside) })
    #expect(Set(try store.load(list).watched.map(\.region)) == Set(regions))
    try store.snapshot(list, store.load(list))
    #expect(Set(try store.load(list).watched.map(\.region)) == Set(regions))
    #expect(try store.load(list).watched.allSatisfy { $0.state == .inside })
    // Another list contains nothing.
    #expect(try store.load(store.made(someLists[1])).count == 0)
  }

  @Test func aBatchIsKeptWholeOrNotAtAll() throws {
    let place = try TemporaryFolder()
    var store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    let gone = try store.made(someLists[1])
    try store.remove(gone)
    try store.change(list, [.add(try testRegion("a"), .inside)])
    try store.snapshot(list, store.load(list))
    var step = MonitoringStep()
    step.changes = [(list, [.removeAll, .add(try testRegion("b"), .inside)])]
    step.events = [NewEvent(list: list, subject: .region("a"), body: [])]
    step.progress = [(gone, "key", [])]
    #expect(throws: DatabaseError.self) { try store.record(step) }
    #expect(try Array(store.regions(of: list).keys) == ["a"] && store.pending(limit: 1).isEmpty)
    #expect(try regionFiles(in: place.path).count == 1)
  }

  @Test func aFileIsWorthItAfterManyChanges() throws {
    let place = try TemporaryFolder()
    var store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    let regions = try (0...10_000).map { try testRegion("\($0)", Double($0 % 80)) }
    try store.change(list, regions.dropLast().map { .add($0, .unknown) })
    #expect(try !store.needsSnapshot(list))
    // Changing the same regions again adds no rows.
    try store.change(list, regions.dropLast().map { .state($0.identifier, .inside) })
    #expect(try !store.needsSnapshot(list))
    try store.change(list, regions.suffix(1).map { .add($0, .unknown) })
    #expect(try store.needsSnapshot(list))
    let written = try store.planSnapshot(list).write(store.load(list))
    try store.change(list, [.state("7", .outside)])
    #expect(try store.adopt(written))
    #expect(try !store.needsSnapshot(list))
    let loaded = try store.regions(of: list)
    #expect(loaded.count == regions.count && loaded["7"]?.state == .outside && loaded["8"]?.state == .inside)
  }

  /// In whatever order region files are written and adopted, no change is lost.
  @Test func filesThatComeTooLateAreNoneOfTheList() throws {
    let place = try TemporaryFolder()
    var store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    try store.change(list, [.add(try testRegion("a"), .inside)])
    let (early, monitor) = (try store.planSnapshot(list), try store.load(list))
    try store.change(list, [.add(try testRegion("b"), .inside)])
    let late = try store.planSnapshot(list).write(store.load(list))
    #expect(try store.adopt(late))
    #expect(try !store.adopt(early.write(monitor)))
    // A second attempt has no effect either.
    #expect(try !store.adopt(late))
    #expect(try Set(store.regions(of: list).keys) == ["a", "b"])
    #expect(try regionFiles(in: place.path).count == 1)

    let lost = try store.planSnapshot(list).write(store.load(list))
    try store.change(list, [.removeAll])
    #expect(try regionFiles(in: place.path).count == 1)
    #expect(try !store.adopt(lost))
    #expect(try store.regions(of: list).isEmpty && regionFiles(in: place.path).isEmpty)

    let orphan = try store.planSnapshot(list).write(store.load(list))
    try store.remove(list)
    #expect(try !store.adopt(orphan))
    #expect(try regionFiles(in: place.path).isEmpty)
  }
}
