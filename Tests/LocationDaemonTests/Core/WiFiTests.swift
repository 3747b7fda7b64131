import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Positioning
import Testing

/// Positions by Wi-Fi, with and without receivers.
@Suite struct WiFiTests {
  typealias Bench = CoreBench

  private static func scan(_ radius: Double?, received: Int = 7, at seconds: Double, latitude: Double = 47.28)
    -> ServiceCore.Input
  {
    let coordinate = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: 8.55))
    let position = radius.map {
      WiFiPosition(coordinate: coordinate, radius68: Meters($0), receivedAt: Bench.at(seconds), count: 3)
    }
    return .scanned(WiFiScan(position: position, received: received, isSamePlace: true))
  }

  private func wishes(_ actions: [ServiceCore.Action]) -> [WiFiRequirement?] {
    actions.compactMap { if case .listenToWiFi(let wish) = $0 { .some(wish) } else { nil } }
  }

  private func bench(hasReceiver: Bool) -> CoreBench {
    var bench = Bench()
    _ = bench.send(.wifiChanged(isThere: true), at: 0)
    if hasReceiver { _ = bench.send(.deviceAppeared(Bench.receiver("A")), at: 0) }
    return bench
  }

  // MARK: Without a receiver

  @Test func aRequestIsAnsweredByTheFirstScan() throws {
    var bench = bench(hasReceiver: false)
    #expect(wishes(bench.send(Bench.locate(), at: 1)) == [WiFiRequirement(period: .seconds(30))])
    let reported = bench.send(Self.scan(40, at: 1.004), at: 1.005)
    let fix = try #require(reported.located)
    #expect(fix.technologies == .wifi && fix.kind == .estimated && fix.horizontalRadius68.value < 40.1)
    #expect(fix.time == Bench.wallClock + .milliseconds(1004))
    // There is no request any more.
    #expect(wishes(reported) == [nil])
  }

  @Test func whereNothingIsKnownTheRequestFails() {
    var bench = bench(hasReceiver: false)
    #expect(bench.send(Bench.locate(), at: 1).failure == nil)
    #expect(bench.send(Self.scan(nil, at: 1), at: 1.1).failure == nil)
    #expect(bench.send(.wake, at: 4.1).failure == .noKnownAccessPoint(received: 7))
    // The next request causes a new scan.
    #expect(bench.send(Bench.locate(2), at: 5).failure == nil)
    #expect(bench.send(Self.scan(60, at: 5), at: 5.1).located != nil)
  }

  /// Where there is no access point, Wi-Fi is not mentioned.
  @Test func whereNothingIsReceivedTheRequestFailsForWantOfAReceiver() {
    var bench = bench(hasReceiver: false)
    #expect(bench.send(Bench.locate(), at: 1).failure == nil)
    #expect(bench.send(Self.scan(nil, received: 0, at: 1), at: 1.1).failure == nil)
    #expect(bench.send(.wake, at: 4.1).failure == .noSource)
  }

  @Test func aStreamLivesFromScanToScan() {
    var bench = bench(hasReceiver: false)
    _ = bench.send(Bench.watch(), at: 0)
    #expect(bench.send(Self.scan(40, at: 0), at: 0.01).updates.count == 1)
    #expect(bench.send(.wake, at: 30).events.isEmpty)
    #expect(bench.send(Self.scan(40, at: 30.5), at: 30.5).updates.count == 1)
    // Two scans are missing.
    #expect(bench.send(.wake, at: 200).events == [.streamChanged(RequestID(1), .lost)])
    #expect(bench.send(Self.scan(40, at: 201), at: 201).events.first == .streamChanged(RequestID(1), .back))
  }

  @Test func theRadioGoes() {
    var bench = bench(hasReceiver: false)
    _ = bench.send(Bench.watch(), at: 0)
    _ = bench.send(Self.scan(40, at: 0), at: 0.01)
    #expect(bench.send(.wifiChanged(isThere: false), at: 3).events == [.streamChanged(RequestID(1), .lost)])
    #expect(bench.send(Self.scan(40, at: 4), at: 4).isEmpty)
    #expect(wishes(bench.send(.wifiChanged(isThere: true), at: 5)) == [WiFiRequirement(period: .seconds(30))])
  }

  @Test func satellitesAreNotLookedForByRadio() {
    var bench = bench(hasReceiver: false)
    let reported = bench.send(.request(Bench.client, .watchSky(RequestID(1), waitsForSource: false)), at: 0)
    #expect(wishes(reported).isEmpty && bench.send(.wake, at: 3).failure == .noSource)
  }

  // MARK: Beside a receiver

  @Test func aRequestWaitsForTheReceiver() throws {
    var bench = bench(hasReceiver: true)
    _ = bench.send(Bench.locate { $0.timeout = .seconds(30) }, at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    #expect(bench.send(Self.scan(40, at: 0.1), at: 0.1).located == nil)
    #expect(bench.send(.wake, at: 20).located == nil)
    // The request's time is over: it gets what is available.
    let fix = try #require(bench.send(.wake, at: 30).located)
    #expect(fix.technologies == .wifi)
  }

  @Test func aRequestSatisfiedByItIsAnsweredImmediately() {
    var bench = bench(hasReceiver: true)
    _ = bench.send(Bench.locate { $0.desiredRadius68 = Meters(100) }, at: 0)
    #expect(bench.send(Self.scan(40, at: 0.1), at: 0.1).located?.technologies == .wifi)
  }

  @Test func aFixOfTheReceiverIsBetter() throws {
    var bench = bench(hasReceiver: true)
    _ = bench.send(Bench.locate { $0.timeout = .seconds(30) }, at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    _ = bench.send(Self.scan(40, at: 0.1), at: 0.1)
    var located: PositionFix?
    for second in 1...6 where located == nil {
      located = bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)).located
    }
    #expect(located?.technologies == .gnss)
  }

  @Test func aStreamFollowsTheSatellitesWhileTheyAreThere() {
    var bench = bench(hasReceiver: true)
    _ = bench.send(Bench.watch(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    #expect(bench.send(Self.scan(40, at: 0.1), at: 0.1).updates.map(\.technologies) == [.wifi])
    #expect(bench.receive(Bench.burst(1), on: Bench.first, at: 1).updates.map(\.technologies) == [.gnss])
    #expect(bench.send(Self.scan(40, at: 1.5), at: 1.5).updates.isEmpty)
    // The antenna has been disconnected.
    for second in 2...30 { _ = bench.receive(Bench.searching(second), on: Bench.first, at: Double(second)) }
    #expect(bench.send(Self.scan(40, at: 31), at: 31).updates.map(\.technologies) == [.wifi])
  }

  /// With a good receiver, the radio does not scan; after the receiver has lost its fix, it does.
  @Test func theRadioIsAskedWhenTheReceiverGoes() {
    var bench = bench(hasReceiver: true)
    #expect(wishes(bench.send(Bench.watch(), at: 0)) == [WiFiRequirement(period: .seconds(30))])
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    var reported: [ServiceCore.Action] = []
    for second in 1...10 { reported += bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)) }
    #expect(wishes(reported).last == WiFiRequirement(period: nil, learningPeriod: .seconds(300)))
    let gone = bench.send(.deviceVanished(id: "A", path: "/dev/ttyACM0"), at: 10.5)
    #expect(wishes(gone).count == 1 && wishes(gone).last??.period != nil)
    #expect(bench.send(Self.scan(40, at: 10.6), at: 10.6).updates.map(\.technologies) == [.wifi])
  }

  /// If the position by Wi-Fi agrees with the receiver's last position, the track continues from that one, because it is more
  /// precise.
  @Test func aTrackContinuesWithWiFiObservations() throws {
    var bench = bench(hasReceiver: true)
    _ = bench.send(Bench.watch(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    for second in 1...10 { _ = bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)) }
    _ = bench.send(.deviceVanished(id: "A", path: "/dev/ttyACM0"), at: 10.5)
    let fix = try #require(bench.send(Self.scan(40, at: 10.6, latitude: 47.2834), at: 10.6).updates.first)
    #expect(fix.technologies == [.gnss, .wifi] && fix.kind == .estimated && fix.satellitesUsed == nil)
    #expect(fix.horizontalRadius68.value < 40)
    #expect(bench.send(.wake, at: 16).events.isEmpty)
  }

  /// A radio without a network connection may scan to learn access points; a request for one fix is not a reason for that.
  @Test func aStreamTeaches() {
    for ask in [Bench.watch(), Bench.locate { $0.desiredRadius68 = Meters(0.1) }] {
      var bench = bench(hasReceiver: true)
      _ = bench.send(ask, at: 0)
      _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
      var reported: [ServiceCore.Action] = []
      for second in 1...10 { reported += bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)) }
      // Less often when it is known that the machine stands still.
      let teaching = wishes(reported).compactMap { $0?.learningPeriod }
      #expect(teaching == (ask == Bench.watch() ? [.seconds(10), .seconds(300)] : []))
    }
  }

  @Test func whatTheReceiverSaysTeaches() {
    var bench = bench(hasReceiver: true)
    _ = bench.send(Bench.watch(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    let reported = bench.receive(Bench.burst(1), on: Bench.first, at: 1)
    #expect(reported.contains { if case .learnPlaces(let fix) = $0 { fix.technologies == .gnss } else { false } })
  }
}
