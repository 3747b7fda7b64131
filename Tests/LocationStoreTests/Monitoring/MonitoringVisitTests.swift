import Geodesy
import LocationPolicy
import LocationStore
import Regions
import Testing

@Suite struct MonitoringVisitTests {
  private func visit(_ latitude: Double, _ arrival: Int64?, _ departure: Int64? = nil) -> Visit {
    Visit(
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: -latitude)),
      horizontalRadius68: Meters(10 + latitude), arrival: arrival.map { GNSSTime(nanosecondsSince1970: $0) },
      departure: departure.map { GNSSTime(nanosecondsSince1970: $0) })
  }

  @Test func aVisitIsOneFromItsArrivalToItsDeparture() throws {
    let place = try TemporaryFolder()
    let visits = [visit(1, nil, 5), visit(2, 10, 20), visit(3, 20, 30), visit(3, 20, 40), visit(4, 50)]
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      let list = try store.made()
      for one in [visit(1.5, nil), visits[0], visit(2, 10), visits[1], visits[2], visit(3, 20), visits[3], visits[4]] {
        try store.keep(one, of: list)
      }
      try store.keep(visits[0], of: store.made(someLists[1]))
    }
    let store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    #expect(try store.visits(of: list, limit: 9) == visits)
    #expect(try store.visits(of: list, limit: 2) == Array(visits.suffix(2)))
    #expect(
      try store.visits(of: list, from: GNSSTime(nanosecondsSince1970: 30), limit: 9) == Array(visits.suffix(3)))
    // The visits can still be read, although nothing is monitored any more.
    #expect(try !store.removeIfEmpty(list, regions: 0))
    #expect(try store.visits(of: store.made(someLists[1]), limit: 9) == [visits[0]])
  }

  @Test func theNewestOfManyAreKept() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    var step = MonitoringStep()
    step.visits = (0..<10_003).map { (list, visit(1, $0, $0)) }
    _ = try store.record(step)
    let kept = try store.visits(of: list, limit: 20_000)
    #expect(kept.count == 10_000 && kept.first == visit(1, 3, 3) && kept.last == visit(1, 10_002, 10_002))
  }

  @Test func recordsAreTheRegions() throws {
    let place = try TemporaryFolder()
    let records = [
      "a": MonitoringRecord(state: .inside, time: GNSSTime(nanosecondsSince1970: .min)),
      "b": MonitoringRecord(state: .outside, time: nil), "": MonitoringRecord(state: .unknown, time: nil),
    ]
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      let list = try store.made()
      try store.change(list, [.add(testRegion("a"), .unknown), .add(testRegion("b"), .unknown)])
      try store.setRecord(list, "a", MonitoringRecord(state: .unknown, time: nil))
      for (identifier, record) in records { try store.setRecord(list, identifier, record) }
    }
    let store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    #expect(try store.records(list) == records && store.record(list, "a") == records["a"])
    #expect(try store.record(list, "c") == nil)
    try store.change(list, [.remove("a")])
    #expect(try store.record(list, "a") == nil && store.records(list).count == 2)
    try store.change(list, [.removeAll])
    #expect(try store.records(list).isEmpty)
  }

  @Test func progressIsKeptUntilItIsForgotten() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    let (one, two) = (try store.made(), try store.made(someLists[1]))
    try store.keepProgress(one, "stay", [1])
    try store.keepProgress(one, "stay", [])
    try store.keepProgress(two, "stay", [2])
    #expect(try store.progress(one, "stay") == [] && store.progress(two, "stay") == [2])
    #expect(try store.progress(one, "fix") == nil)
    try store.keepProgress(one, "stay", nil)
    #expect(try store.progress(one, "stay") == nil && store.progress(two, "stay") == [2])
  }
}
