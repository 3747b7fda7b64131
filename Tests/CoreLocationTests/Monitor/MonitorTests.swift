import CoreLocation
import Foundation
import Testing

@Suite struct MonitorTests {
  /// Watches whatever it is asked to.
  private struct Watching: ConditionWatch {
    func obstacles(to condition: any CLCondition) -> Circumstances { [] }
  }

  private let home = CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 46.95, longitude: 7.45), radius: 100)
  private let time = Date(timeIntervalSinceReferenceDate: 700_000_000)

  @Test func withoutAServiceNothingIsSupported() async throws {
    let monitor = await CLMonitor("unserved")
    await monitor.add(home, identifier: "home")
    var iterator = await monitor.events.makeAsyncIterator()
    let event = try #require(try await iterator.next())
    #expect(event.identifier == "home")
    #expect(event.state == .unmonitored)
    #expect(event.conditionUnsupported)
    #expect(await monitor.record(for: "home")?.lastEvent.state == .unmonitored)
    #expect(await monitor.identifiers == ["home"])
  }

  @Test func keepsWhatItWatches() async {
    let monitor = CLMonitor("kept", watch: Watching())
    await monitor.add(home, identifier: "b")
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "a", assuming: .unsatisfied)
    #expect(await monitor.identifiers == ["b", "a"])
    #expect(await monitor.record(for: "b")?.lastEvent.state == .unknown)
    #expect(await monitor.record(for: "a")?.lastEvent.state == .unsatisfied)
    await monitor.add(
      CLMonitor.CircularGeographicCondition(center: home.center, radius: 7), identifier: "b", assuming: .satisfied)
    #expect(await monitor.identifiers == ["b", "a"])
    #expect((await monitor.record(for: "b")?.condition as? CLMonitor.CircularGeographicCondition)?.radius == 7)
    await monitor.remove("b")
    await monitor.remove("never there")
    #expect(await monitor.identifiers == ["a"])
    #expect(await monitor.record(for: "b") == nil)
  }

  @Test func tellsOfChangesAlone() async throws {
    let monitor = CLMonitor("changes", watch: Watching())
    await monitor.add(home, identifier: "home", assuming: .satisfied)
    await monitor.determined(.satisfied, for: "home", at: time)
    await monitor.determined(.unsatisfied, for: "home", at: time, refinement: home)
    await monitor.determined(.unsatisfied, for: "home", at: time + 1)
    await monitor.determined(.satisfied, for: "elsewhere", at: time + 2)
    await monitor.determined(.satisfied, for: "home", at: time + 3)
    var iterator = await monitor.events.makeAsyncIterator()
    let (left, back) = (try #require(try await iterator.next()), try #require(try await iterator.next()))
    #expect((left.state, left.date) == (.unsatisfied, time))
    #expect((left.refinement as? CLMonitor.CircularGeographicCondition)?.radius == 100)
    #expect((back.state, back.date) == (.satisfied, time + 3))
    #expect(back.refinement == nil)
    #expect(await monitor.record(for: "home")?.lastEvent.date == time + 3)
  }

  @Test func itsEventsEndWithIt() async throws {
    var monitor: CLMonitor? = CLMonitor("ended", watch: Watching())
    let events = try #require(await monitor?.events)
    monitor = nil
    var iterator = events.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
    _ = CLMonitor("ended", watch: Watching())
  }

  @Test func itsNameIsItsAlone() async {
    await #expect(processExitsWith: .failure) {
      let first = await CLMonitor("twice")
      let second = await CLMonitor("twice")
      print(await first.identifiers, await second.identifiers)
    }
  }

  @Test func conditionsSurviveAnArchive() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    let circle = try decoder.decode(CLMonitor.CircularGeographicCondition.self, from: try encoder.encode(home))
    #expect((circle.center.latitude, circle.center.longitude, circle.radius) == (46.95, 7.45, 100))
    let uuid = UUID()
    for beacon in [
      CLMonitor.BeaconIdentityCondition(uuid: uuid), .init(uuid: uuid, major: 1), .init(uuid: uuid, major: 1, minor: 2),
    ] {
      let copy = try decoder.decode(CLMonitor.BeaconIdentityCondition.self, from: try encoder.encode(beacon))
      #expect((copy.uuid, copy.major, copy.minor) == (uuid, beacon.major, beacon.minor))
    }
  }
}
