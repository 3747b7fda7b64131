import Geodesy
import LocationReplay
import Testing
import WireFormats

@Suite struct RouteSimulationTests {
  // 2026-03-01T00:00:00Z.
  private static let start = GNSSTime(nanosecondsSince1970: 1_772_323_200_000_000_000)

  private func point(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> RoutePoint {
    RoutePoint(
      time: Self.start + .seconds(seconds),
      position: SimulatedPosition(latitude: latitude, longitude: longitude, height: 100))
  }

  /// Along the equator, east at 11.132 m/s, with one point every ten seconds.
  private func drive(from longitude: Double = 8, seconds: Int = 600) throws -> SimulatedRoute {
    let points = stride(from: 0, through: seconds, by: 10).map { second in
      point(Double(second), 0, Self.wrapped(longitude + 1e-4 * Double(second)))
    }
    return try #require(SimulatedRoute(segments: [points]))
  }

  private static func wrapped(_ longitude: Double) -> Double { longitude.remainder(dividingBy: 360) }

  private func epochs(_ simulation: RouteSimulation) -> [RouteSimulation.Epoch] {
    var simulation = simulation
    var epochs: [RouteSimulation.Epoch] = []
    while let epoch = simulation.next() { epochs.append(epoch) }
    return epochs
  }

  private func fixes(_ epoch: RouteSimulation.Epoch) -> [NavPVT] {
    var decoder = WireDecoder()
    var fixes: [NavPVT] = []
    decoder.push(epoch.bytes.span) { if case .ubx(.navPVT(let pvt)) = $0 { fixes.append(pvt) } }
    return fixes
  }

  @Test func saysAnEpochASecondAndWhereItIs() throws {
    let epochs = epochs(RouteSimulation(try drive(), dialect: .ublox9, rateHertz: 1))
    #expect(epochs.count == 601)
    #expect(epochs[10].time == Self.start + .seconds(10))
    #expect(epochs[10].elapsed == .seconds(10))
    #expect(abs(epochs[10].truth.coordinate.longitude.degrees - 8.001) < 1e-9)
    let pvt = try #require(fixes(epochs[10]).first)
    #expect(abs(Double(pvt.longitudeE7) * 1e-7 - 8.001) < 1e-4)
  }

  /// Receivers measure at whole seconds and at whole fractions of them.
  @Test(arguments: [(1, 1000, 2), (5, 400, 9), (10, 300, 18)]) func epochsAreOnTheGrid(
    rate: Int, first: Int, count: Int
  ) throws {
    let route = try #require(SimulatedRoute(segments: [[point(0.3, 0, 8), point(2, 0, 8.0001)]]))
    let epochs = epochs(RouteSimulation(route, dialect: .nmea411, rateHertz: rate))
    #expect(epochs.first?.time == Self.start + .milliseconds(first))
    #expect(epochs.count == count)
  }

  @Test func theSameSeedGivesTheSameBytes() throws {
    func bytes(_ seed: UInt64) throws -> [UInt8] {
      var conditions = RouteConditions()
      conditions.seed = seed
      conditions.multipathMeters = 5
      return epochs(
        RouteSimulation(try drive(seconds: 60), dialect: .nmea411, rateHertz: 2, conditions: conditions)
      ).flatMap(\.bytes)
    }
    #expect(try bytes(1) == bytes(1))
    #expect(try bytes(1) != bytes(2))
  }

  @Test func crossesTheDateLine() throws {
    let epochs = epochs(RouteSimulation(try drive(from: 179.97), dialect: .ublox9, rateHertz: 1))
    #expect(epochs.count == 601)
    for epoch in epochs {
      let pvt = try #require(fixes(epoch).first)
      let off = (Double(pvt.longitudeE7) * 1e-7 - epoch.truth.coordinate.longitude.degrees).remainder(dividingBy: 360)
      #expect(abs(off) < 1e-4)
      // Always eastward.
      #expect(abs(Double(pvt.speedMillimetersPerSecond) / 1000 - 11.13) < 0.4)
      #expect(abs(Double(pvt.courseE5) * 1e-5 - 90) < 2)
    }
  }

  @Test func aTunnelHasNoPositionAndTwoSecondsMore() throws {
    var conditions = RouteConditions()
    conditions.tunnels = [.seconds(10)..<(.seconds(20))]
    let epochs = epochs(
      RouteSimulation(try drive(seconds: 60), dialect: .ublox9, rateHertz: 1, conditions: conditions))
    let without = epochs.indices.filter { fixes(epochs[$0]).first?.fixType == NavPVT.FixType.none }
    #expect(without == Array(10..<22))
  }

  @Test func aCanyonIsWorseAndSaysSo() throws {
    var conditions = RouteConditions()
    conditions.canyons = [.seconds(1000)..<(.seconds(4000))]
    var open: [Double] = []
    var canyon: [Double] = []
    var said: [Bool: Set<[Int]>] = [:]
    for epoch in epochs(
      RouteSimulation(try drive(seconds: 4000), dialect: .ublox9, rateHertz: 1, conditions: conditions))
    {
      let pvt = try #require(fixes(epoch).first)
      let measured = Coordinate(
        latitude: Angle(degrees: Double(pvt.latitudeE7) * 1e-7),
        longitude: Angle(degrees: Double(pvt.longitudeE7) * 1e-7))
      let error = Geodesic.inverse(from: measured, to: epoch.truth.coordinate).distance.value
      let isCanyon = (.seconds(1000)..<(.seconds(4000))).contains(epoch.elapsed)
      if isCanyon { canyon.append(error) } else { open.append(error) }
      said[isCanyon, default: []].insert([Int(pvt.horizontalAccuracyMillimeters), Int(pvt.satellitesUsed ?? 0)])
    }
    // √2 · 1.2 m, and √2 · √(1.2² + 3²) m, because a receiver knows only half of the 6 m; 13 satellites are 40° high or higher.
    #expect(said == [false: [[1697, 22]], true: [[4569, 13]]])
    func rms(_ errors: [Double]) -> Double { (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot() }
    // √2 · 1.2 m and √2 · √(1.2² + 6²) m; 1,000 s and 3,000 s of correlated errors.
    #expect((1.0...2.4).contains(rms(open)))
    #expect((6.5...10.5).contains(rms(canyon)))
  }

  /// Errors under an open sky are correlated: half a minute later they are almost the same, ten minutes later they are different.
  @Test func errorsLast() throws {
    let errors = try epochs(RouteSimulation(try drive(seconds: 20_000), dialect: .ublox9, rateHertz: 1)).map { epoch in
      let pvt = try #require(fixes(epoch).first)
      return (Double(pvt.latitudeE7) * 1e-7 - epoch.truth.coordinate.latitude.degrees) * 110_574
    }
    func correlation(_ lag: Int) -> Double {
      let products = zip(errors, errors.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count - lag)
      return products / (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count))
    }
    // 0.98 · e^(−t/35 s), over 20,000 s, which contain about 290 independent errors.
    #expect(abs(correlation(1) - 0.952) < 0.02)
    #expect(abs(correlation(20) - 0.553) < 0.15)
    #expect(abs(correlation(600)) < 0.25)
    let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    #expect(abs(deviation - 1.2) < 0.2)
  }

  @Test func segmentsNearEachOtherAreOneAndOthersArePauses() throws {
    let route = try #require(
      SimulatedRoute(segments: [
        [point(0, 0, 8), point(5, 0, 8.0005)], [point(10, 0, 8.001), point(12, 0, 8.0012)], [],
        [point(100.5, 0, 8.01), point(102, 0, 8.011), point(101, 1, 1), point(102, 2, 2)], [point(50, 3, 3)],
      ]))
    #expect(route.stretches.map(\.count) == [4, 2])
    let epochs = epochs(RouteSimulation(route, dialect: .nmea411, rateHertz: 1))
    #expect(epochs.map { Int($0.elapsed.inSeconds) } == Array(0...12) + [101, 102])
    #expect(SimulatedRoute(segments: [[]]) == nil)
    // A logger that was off for two hours and continued in the same segment.
    let pause = try #require(SimulatedRoute(segments: [[point(0, 0, 8), point(7200, 0, 8.1), point(10_800, 0, 8.2)]]))
    #expect(pause.stretches.map(\.count) == [1, 2])
  }

  @Test func aTrackWithoutTimesIsPassedAtItsPace() throws {
    let positions = [8.0, 8.0001, 8.0002].map { SimulatedPosition(latitude: 0, longitude: $0, height: 0) }
    let route = try #require(
      SimulatedRoute(segments: [positions, [positions[0]]], metersPerSecond: 11.1319490793, from: Self.start))
    #expect(route.stretches.count == 2)
    let last = try #require(route.stretches.first?.last)
    #expect(abs((last.time - Self.start).inSeconds - 2) < 1e-6)
    #expect(abs((route.range.upperBound - Self.start).inSeconds - 62) < 1e-6)
  }
}
