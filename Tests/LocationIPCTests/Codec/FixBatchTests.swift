import Geodesy
import LocationIPC
import TestSupport
import Testing

/// Fixes that are sent together.
@Suite struct FixBatchTests {
  private func near(_ a: Double?, _ b: Double?, within error: Double) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    // A `Double` of this size has no finer steps.
    return abs(a - b) <= error + abs(a) * 1e-15
  }

  @Test func everyFixIsReadAsPreciselyAsPromised() throws {
    var generator = MessageGenerator(seed: 11)
    for _ in 0..<300 {
      let written = generator.list(upTo: 8) { $0.fix() }
      let batch = FixBatch(written)
      #expect(batch.count == written.count && batch.isEmpty == written.isEmpty)
      let read = batch.fixes
      for (a, b) in zip(written, read) {
        #expect(near(a.coordinate.latitude.degrees, b.coordinate.latitude.degrees, within: 5.1e-10))
        #expect(near(a.coordinate.longitude.degrees, b.coordinate.longitude.degrees, within: 5.1e-10))
        #expect(near(a.horizontalRadius68.value, b.horizontalRadius68.value, within: 5.1e-4))
        #expect(near(a.heightAboveEllipsoid?.value, b.heightAboveEllipsoid?.value, within: 5.1e-4))
        #expect(near(a.heightAboveMeanSeaLevel?.value, b.heightAboveMeanSeaLevel?.value, within: 5.1e-4))
        #expect(near(a.verticalRadius68?.value, b.verticalRadius68?.value, within: 5.1e-4))
        #expect(near(a.speedMetersPerSecond, b.speedMetersPerSecond, within: 5.1e-4))
        #expect(near(a.speedRadius68MetersPerSecond, b.speedRadius68MetersPerSecond, within: 5.1e-4))
        #expect(near(a.course?.degrees, b.course?.degrees, within: 5.1e-4))
        #expect(near(a.courseRadius68?.degrees, b.courseRadius68?.degrees, within: 5.1e-4))
        #expect(near(a.hdop, b.hdop, within: 5.1e-4))
        // The rest is exact.
        var exact = a
        exact.coordinate = b.coordinate
        exact.horizontalRadius68 = b.horizontalRadius68
        exact.heightAboveEllipsoid = b.heightAboveEllipsoid
        exact.heightAboveMeanSeaLevel = b.heightAboveMeanSeaLevel
        exact.verticalRadius68 = b.verticalRadius68
        exact.speedMetersPerSecond = b.speedMetersPerSecond
        exact.speedRadius68MetersPerSecond = b.speedRadius68MetersPerSecond
        exact.course = b.course
        exact.courseRadius68 = b.courseRadius68
        exact.hdop = b.hdop
        // Texts are cut as in every message.
        exact.device = b.device
        exact.receiver = b.receiver
        #expect(exact == b)
        #expect((a.device == nil) == (b.device == nil) && (a.receiver == nil) == (b.receiver == nil))
      }
      guard !written.isEmpty else { continue }
      #expect(try FixBatch(reading: batch.bytes) == batch)
      // What was read once is read the same again.
      #expect(FixBatch(read).fixes == read)
      #expect(batch.newestArrival == written.last?.receivedAt)
    }
  }

  @Test func valuesAtTheLimitsStayValid() throws {
    var fix = drive(0)
    fix.horizontalRadius68 = Meters(1e-9)
    fix.course = Angle(degrees: 359.9999)
    fix.coordinate = Coordinate(latitude: Angle(degrees: 90), longitude: Angle(degrees: -180))
    fix.speedMetersPerSecond = 0
    let read = try #require(FixBatch([fix]).fixes.first)
    #expect(read.horizontalRadius68 == Meters(0.001) && read.course == Angle(degrees: 0))
    #expect(read.coordinate == fix.coordinate && read.speedMetersPerSecond == 0)
  }

  /// A drive at 1 Hz whose every number changes in every fix, with more noise than any receiver has.
  private func drive(_ second: Int) -> PositionFix {
    var random = SplitMix64(seed: UInt64(second) + 77)
    func noise(_ most: Double) -> Double { Double.random(in: -most...most, using: &random) }
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64(second) * 1_000_000_000),
      timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: 5_000_000_000_000 + Int64(second) * 1_000_000_000 + Int64(noise(9e6))),
      coordinate: Coordinate(
        latitude: Angle(degrees: 47 + 3e-4 * Double(second) + noise(2e-5)),
        longitude: Angle(degrees: 8 + 2e-4 * Double(second) + noise(2e-5))),
      horizontalRadius68: Meters(3 + noise(1)), kind: .threeDimensional, technologies: .gnss)
    fix.heightAboveEllipsoid = Meters(450 + noise(9))
    fix.heightAboveMeanSeaLevel = Meters(400 + noise(9))
    fix.verticalRadius68 = Meters(5 + noise(2))
    fix.speedMetersPerSecond = 30 + noise(3)
    fix.speedRadius68MetersPerSecond = 0.4 + noise(0.2)
    fix.course = Angle(degrees: 180 + noise(170))
    fix.courseRadius68 = Angle(degrees: 3 + noise(2))
    fix.satellitesUsed = 12 + Int(noise(6))
    fix.hdop = 0.9 + noise(0.3)
    (fix.device, fix.receiver) = ("/dev/ttyACM0", "usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver")
    return fix
  }

  /// A quarter of an hour at 1 Hz is within both limits.
  @Test func aQuarterOfAnHourHasRoom() throws {
    let batch = FixBatch((0..<FixBatch.capacity).map { drive($0) })
    #expect(batch.bytes.count <= FixBatch.byteCapacity, "\(batch.bytes.count) bytes")
    #expect(FixBatch.capacity >= 900)
    #expect(try FixBatch(reading: batch.bytes).count == FixBatch.capacity)
    // Neither the texts nor anything else that stays the same is repeated.
    let first = FixBatch([drive(0)]).bytes.count
    #expect(batch.bytes.count < 60 * FixBatch.capacity + first, "\(batch.bytes.count) bytes")
  }

  @Test func noFixNeedsMoreThanTheReserve() {
    var generator = MessageGenerator(seed: 12)
    var batch = FixBatch()
    for _ in 0..<2000 {
      let before = batch.bytes.count
      batch.append(generator.fix())
      #expect(batch.bytes.count - before <= FixBatch.longestFix)
    }
  }

  @Test func agesFollowFromTheArrivals() {
    let fixes = [0, 7, 9].map { second in
      var fix = drive(0)
      fix.receivedAt = Instant(nanoseconds: Int64(second) * 1_000_000_000)
      return fix
    }
    let ages = FixBatch(fixes).fixes(newestAge: .milliseconds(40)).map(\.age)
    #expect(ages == [.milliseconds(9040), .milliseconds(2040), .milliseconds(40)])
  }

  @Test func whatIsNoBatchIsRefused() {
    func error(_ bytes: [UInt8]) -> MessageError? {
      do throws(MessageError) { _ = try FixBatch(reading: bytes) } catch { return error }
      return nil
    }
    let batch = FixBatch([drive(0), drive(1)]).bytes
    #expect(error(batch) == nil)
    #expect(error([]) == .missingField(2))
    for end in 1..<batch.count {
      // Cut between the two fixes, one remains.
      if end == FixBatch([drive(0)]).bytes.count { continue }
      #expect(error(Array(batch[..<end])) != nil)
    }
    // A fix without anything, where none was before.
    #expect(error([0]) != nil)
    // Empty fixes repeat the one before: more than fit in a batch.
    let repeats = FixBatch([drive(0)]).bytes + [UInt8](repeating: 0, count: FixBatch.capacity - 1)
    #expect(error(repeats) == nil)
    #expect(error(repeats + [0]) == .tooLong(field: 2, limit: 1000, found: 1001))
    #expect(
      error([UInt8](repeating: 0, count: FixBatch.byteCapacity + 1))
        == .tooLong(field: 2, limit: FixBatch.byteCapacity, found: FixBatch.byteCapacity + 1))
    // Latitude +180° from the one before.
    #expect(error(FixBatch([drive(0)]).bytes + [0x07, 0x20, 0x80, 0xA0, 0xB0, 0x8D, 0xBD, 0x0A]) != nil)
  }
}
