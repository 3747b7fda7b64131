import Geodesy
import LocationIPC
import LocationPolicy
import Regions
import Testing

@testable import CoreLocation

/// Many changes in few requests, in their order.
@Suite struct ListChangesTests {
  private static func region(_ identifier: String) throws -> MonitoredRegion {
    let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 7))
    return MonitoredRegion(
      try Region(identifier: identifier, shape: .circle(CircleShape(center: middle, radius: Meters(50)))))
  }

  /// A service's list with this much room, and the requests that it received.
  private struct Service {
    var room: Int
    var regions: Set<String> = []
    var requests = 0
    var outcomes: [ListChanges.Outcome] = []

    mutating func serve(_ changes: inout ListChanges) {
      while let request = changes.next() {
        #expect(ClientMessage.request(.monitoring(RequestID(1), request)).frame.count <= MessageLimits.request)
        #expect(changes.next() == nil, "one at a time")
        requests += 1
        switch request {
        case .add(_, let added, false):
          let all = regions.union(added.map(\.region.identifier))
          if all.count <= room { regions = all }
          outcomes += changes.receive(
            all.count <= room ? .reply(nil) : .failed(.monitoring(.tooManyRegions(limit: room))))
        case .remove(_, let identifiers):
          regions.subtract(identifiers)
          outcomes += changes.receive(.reply(nil))
        case .state(_, let identifier):
          outcomes += changes.receive(.reply(.state(regions.contains(identifier) ? .inside : nil)))
        default: Issue.record("nobody wants \(request)")
        }
      }
    }
  }

  @Test(arguments: [1, 900]) func manyGoTogether(length: Int) throws {
    var changes = ListChanges(list: "list")
    var service = Service(room: .max)
    for number in 0..<5000 {
      changes.append(.add(try Self.region("\(number)" + String(repeating: "x", count: length)), by: 1))
    }
    service.serve(&changes)
    #expect(service.regions.count == 5000 && service.outcomes.count == 5000)
    #expect(service.requests <= (length == 1 ? 20 : 100))
    for number in 0..<5000 { changes.append(.remove("\(number)" + String(repeating: "x", count: length))) }
    service.serve(&changes)
    #expect(service.regions.isEmpty && service.requests <= (length == 1 ? 40 : 200))
  }

  /// The service accepts all or none of a request: as many regions are added as there is room for, and only the others are
  /// refused.
  @Test(arguments: 0...9) func whatHasRoomIsAdded(room: Int) throws {
    var changes = ListChanges(list: "list")
    var service = Service(room: room)
    for number in 0..<9 { changes.append(.add(try Self.region("\(number)"), by: UInt64(number))) }
    service.serve(&changes)
    let added = service.outcomes.count { if case .added = $0 { true } else { false } }
    #expect(service.regions.count == room && added == room && service.outcomes.count == 9)
  }

  /// Any order of changes has the same result as if each had been requested separately.
  @Test(arguments: 0..<50 as Range<UInt64>) func theirOrderIsKept(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    var changes = ListChanges(list: "list")
    var service = Service(room: .max)
    var expected: Set<String> = []
    for _ in 0..<200 {
      let identifier = "\(generator.next() % 5)"
      switch generator.next() % 4 {
      case 0, 1:
        changes.append(.add(try Self.region(identifier), by: 1))
        expected.insert(identifier)
      case 2:
        changes.append(.remove(identifier))
        expected.remove(identifier)
      default:
        let isThere = expected.contains(identifier)
        changes.append(.state(try Self.region(identifier).region, by: 2))
        service.serve(&changes)
        let answer = ListChanges.Outcome.state(try Self.region(identifier).region, by: 2, isThere ? .inside : nil)
        #expect(service.outcomes.last == answer)
      }
    }
    service.serve(&changes)
    #expect(service.regions == expected)
  }

  @Test func whatIsRemovedBeforeItWasAddedIsNotAdded() throws {
    var changes = ListChanges(list: "list")
    changes.append(.add(try Self.region("a"), by: 1))
    _ = changes.next()
    changes.append(.remove("a"))
    // The request was pending, and has failed: nobody waits for its result any more.
    #expect(changes.receive(.failed(.noSource)) == [])
    #expect(changes.next() == .remove(list: "list", ["a"]))
    #expect(changes.receive(.reply(nil)) == [])
    #expect(changes.next() == nil)
    #expect(changes.receive(.reply(nil)) == [], "nothing was asked")
  }

  private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
