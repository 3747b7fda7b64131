import Geodesy
import Positioning
import TestSupport
import Testing
import WireFormats

struct AccessPointAveragerTests {
  private let home = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))

  private func row(_ address: UInt64, east: Double, radius: Double = 50) throws -> AccessPointPosition {
    AccessPointPosition(
      bssid: try #require(BSSID(rawValue: address)),
      coordinate: LocalFrame(origin: home).coordinate(at: .init(eastMeters: east, northMeters: 0)),
      radius68: Meters(radius))
  }

  private func averages(_ rows: [AccessPointPosition], capacity: Int = AccessPointAverager.capacity)
    -> [AccessPointPosition]
  {
    var averager = AccessPointAverager(capacity: capacity)
    var places: [AccessPointPosition] = []
    for row in rows { averager.add(row) { places.append($0) } }
    averager.finish { places.append($0) }
    averager.finish { places.append($0) }
    return places
  }

  private func east(_ place: AccessPointPosition) -> Double {
    LocalFrame(origin: home).offset(of: place.coordinate).eastMeters
  }

  @Test func oneRowIsItself() throws {
    let places = averages([try row(1, east: 30)])
    #expect(places.count == 1 && abs(east(places[0]) - 30) < 0.01 && abs(places[0].radius68.value - 50) < 0.01)
  }

  @Test func theBetterKnownCountsForMore() throws {
    let places = averages([try row(1, east: 0, radius: 100), try row(2, east: 7), try row(1, east: 100, radius: 50)])
    #expect(places.map(\.bssid.rawValue) == [1, 2])
    // The weights are 1 / 100² and 1 / 50².
    #expect(abs(east(places[0]) - 80) < 0.1 && abs(east(places[1]) - 7) < 0.1)
    // The mean square of both radii is 2 / (1 / 100² + 1 / 50²), with two rows.
    #expect(abs(places[0].radius68.value - (4000.0 / 2).squareRoot()) < 0.5)
  }

  @Test func manyRowsAreNotWorthMoreThanFour() throws {
    let places = averages(try (0..<100).map { try row(1, east: Double($0 % 2)) })
    #expect(places.count == 1 && abs(places[0].radius68.value - 25) < 0.1)
  }

  @Test func rowsThatAreFarFromEachOtherAreWorthLess() throws {
    let places = averages(try (0..<100).map { try row(1, east: Double($0 % 2) * 400) })
    #expect(places.count == 1 && abs(places[0].radius68.value - 200 * 1.0715 / 2) < 2)
  }

  @Test func whatHasMovedIsWhereItWasLast() throws {
    let places = averages([try row(1, east: 0), try row(1, east: 10), try row(1, east: 5000)])
    #expect(places.count == 1 && abs(east(places[0]) - 5000) < 2 && abs(places[0].radius68.value - 50) < 0.1)
  }

  /// Each row is part of one returned access point, whatever the memory limit; with enough memory, the order of the rows does not
  /// matter.
  @Test func memoryIsBoundedAndNothingIsLost() throws {
    var random = SplitMix64(seed: 1)
    let rows = try (0..<2000).map { _ in
      try row(.random(in: 1...300, using: &random), east: .random(in: 0...100, using: &random))
    }
    let whole = averages(rows)
    #expect(whole.map(\.bssid) == Set(rows.map(\.bssid)).sorted())
    for (one, other) in zip(whole, averages(rows.reversed())) {
      #expect(one.bssid == other.bssid && abs(east(one) - east(other)) < 0.01)
    }
    let parts = averages(rows, capacity: 50)
    #expect(Set(parts.map(\.bssid)) == Set(rows.map(\.bssid)) && parts.count > whole.count)
  }

  /// Accuracies whose squares overflow.
  @Test func hugeAccuracies() throws {
    var reader = AccessPointTableReader()
    var averager = AccessPointAverager()
    var places: [AccessPointPosition] = []
    let rows = (1...3).map { "00:11:22:33:44:01,47.000\($0),8,1e200\n" }.joined()
    try reader.push(Array("bssid,latitude,longitude,accuracy\n\(rows)".utf8).span) { row in
      averager.add(row) { places.append($0) }
    }
    averager.finish { places.append($0) }
    let place = try #require(places.first)
    #expect(places.count == 1 && place.radius68.value.isFinite)
    #expect(abs(place.coordinate.latitude.degrees - 47.0002) < 1e-5)
  }
}
