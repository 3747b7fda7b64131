import Geodesy
@testable import Positioning
import TestSupport
import Testing
import WireFormats

struct SolverTests {
  private let home = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
  private let now = Instant(nanoseconds: 1_000_000_000_000)

  private func place(_ number: UInt64, east: Double, north: Double, radius: Double = 20) throws -> AccessPointPosition {
    AccessPointPosition(
      bssid: try #require(BSSID(rawValue: number)),
      coordinate: LocalFrame(origin: home).coordinate(at: .init(eastMeters: east, northMeters: north)),
      radius68: Meters(radius))
  }

  private func sighting(_ place: AccessPointPosition, _ signal: Double?, age: Double = 0) -> AccessPointObservation {
    AccessPointObservation(
      bssid: place.bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: nil, receivedAt: now - .seconds(age))
  }

  private func off(_ position: WiFiPosition, east: Double, north: Double) -> Double {
    let offset = LocalFrame(origin: home).offset(of: position.coordinate)
    return Math.hypot(offset.eastMeters - east, offset.northMeters - north)
  }

  @Test func nothingKnownIsNoPosition() throws {
    let place = try place(1, east: 0, north: 0)
    #expect(WiFiSolver().solve([], places: [place], at: now) == nil)
    #expect(WiFiSolver().solve([sighting(place, -60)], places: [], at: now) == nil)
    #expect(WiFiSolver().solve([sighting(place, -60, age: 21)], places: [place], at: now) == nil)
  }

  @Test func oneIsEnoughAndItsRangeIsTheRadius() throws {
    let place = try place(1, east: 0, north: 0)
    let near = try #require(WiFiSolver().solve([sighting(place, -45)], places: [place], at: now))
    let far = try #require(WiFiSolver().solve([sighting(place, -88)], places: [place], at: now))
    let unknown = try #require(WiFiSolver().solve([sighting(place, nil)], places: [place], at: now))
    for position in [near, far, unknown] {
      #expect(off(position, east: 0, north: 0) < 1 && position.count == 1 && position.receivedAt == now)
    }
    #expect(near.radius68 < far.radius68)
    #expect((15...60).contains(near.radius68.value) && (50...200).contains(far.radius68.value))
    #expect((50...200).contains(unknown.radius68.value))
  }

