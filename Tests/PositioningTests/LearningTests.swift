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

  private func located(
    east: Double, north: Double = 0, day: Int = 20_000, signal: Double = -75, of bssid: BSSID
  ) -> LocatedObservation {
    LocatedObservation(
      bssid: bssid, coordinate: place(east: east, north: north), radius68: Meters(5),
      distance: SignalDistance(signal: signal, threshold: -90, exponent: 3), day: day)
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

  private func sighting(_ second: Double, signal: Double? = -80, of bssid: BSSID) -> AccessPointObservation {
    AccessPointObservation(
      bssid: bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: nil,
      receivedAt: Instant(nanoseconds: Int64(second * 1e9)))
  }

  // MARK: - Where it was received

  @Test func aObservationWaitsForTheFixAfterIt() throws {
    let received = try bssid()
    var placer = ObservationLocator()
    #expect(placer.handle(fix(east: 0, second: 10)) == [])
    #expect(placer.handle([sighting(10.75, of: received)]) == [])
    let observations = placer.handle(fix(east: 4, second: 11))
    let located = try #require(observations.first)
    #expect(observations.count == 1 && located.day == 20_000)
    #expect(abs(LocalFrame(origin: home).offset(of: located.coordinate).eastMeters - 3) < 1e-6)
  }

  @Test func lateFixesAreInsertedInOrder() throws {
    var placer = ObservationLocator()
    for second in 0..<30 { _ = placer.handle(fix(east: 3 * Double(second), second: Double(second))) }
    let observations = placer.handle([sighting(12.5, of: try bssid())])
    let there = try #require(observations.first).coordinate
    #expect(abs(LocalFrame(origin: home).offset(of: there).eastMeters - 37.5) < 1e-6)
  }

  /// Radius, age and speed, each tested separately.
  @Test(
    arguments: [
      (5.0, 1.0, 3.0, true), (200, 0, 3, true), (201, 0, 3, false), (5, 19, 0, true), (5, 20, 0, false),
      (5, 1, 49, true),
      (5, 1, 50, false),
    ])
  func whatAFixTells(radius: Double, age: Double, speed: Double, tells: Bool) throws {
    var placer = ObservationLocator()
    _ = placer.handle(fix(east: 0, second: 100, radius: radius, speed: speed))
    let atOnce = placer.handle([sighting(100 + age, of: try bssid())])
    // The next fix is much later, and has the same position as the first one.
    let observations = atOnce + placer.handle(fix(east: 0, second: 100 + 2 * age, radius: radius, speed: speed))
    #expect(observations.count == (tells ? 1 : 0))
    // The radius grows by a quarter of the distance since the nearest fix.
    if let located = observations.first {
      #expect(abs(located.radius68.value - min(radius + 0.25 * age * speed, radius + age * speed)) < 1)
    }
  }

  @Test func onlySatellitesTeachAndNoDoubtedOnes() throws {
    for spoil in [{ $0.technologies = .wifi }, { $0.qualityFlag = .jammed }] as [(inout PositionFix) -> Void] {
      var placer = ObservationLocator()
      var observations: [LocatedObservation] = []
      for second in 0..<5 {
        var fix = fix(east: 0, second: Double(second))
        spoil(&fix)
        observations += placer.handle(fix) + placer.handle([sighting(Double(second), of: try bssid())])
      }
      #expect(observations == [])
    }
  }

  @Test func aStationaryMachineIsReportedOnce() throws {
    var placer = ObservationLocator()
    var count = 0
    for second in 0..<1300 {
      count += placer.handle(fix(east: 0, second: Double(second), speed: 0)).count
      // The kernel reports an observation for half a minute.
      count += placer.handle([sighting(Double(second - second % 30), of: try bssid())]).count
    }
    #expect(count == 3)
  }

  @Test func memoryIsBounded() throws {
    var placer = ObservationLocator()
    for second in 0..<100 {
      let scan = try (0..<64).map { sighting(Double(second), of: try bssid(UInt64(second * 64 + $0 + 1))) }
      _ = placer.handle(scan)
      if second.isMultiple(of: 2) { _ = placer.handle(fix(east: 0, second: Double(second))) }
    }
    // Without a fix, only the newest observation waits.
    for second in 100..<200 {
      _ = placer.handle(try (0..<64).map { sighting(Double(second), of: try bssid(UInt64(second * 64 + $0 + 1))) })
    }
    #expect(placer.handle(fix(east: 0, second: 200)).count <= 512)
  }

  // MARK: - What is learned about it

  /// An access point that was received from only one street may be on either side of it, and no number of observations shows
  /// which.
  @Test func oneStreetReportsNothingAcrossIt() throws {
    let received = try bssid()
    var record = AccessPointRecord(located(east: -60, of: received))
    func learn(east: Double, street: Double, day: Int) {
      // The access point is 25 m north of the first street, and signals decrease as in open space.
      let signal = -36 - 20 / 2.302_585 * Math.log(Math.hypot(east, 25 - street))
      var received = located(east: east, north: street, day: day, of: received)
      received.distance = SignalDistance(signal: signal, threshold: -90, exponent: 2)
      record.learn(received)
    }
    for (number, east) in stride(from: -50.0, through: 60, by: 10).enumerated() {
      learn(east: east, street: 0, day: 20_001 + number)
    }
    let mean = LocalFrame(origin: home).offset(of: record.coordinate)
    #expect(abs(mean.eastMeters) < 15 && abs(mean.northMeters) < 5, "\(mean)")
    #expect(record.covariance.x.squareRoot() < 30, "\(record.covariance)")
    #expect((28...50).contains(record.covariance.z.squareRoot()), "\(record.covariance)")
    // The access point is between this street and the next one.
    for (number, east) in stride(from: -60.0, through: 60, by: 10).enumerated() {
      learn(east: east, street: 60, day: 20_021 + number)
    }
    let between = LocalFrame(origin: home).offset(of: record.coordinate)
    #expect(abs(between.northMeters - 25) < 12, "\(between)")
    #expect(record.covariance.z.squareRoot() < 26, "\(record.covariance)")
  }

  /// Any observations lead to a position on Earth with a valid covariance.
  @Test func noObservationBreaksAnEstimate() throws {
    let received = try bssid()
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      var record = AccessPointRecord(located(east: 0, signal: .random(in: -100 ... -20, using: &random), of: received))
      for day in 0..<30 {
        var located = located(
          east: .random(in: -600...600, using: &random), north: .random(in: -600...600, using: &random),
          day: 20_000 + day, of: received)
        located.radius68 = Meters(.random(in: 0.1...200, using: &random))
        located.distance = SignalDistance(
          signal: .random(in: -100 ... -20, using: &random), threshold: .random(in: -95 ... -40, using: &random),
          exponent: .random(in: 2...4, using: &random))
        record.learn(located)
        let (covariance, read) = (record.covariance, AccessPointRecord(record.bytes.span))
        #expect(covariance.x > 0 && covariance.x * covariance.z > covariance.y * covariance.y)
        #expect(covariance.x.isFinite && covariance.z.isFinite && read != nil)
      }
    }
  }

  @Test func moreObservationsAreBetterToACertainPoint() throws {
    let received = try bssid()
    var record = AccessPointRecord(located(east: 0, of: received))
    var radii: [Double] = []
    for number in 1..<200 {
      record.learn(
        located(
          east: number.isMultiple(of: 2) ? 20 : -20, north: Double(number % 7) * 5, day: 20_000 + number, of: received))
      radii.append(try #require(record.place()).radius68.value)
    }
    #expect(radii[0] > 30 && radii[10] < 0.8 * radii[0] && (45...48).contains(radii[198]))
    #expect(zip(radii, radii.dropFirst()).allSatisfy { $1 <= $0 * 1.15 })
  }

  // MARK: - Moved access points

  @Test func aMadeUpAddressIsKnownAfterDays() throws {
    let made = try bssid(0x0201_E30A_F633)
    #expect(made.isLocallyAdministered)
    var record = AccessPointRecord(located(east: 0, of: made))
    for _ in 0..<20 { record.learn(located(east: 5, of: made)) }
    #expect(record.place() == nil)
    record.learn(located(east: 5, day: 20_003, of: made))
    #expect(record.place() == nil)
    record.learn(located(east: 5, day: 20_004, of: made))
    #expect(record.place() != nil)
  }

  @Test func oneErrorDoesNotMoveIt() throws {
    let received = try bssid()
    var record = AccessPointRecord(located(east: 0, of: received))
    record.learn(located(east: 10, of: received))
    record.learn(located(east: 20_000, of: received))
    #expect(record.place() != nil)
    record.learn(located(east: 5, of: received))
    #expect(record.state == .resident && record.count == 3 && record.moves == 0)
    #expect(LocalFrame(origin: home).offset(of: record.coordinate).length < Meters(20))
  }

  @Test(arguments: [(5, 1), (12, 0)]) func aMovedRouterStartsAgain(observations: Int, days: Int) throws {
    let received = try bssid()
    var record = AccessPointRecord(located(east: 0, of: received))
    for number in 0..<40 { record.learn(located(east: Double(number), of: received)) }
    for number in 0..<observations {
      #expect(record.moves == 0)
      record.learn(located(east: 300_000 + 20 * Double(number), day: 20_100 + min(days, number), of: received))
      // The first observation may have been an error; after the second one, no position is used until it is certain.
      #expect((record.place() != nil) == (number == 0 || number == observations - 1))
    }
    #expect(record.state == .resident && record.moves == 1 && record.firstDay == 20_000)
    let there = Geodesic.inverse(from: record.coordinate, to: place(east: 300_100)).distance
    #expect(there < Meters(300))
  }

  @Test func whatRidesAlongIsBlocked() throws {
    let train = try bssid()
    var record = AccessPointRecord(located(east: 0, of: train))
    for number in 1..<20 { record.learn(located(east: 300 * Double(number), of: train)) }
    #expect(record.state == .travelling(since: 20_000) && record.place() == nil && record.moves == 1)
    // Two days later, it stands still: it may have come to rest, but not for the third time within a month.
    record.learn(located(east: 0, day: 20_001, of: train))
    #expect(record.place() == nil)
    record.learn(located(east: 0, day: 20_002, of: train))
    #expect(record.state == .resident)
    for number in 1..<20 { record.learn(located(east: 300 * Double(number), day: 20_002, of: train)) }
    #expect(record.state == .travelling(since: 20_002) && record.moves == 2)
    for number in 1..<20 { record.learn(located(east: 300 * Double(number), day: 20_010, of: train)) }
    #expect(record.place() == nil)
    // After a year, it gets another chance.
    record.learn(located(east: 0, day: 20_400, of: train))
    #expect(record.place() != nil)
  }

  @Test func aPhoneThatComesHomeTravels() throws {
    let phone = try bssid()
    var record = AccessPointRecord(located(east: 0, of: phone))
    for _ in 0..<3 { record.learn(located(east: 9000, day: 20_001, of: phone)) }
    record.learn(located(east: 0, day: 20_001, of: phone))
    #expect(record.state == .travelling(since: 20_001))
  }

  // MARK: - Records

  @Test func aRecordSurvivesItsBytes() throws {
    let received = try bssid(0xFCFF_FF00_0001)
    var record = AccessPointRecord(located(east: 0, of: received))
    var records = [record]
    for number in 1..<60 {
      let east = number > 40 ? 9000 * Double(number - 40) : 7 * Double(number)
      record.learn(located(east: east, day: 20_000 + number, of: received))
      records.append(record)
    }
    #expect(Set(records.map { "\($0.state)".prefix(8) }).count == 3)
    for record in records {
      let bytes = record.bytes
      let stored = AccessPointRecord(bytes.span)
      let read = try #require(stored)
      #expect(bytes.count == AccessPointRecord.size && read.bytes == bytes && read.bssid == received)
      #expect(read.count == record.count && read.days == record.days && read.moves == record.moves)
      #expect(Geodesic.inverse(from: read.coordinate, to: record.coordinate).distance < Meters(0.02))
      #expect(abs(read.covariance.x - record.covariance.x) < 1e-5 * record.covariance.x)
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

  /// Written by the first version: its position was the mean of its observations, its scatter was theirs.
  @Test func aRecordOfTheFirstVersionIsRead() throws {
    var bytes = AccessPointRecord(located(east: 0, of: try bssid())).bytes
    func put(_ number: Float, at offset: Int) {
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * byte)) }
    }
    bytes[6] = 0x10
    bytes[7] = 4
    put(17.5, at: 16)
    put(900, at: 20)
    put(-100, at: 24)
    put(1700, at: 28)
    bytes[32] = 20
    let checksum = CRC32C.of(bytes[..<50])
    (bytes[50], bytes[51]) = (UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8))
    let stored = AccessPointRecord(bytes.span)
    let record = try #require(stored)
    #expect(record.state == .resident && record.count == 20 && record.days == 4)
    // 1.515 · √((1300 + 360) / 8 + 400) and 100 / 4.
    let place = try #require(record.place())
    #expect(abs(place.radius68.value - Math.hypot(Math.hypot(37.4, 25), 45)) < 1)
    let again = AccessPointRecord(record.bytes.span)
    #expect(record.bytes[6] == 0x20 && again?.count == 20)
    // One observation has no scatter.
    for offset in 20..<32 { bytes[offset] = 0 }
    let sealed = CRC32C.of(bytes[..<50])
    (bytes[50], bytes[51]) = (UInt8(truncatingIfNeeded: sealed), UInt8(truncatingIfNeeded: sealed >> 8))
    let isRead = AccessPointRecord(bytes.span) != nil
    #expect(isRead)
  }

  @Test func theCacheGivesBackWhatItDrivesOut() throws {
    var cache = RecordCache(capacity: 100)
    var store: [BSSID: AccessPointRecord] = [:]
    var random = SplitMix64(seed: 1)
    var counts: [BSSID: Int] = [:]
    for _ in 0..<300 {
      let observations = try (0..<20).map { _ in
        located(east: 0, of: try bssid(.random(in: 1...400, using: &random)))
      }
      for located in observations { counts[located.bssid, default: 0] += 1 }
      let missing = cache.missing(in: observations)
      #expect(missing.allSatisfy { cache.record(of: $0) == nil })
      for record in cache.learn(observations, stored: missing.compactMap { store[$0] }) { store[record.bssid] = record }
      #expect(cache.count <= 100)
    }
    let unsaved = cache.unsaved()
    for record in unsaved { store[record.bssid] = record }
    // Records stay unsaved until the caller reports that they are written.
    #expect(!unsaved.isEmpty && cache.unsaved() == unsaved)
    cache.saved(unsaved)
    #expect(cache.unsaved() == [])
    #expect(store.mapValues(\.count) == counts)
  }
}
