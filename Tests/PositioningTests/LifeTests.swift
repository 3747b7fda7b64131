import Geodesy
import LocationReplay
import Positioning
import TestSupport
import Testing
import WireFormats

/// A simulated life in virtual time: the database learns with satellites, and then works without them. The figures with a real
/// city are those of `make bench`.
struct LifeTests {
  /// Learned positions without the error that the access points of a street share: the simulation has none.
  private static let tuning = {
    var tuning = PositioningTuning.standard
    tuning.learning.radiusFloor = 15
    return tuning
  }()

  /// The database after forty drives.
  private static let taught = {
    var life = SimulatedLife.town(seed: 10, tuning)
    for drive in 0..<40 as Range<UInt64> {
      life.learn(.init(seconds: 500, extent: 600, day: 20_000 + Int(drive), seed: 10 + drive))
    }
    return life
  }()

  private static let solver = WiFiSolver()

  private func ask(_ life: SimulatedLife, day: Int, seeds: Range<UInt64>) -> (asked: Int, answers: [EvaluatedPosition])
  {
    var asked = 0
    var answers: [EvaluatedPosition] = []
    for seed in seeds {
      for question in life.questions(.init(seconds: 150, extent: 400, day: day, seed: seed)) {
        asked += 1
        let answer = Self.solver.solve(question.observations, places: question.places, at: question.at)
        guard let answer else { continue }
        let error = Geodesic.inverse(from: answer.coordinate, to: question.truth).distance.value
        answers.append(
          EvaluatedPosition(
            time: GNSSTime(nanosecondsSince1970: question.at.nanoseconds), errorMeters: error,
            radius68Meters: answer.radius68.value))
      }
    }
    return (asked, answers)
  }

  private func check(
    _ result: (asked: Int, answers: [EvaluatedPosition]), answered share: Double,
    inside: ClosedRange<Double> = 0.6...0.95
  ) throws {
    #expect(Double(result.answers.count) >= share * Double(result.asked))
    let errors = try #require(Distribution(result.answers.map(\.errorMeters)))
    let coverage = try #require(Coverage(result.answers))
    #expect(errors.p50 < 60 && errors.p95 < 160, "\(errors)")
    #expect(inside.contains(coverage.inside68) && coverage.beyond3 <= 0.02, "\(coverage)")
  }

  @Test func positionsGoOnWithoutSatellites() throws {
    try check(ask(Self.taught, day: 20_050, seeds: 100..<106), answered: 0.85)
  }

  @Test func halfOfAllChangeInAYear() throws {
    var life = Self.taught
    life.radio.replace(share: 0.5, seed: 1)
    life.radio.move(share: 0.05, seed: 2)
    // Half as many access points are known, and some of them are elsewhere: the results are worse, but plausible.
    let before = ask(life, day: 20_380, seeds: 100..<106)
    #expect(before.answers.count * 4 >= before.asked * 3)
    let errors = try #require(Distribution(before.answers.map(\.errorMeters)))
    #expect(errors.p50 < 90 && errors.p95 < 250, "\(errors)")
    // New access points are learned on the way, and moved ones are learned again.
    for drive in 0..<40 as Range<UInt64> {
      life.learn(.init(seconds: 500, extent: 600, day: 20_380 + Int(drive), seed: 300 + drive))
    }
    try check(ask(life, day: 20_430, seeds: 100..<106), answered: 0.85)
  }

  /// A hotspot that is received on every second of every drive soon has no position.
  @Test func whatRidesAlongReportsNothing() throws {
    var life = SimulatedLife.town(seed: 30)
    let train = try #require(BSSID(rawValue: 0x0001_0203_0405))
    var placer = ObservationLocator()
    for number in 0..<3 as Range<UInt64> {
      var drive = SimulatedLife.Drive(seconds: 600, extent: 600, day: 20_000 + 7 * Int(number), seed: 40 + number)
      for second in drive.way.places.indices {
        life.learn(placer.handle(life.fix(&drive, at: second)))
        let received = AccessPointObservation(
          bssid: train, signalDecibelMilliwatts: -45, frequencyMegahertz: 2437,
          receivedAt: drive.start + .seconds(second))
        life.learn(placer.handle([received]))
      }
    }
    life.learn(.init(seconds: 5, extent: 600, day: 20_100, seed: 50))
    let record = try #require(life.records[train])
    #expect(record.place() == nil && record.moves >= 1)
    guard case .travelling = record.state else {
      Issue.record("it is \(record.state)")
      return
    }
  }

  /// A household takes its router to another city.
  @Test func aRouterMovesToAnotherCity() throws {
    var life = Self.taught
    let routers = life.records.values.filter {
      $0.state == .resident && $0.moves == 0 && $0.count > 5 && !$0.bssid.isLocallyAdministered
    }.map(\.bssid).sorted().prefix(10)
    let far = Coordinate(latitude: Angle(degrees: 52), longitude: Angle(degrees: 13))
    func receive(at place: Coordinate, day: Int) {
      for step in 0..<4 {
        let there = LocalFrame(origin: place).coordinate(at: .init(eastMeters: 20 * Double(step), northMeters: 0))
        life.learn(
          routers.map {
            LocatedObservation(
              bssid: $0, coordinate: there, radius68: Meters(5),
              distance: SignalDistance(signal: -70, threshold: -90, exponent: 3), day: day)
          })
      }
    }
    receive(at: far, day: 20_150)
    receive(at: far, day: 20_151)
    life.learn(.init(seconds: 5, extent: 600, day: 20_152, seed: 61))
    for router in routers {
      let place = try #require(life.records[router]?.place())
      #expect(Geodesic.inverse(from: place.coordinate, to: far).distance < Meters(100))
      #expect(life.records[router]?.moves == 1)
    }
  }
}