  @Test func theStrongerIsTheNearer() throws {
    let places = [try place(1, east: -50, north: 0), try place(2, east: 50, north: 0)]
    let position = try #require(
      WiFiSolver().solve([sighting(places[0], -50), sighting(places[1], -80)], places: places, at: now))
    #expect(off(position, east: -50, north: 0) < off(position, east: 50, north: 0) - 20)
    let equal = try #require(
      WiFiSolver().solve([sighting(places[0], -70), sighting(places[1], -70)], places: places, at: now))
    #expect(off(equal, east: 0, north: 0) < 2)
  }

  @Test func whatHasMovedIsLeftOut() throws {
    var places: [AccessPointPosition] = []
    for number in 0..<6 {
      places.append(try place(UInt64(number + 1), east: Double(number % 3) * 40, north: Double(number / 3) * 40))
    }
    let without = try #require(WiFiSolver().solve(places.map { sighting($0, -65) }, places: places, at: now))
    places.append(try place(9, east: 40_000, north: 900_000))
    places.append(try place(10, east: -3000, north: 0))
    let with = try #require(WiFiSolver().solve(places.map { sighting($0, -65) }, places: places, at: now))
    #expect(with.count == 6)
    #expect(Geodesic.inverse(from: with.coordinate, to: without.coordinate).distance < Meters(1))
  }

  @Test func twoThatContradictEachOtherSayNothing() throws {
    let places = [try place(1, east: 0, north: 0), try place(2, east: 5000, north: 0)]
    #expect(WiFiSolver().solve(places.map { sighting($0, -60) }, places: places, at: now) == nil)
  }

  @Test func theNewestObservationOfEachCounts() throws {
    let places = [try place(1, east: -50, north: 0), try place(2, east: 50, north: 0)]
    let old = sighting(places[0], -45, age: 6)
    let new = [sighting(places[0], -80), sighting(places[1], -50)]
    let one = WiFiSolver().solve([old] + new, places: places, at: now)
    #expect(one != nil && one == WiFiSolver().solve(new + [old], places: places, at: now))
    #expect(one == WiFiSolver().solve(new, places: places, at: now))
  }

  @Test func olderFixesCountLessWhenMoving() throws {
    let places = try (0..<8).map { try place(UInt64($0 + 1), east: Double($0) * 20, north: Double($0 % 2) * 30) }
    let observations = places.enumerated().map { sighting($1, -70, age: Double($0) * 0.6) }
    func radius(_ speed: Double) throws -> Double {
      let position = WiFiSolver().solve(observations, places: places, at: now, speedMetersPerSecond: speed)
      return try #require(position).radius68.value
    }
    #expect(try radius(0) < radius(8) && radius(8) < radius(30))
  }

  /// Errors that the access points of a street share do not average out: the radius stays above most of their own.
  @Test(arguments: [1, 2, 4, 8, 30], [20.0, 60]) func moreOfThemAreNoProof(count: Int, radius: Double) throws {
    let places = try (0..<count).map { (index: Int) throws -> AccessPointPosition in
      let (column, row) = (Double(index % 6), Double(index / 6))
      return try place(UInt64(index + 1), east: 15 * column, north: 15 * row, radius: radius)
    }
    let position = try #require(WiFiSolver().solve(places.map { sighting($0, -60) }, places: places, at: now))
    #expect(position.radius68 >= Meters(0.9 * radius) && position.count == count)
  }

  @Test func theOrderDoesNotMatterNorTheDateLine() throws {
    let corner = Coordinate(latitude: Angle(degrees: -17), longitude: Angle(degrees: 179.9999))
    let frame = LocalFrame(origin: corner)
    var random = SplitMix64(seed: 1)
    let places = try (0..<20).map { number in
      AccessPointPosition(
        bssid: try #require(BSSID(rawValue: UInt64(number + 1))),
        coordinate: frame.coordinate(
          at: .init(
            eastMeters: .random(in: -60...60, using: &random), northMeters: .random(in: -60...60, using: &random))),
        radius68: Meters(25))
    }
    let observations = places.map { sighting($0, .random(in: -90 ... -50, using: &random)) }
    let position = try #require(WiFiSolver().solve(observations, places: places, at: now))
    #expect(Geodesic.inverse(from: position.coordinate, to: corner).distance < Meters(40))
    let again = WiFiSolver().solve(observations.shuffled(using: &random), places: places.reversed(), at: now)
    #expect(again == position)
  }

  /// Any input gives a position on Earth with a radius, or none.
  @Test func nothingBreaksIt() throws {
    var random = SplitMix64(seed: 2)
    for round in 0..<60 {
      let places = try (0..<Int.random(in: 1...70, using: &random)).map { number in
        let spread = [0.0, 1e-4, 1e-2, 10, 90][round % 5]
        return AccessPointPosition(
          bssid: try #require(BSSID(rawValue: UInt64(number + 1))),
          coordinate: Coordinate(
            latitude: Angle(degrees: .random(in: -spread...spread, using: &random)),
            longitude: Angle(degrees: 2 * .random(in: -spread...spread, using: &random))),
          radius68: Meters([0.1, 20, 5000][round % 3]))
      }
      let observations = places.map {
        sighting($0, Bool.random(using: &random) ? .random(in: -110...0, using: &random) : nil)
      }
      guard let position = WiFiSolver().solve(observations, places: places, at: now) else { continue }
      let (latitude, longitude) = (position.coordinate.latitude.degrees, position.coordinate.longitude.degrees)
      #expect(Coordinate(checkingLatitude: latitude, longitude: longitude) != nil)
      #expect((20...1000).contains(position.radius68.value))
    }
  }
}
