import Geodesy
@testable import Positioning
import TestSupport
import Testing
import WireFormats

struct LearningTests {
  private let home = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
  private let tuning = PositioningTuning.standard

  private func bssid(_ value: UInt64 = 0x0001_E30A_F633) throws -> BSSID { try #require(BSSID(rawValue: value)) }

  private func place(east: Double, north: Double = 0) -> Coordinate {
    LocalFrame(origin: home).coordinate(at: .init(eastMeters: east, northMeters: north))
  }

  private func hearing(east: Double, north: Double = 0, day: Int = 20_000, weight: Double = 1, of bssid: BSSID)
    -> Hearing
  {
    Hearing(
      bssid: bssid, coordinate: place(east: east, north: north), radius68: Meters(5), weight: weight, day: day)
  }

  private func fix(east: Double, second: Double, radius: Double = 5, speed: Double? = 3) -> PositionFix {
    let time = Int64(second * 1e9)
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 20_000 * GNSSTime.nanosecondsPerDay + time), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: time), coordinate: place(east: east), horizontalRadius68: Meters(radius),
      kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    return fix
  }

  private func sighting(_ second: Double, signal: Double? = -80, of bssid: BSSID) -> AccessPointSighting {
    AccessPointSighting(
      bssid: bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: nil,
      heardAt: Instant(nanoseconds: Int64(second * 1e9)))
  }

  // MARK: - Where it was heard

  @Test func aSightingWaitsForTheFixAfterIt() throws {
    let heard = try bssid()
    var placer = HearingPlacer()
    #expect(placer.handle(fix(east: 0, second: 10)) == [])
    #expect(placer.handle([sighting(10.75, of: heard)]) == [])
    let hearings = placer.handle(fix(east: 4, second: 11))
    let hearing = try #require(hearings.first)
    #expect(hearings.count == 1 && hearing.day == 20_000)
    #expect(abs(LocalFrame(origin: home).offset(of: hearing.coordinate).eastMeters - 3) < 1e-6)
    #expect(abs(hearing.weight - 1) < 1e-9)
  }

  @Test func whatIsToldLateIsPlacedInTheMemory() throws {
    var placer = HearingPlacer()
    for second in 0..<30 { _ = placer.handle(fix(east: 3 * Double(second), second: Double(second))) }
    let hearings = placer.handle([sighting(12.5, of: try bssid())])
    let there = try #require(hearings.first).coordinate
    #expect(abs(LocalFrame(origin: home).offset(of: there).eastMeters - 37.5) < 1e-6)
  }

  /// Radius, age, speed and signal, each by itself.
  @Test(
    arguments: [
      (5.0, 1.0, 3.0, -80.0, 1.0), (20, 1, 3, -80, 0.5), (201, 1, 3, -80, 0), (5, 4, 0, -80, 0.5), (5, 20, 0, -80, 0),
      (5, 1, 10, -80, 0.5), (5, 1, 50, -80, 0), (5, 1, 3, -50, 4.165), (5, 1, 3, -100, 0.482), (5, 1, 3, -120, 0.482),
    ])
  func weights(radius: Double, age: Double, speed: Double, signal: Double, weight: Double) throws {
    var placer = HearingPlacer()
    _ = placer.handle(fix(east: 0, second: 100, radius: radius, speed: speed))
    _ = placer.handle([sighting(100 + age, signal: signal, of: try bssid())])
    // The next fix is far from it in time, and stands where the first does.
    let hearings = placer.handle(fix(east: 0, second: 100 + 2 * age, radius: radius, speed: speed))
    let found = hearings.first?.weight ?? 0
    // Between two fixes the way from the nearest adds to the radius.
    #expect(abs(found - weight) < 0.001 + (radius > 10 ? 0.02 : 0))
  }

  @Test func onlySatellitesTeachAndNoDoubtedOnes() throws {
    for spoil in [{ $0.technologies = .wifi }, { $0.suspicion = .jammed }] as [(inout PositionFix) -> Void] {
      var placer = HearingPlacer()
      var hearings: [Hearing] = []
      for second in 0..<5 {
        var fix = fix(east: 0, second: Double(second))
        spoil(&fix)
        hearings += placer.handle(fix) + placer.handle([sighting(Double(second), of: try bssid())])
      }
      #expect(hearings == [])
    }
  }

  @Test func whoStandsHearsItOnce() throws {
    var placer = HearingPlacer()
    var count = 0
    for second in 0..<1300 {
      count += placer.handle(fix(east: 0, second: Double(second), speed: 0)).count
      // The kernel tells a sighting for half a minute.
      count += placer.handle([sighting(Double(second - second % 30), of: try bssid())]).count
    }
    #expect(count == 3)
  }

  @Test func memoryIsBounded() throws {
    var placer = HearingPlacer()
    for second in 0..<100 {
      let scan = try (0..<64).map { sighting(Double(second), of: try bssid(UInt64(second * 64 + $0 + 1))) }
      _ = placer.handle(scan)
      if second.isMultiple(of: 2) { _ = placer.handle(fix(east: 0, second: Double(second))) }
    }
    // Without a fix nothing but the newest waits.
    for second in 100..<200 {
      _ = placer.handle(try (0..<64).map { sighting(Double(second), of: try bssid(UInt64(second * 64 + $0 + 1))) })
    }
    #expect(placer.handle(fix(east: 0, second: 200)).count <= 512)
  }

  // MARK: - What is learnt of it

  @Test func placeAndScatterAreTheWeightedOnes() throws {
    let heard = try bssid()
    var record = AccessPointRecord(hearing(east: 0, of: heard))
    record.learn(hearing(east: 40, of: heard))
    record.learn(hearing(east: 80, north: 60, day: 20_001, weight: 2, of: heard))
    let mean = LocalFrame(origin: home).offset(of: record.coordinate)
    #expect(abs(mean.eastMeters - 50) < 0.01 && abs(mean.northMeters - 30) < 0.01)
    #expect(record.weight == 4 && record.count == 3 && record.days == 2)
    #expect(record.firstDay == 20_000 && record.lastDay == 20_001)
    // East: (50² + 10² + 2 · 30²) / 4; both: (50 · 30 + 10 · 30 + 2 · 30 · 30) / 4; north: (30² + 30² + 2 · 30²) / 4.
    #expect(abs(record.scatter.x - 1100) < 1 && abs(record.scatter.y - 900) < 1 && abs(record.scatter.z - 900) < 1)
    let told = try #require(record.place())
    #expect(told.coordinate == record.coordinate && told.radius68 > Meters(30) && told.radius68 < Meters(150))
  }

  @Test func moreHearingsAreBetterToACertainPoint() throws {
    let heard = try bssid()
    var record = AccessPointRecord(hearing(east: 0, of: heard))
    var radii: [Double] = []
    for number in 1..<200 {
      record.learn(
        hearing(
          east: number.isMultiple(of: 2) ? 40 : -40, north: Double(number % 7) * 5, day: 20_000 + number, of: heard))
      radii.append(try #require(record.place()).radius68.value)
    }
    #expect(radii[0] > 100 && radii[10] < 0.5 * radii[0] && radii[198] == 30)
    #expect(zip(radii, radii.dropFirst()).allSatisfy { $1 <= $0 * 1.15 })
  }

  @Test func aMadeUpAddressIsKnownAfterDays() throws {
    let made = try bssid(0x0201_E30A_F633)
    #expect(made.isLocallyAdministered)
    var record = AccessPointRecord(hearing(east: 0, of: made))
    for _ in 0..<20 { record.learn(hearing(east: 5, of: made)) }
    #expect(record.place() == nil)
    record.learn(hearing(east: 5, day: 20_003, of: made))
    #expect(record.place() == nil)
    record.learn(hearing(east: 5, day: 20_004, of: made))
    #expect(record.place() != nil)
  }

  @Test func oneErrorDoesNotMoveIt() throws {
    let heard = try bssid()
    var record = AccessPointRecord(hearing(east: 0, of: heard))
    record.learn(hearing(east: 10, of: heard))
    record.learn(hearing(east: 20_000, of: heard))
    #expect(record.place() != nil)
    record.learn(hearing(east: 5, of: heard))
    #expect(record.state == .resident && record.count == 3 && record.moves == 0)
    #expect(LocalFrame(origin: home).offset(of: record.coordinate).length < Meters(20))
  }

  @Test(arguments: [(5, 1), (12, 0)]) func aMovedRouterStartsAnew(hearings: Int, days: Int) throws {
    let heard = try bssid()
    var record = AccessPointRecord(hearing(east: 0, of: heard))
    for number in 0..<40 { record.learn(hearing(east: Double(number), of: heard)) }
    for number in 0..<hearings {
      #expect(record.moves == 0)
      record.learn(hearing(east: 300_000 + 20 * Double(number), day: 20_100 + min(days, number), of: heard))
      // The first may have been an error; after the second nothing is told until it is sure.
      #expect((record.place() != nil) == (number == 0 || number == hearings - 1))
    }
    #expect(record.state == .resident && record.moves == 1 && record.firstDay == 20_000)
    let there = Geodesic.inverse(from: record.coordinate, to: place(east: 300_100)).distance
    #expect(there < Meters(300))
  }

  @Test func whatRidesAlongIsBlocked() throws {
    let train = try bssid()
    var record = AccessPointRecord(hearing(east: 0, of: train))
    for number in 1..<20 { record.learn(hearing(east: 300 * Double(number), of: train)) }
    #expect(record.state == .travelling(since: 20_000) && record.place() == nil && record.moves == 1)
    // Two days later it stands somewhere: perhaps it has come to rest, but not for the third time within a month.
    record.learn(hearing(east: 0, day: 20_001, of: train))
    #expect(record.place() == nil)
    record.learn(hearing(east: 0, day: 20_002, of: train))
    #expect(record.state == .resident)
    for number in 1..<20 { record.learn(hearing(east: 300 * Double(number), day: 20_002, of: train)) }
    #expect(record.state == .travelling(since: 20_002) && record.moves == 2)
    for number in 1..<20 { record.learn(hearing(east: 300 * Double(number), day: 20_010, of: train)) }
    #expect(record.place() == nil)
    // After a year it is given another chance.
    record.learn(hearing(east: 0, day: 20_400, of: train))
    #expect(record.place() != nil)
  }

  @Test func aPhoneThatComesHomeTravels() throws {
    let phone = try bssid()
    var record = AccessPointRecord(hearing(east: 0, of: phone))
    for _ in 0..<3 { record.learn(hearing(east: 9000, day: 20_001, of: phone)) }
    record.learn(hearing(east: 0, day: 20_001, of: phone))
    #expect(record.state == .travelling(since: 20_001))
  }

  // MARK: - Records

  @Test func aRecordSurvivesItsBytes() throws {
    let heard = try bssid(0xFCFF_FF00_0001)
    var record = AccessPointRecord(hearing(east: 0, of: heard))
    var records = [record]
    for number in 1..<60 {
      let east = number > 40 ? 9000 * Double(number - 40) : 7 * Double(number)
      record.learn(hearing(east: east, day: 20_000 + number, of: heard))
      records.append(record)
    }
    #expect(Set(records.map { "\($0.state)".prefix(8) }).count == 3)
    for record in records {
      let bytes = record.bytes
      let stored = AccessPointRecord(bytes.span)
      let read = try #require(stored)
      #expect(bytes.count == AccessPointRecord.size && read.bytes == bytes && read.bssid == heard)
      #expect(read.count == record.count && read.days == record.days && read.moves == record.moves)
      #expect(Geodesic.inverse(from: read.coordinate, to: record.coordinate).distance < Meters(0.02))
      #expect(abs(read.weight - record.weight) < 1e-5 * record.weight)
      for bit in 0..<(8 * bytes.count) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << (bit % 8)
        let isRefused = AccessPointRecord(damaged.span) == nil
        #expect(isRefused)
      }
    }
    for none in [[], [UInt8](repeating: 0, count: 52)] {
      let isRefused = AccessPointRecord(none.span) == nil
      #expect(isRefused)
    }
  }

  @Test func theCacheGivesBackWhatItDrivesOut() throws {
    var cache = RecordCache(capacity: 100)
    var store: [BSSID: AccessPointRecord] = [:]
    var random = SplitMix64(seed: 1)
    var counts: [BSSID: Int] = [:]
    for _ in 0..<300 {
      let hearings = try (0..<20).map { _ in
        hearing(east: 0, of: try bssid(.random(in: 1...400, using: &random)))
      }
      for hearing in hearings { counts[hearing.bssid, default: 0] += 1 }
      let missing = cache.missing(in: hearings)
      #expect(missing.allSatisfy { cache.record(of: $0) == nil })
      for record in cache.learn(hearings, stored: missing.compactMap { store[$0] }) { store[record.bssid] = record }
      #expect(cache.count <= 100)
    }
    for record in cache.unsaved() { store[record.bssid] = record }
    #expect(cache.unsaved() == [])
    #expect(store.mapValues(\.count) == counts)
  }
}
