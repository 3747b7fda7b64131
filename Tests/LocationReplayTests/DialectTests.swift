import Geodesy
import LocationReplay
import TestSupport
import Testing
import WireFormats

extension Dialect {
  /// The kind of message with which an epoch begins.
  var first: String {
    switch self {
    case .nmea23: "gga"
    case .nmea411: "rmc"
    case .ublox6: "navPOSLLH"
    case .ublox7, .ublox8, .ublox9, .mixed: "navPVT"
    }
  }

  /// The possible rounding error of a position in degrees: half of the last digit.
  var rounding: Double {
    switch self {
    case .nmea23: 0.5e-4 / 60
    case .nmea411, .mixed: 0.5e-5 / 60
    case .ublox6, .ublox7, .ublox8, .ublox9: 0.5e-7
    }
  }
}

private let start = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)

@Suite struct DialectTests {
  @Test(arguments: Dialect.allCases) func whatIsReportedIsDecodedToTheTruth(dialect: Dialect) throws {
    var driver = SimulatorDriver(
      quiet(dialect) {
        $0.rateHertz = 5
        $0.extraSentences = [.gst, .zda, .gns, .pubx00]
        $0.trajectory = .circle(
          center: SimulatedPosition(latitude: -12.3, longitude: -0.0001, height: 100), radius: Meters(60),
          metersPerSecond: 15)
      })
    driver.run(until: .milliseconds(59_999))
    let (epochs, counters) = decode(driver.bytes, first: dialect.first)
    #expect(epochs.count == 300)
    #expect(counters.checksumErrors == 0)
    #expect(counters.malformed == 0)
    #expect(counters.unknown == 0)
    #expect(counters.noiseBytes == 0)
    for (index, epoch) in epochs.enumerated() {
      let time = start + .milliseconds(200 * index)
      let truth = driver.receiver.truth(at: time)
      let slack = dialect.rounding * 1.01
      #expect(abs(try #require(epoch.latitude) - truth.position.coordinate.latitude.degrees) <= slack)
      #expect(abs(try #require(epoch.longitude) - truth.position.coordinate.longitude.degrees) <= slack)
      #expect(abs(try #require(epoch.heightAboveEllipsoid) - 100) <= 0.051)
      #expect(abs(try #require(epoch.heightAboveMeanSeaLevel) - 52.5) <= 0.051)
      #expect(abs(try #require(epoch.speedMetersPerSecond) - 15) <= 0.006)
      let courseError = try #require(epoch.courseDegrees) - (try #require(truth.course).degrees)
      #expect(abs(courseError.remainder(dividingBy: 360)) <= 0.006)
      let reported = try #require(epoch.timeOfDay)
      // UBX has the nanoseconds in a separate field.
      #expect(reported.nanosecondsSinceMidnight / 1_000_000_000 == time.nanosecondsSinceMidnight / 1_000_000_000)
      #expect(epoch.date == time.date)
      if let timeOfWeek = epoch.timeOfWeekMilliseconds {
        // 2026-08-01 is a Saturday; GPS time is 18 s ahead.
        #expect(Int(timeOfWeek) == (6 * 86_400 + 12 * 3600 + 18) * 1000 + 200 * index)
      }
      #expect(epoch.dimensions == 3)
      let (seen, used) = dialect.satellites
      #expect(epoch.satellitesUsed == used)
      #expect(epoch.inView.count == seen)
      if !epoch.used.isEmpty { #expect(epoch.used.count == used) }
    }
  }

  @Test func eachGenerationSaysItsOwnMessages() {
    let expected: [Dialect: [String]] = [
      .nmea23: ["gga", "gsa", "gsv", "rmc", "vtg", "gll"],
      .nmea411: ["rmc", "vtg", "gga", "gsa", "gsv", "gll"],
      .ublox6: ["navPOSLLH", "navSOL", "navVELNED", "navTIMEUTC", "navDOP", "navSVINFO", "navSatellite"],
      .ublox7: ["navPVT", "navDOP", "navSVINFO", "navSatellite"],
      .ublox8: ["navPVT", "navDOP", "navSAT", "navSatellite"],
      .ublox9: ["navPVT", "navDOP", "navCOV", "navSAT", "navSatellite", "navEOE"],
      .mixed: ["navPVT", "rmc", "gga", "gsa", "gsv", "navSAT", "navSatellite"],
    ]
    for dialect in Dialect.allCases {
      var driver = SimulatorDriver(quiet(dialect) { $0.announcesSimulation = false })
      driver.run(until: .milliseconds(999))
      #expect(decode(driver.bytes, first: dialect.first).epochs.map(\.kinds) == [expected[dialect]])
    }
  }

  @Test func aSimulationSaysSo() {
    for dialect in [Dialect.nmea23, .nmea411, .mixed] {
      for announces in [true, false] {
        var driver = SimulatorDriver(quiet(dialect) { $0.announcesSimulation = announces })
        driver.run(until: .seconds(3))
        #expect(decode(driver.bytes, first: dialect.first).epochs.allSatisfy { $0.isSimulated == announces })
      }
    }
  }

  @Test(arguments: [Dialect.nmea411, .ublox6, .ublox7, .ublox8, .ublox9])
  func theReportedAccuracyIsCalibrated(dialect: Dialect) throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.noise.horizontalMeters = 3
    configuration.noise.verticalMeters = 5
    configuration.extraSentences = [.gst]
    var driver = SimulatorDriver(configuration)
    driver.run(until: .seconds(2000))
    let epochs = decode(driver.bytes, first: dialect.first).epochs
    let truth = driver.receiver.truth(at: start).position
    var (north, height, inside) = (0.0, 0.0, 0)
    for epoch in epochs {
      let accuracy = try #require(epoch.horizontalAccuracy)
      #expect(abs(accuracy - 3 * 2.0.squareRoot()) < 0.02)
      #expect(epoch.verticalAccuracy == 5)
      let y = (try #require(epoch.latitude) - truth.coordinate.latitude.degrees) * 111_180
      let x = (try #require(epoch.longitude) - truth.coordinate.longitude.degrees) * 75_700
      let z = try #require(epoch.heightAboveEllipsoid) - truth.heightAboveEllipsoid.value
      north += y * y
      height += z * z
      if x * x + y * y < accuracy * accuracy { inside += 1 }
    }
    #expect(abs((north / Double(epochs.count)).squareRoot() - 3) < 0.25)
    #expect(abs((height / Double(epochs.count)).squareRoot() - 5) < 0.4)
    // hAcc is the root of the sum of two equal variances, which 63 % of errors do not exceed.
    #expect(abs(Double(inside) / Double(epochs.count) - 0.632) < 0.03)
  }
}

@Suite struct DialectFaultTests {
  @Test(arguments: Dialect.allCases) func aColdStartAndALossAreReported(dialect: Dialect) {
    var driver = SimulatorDriver(
      quiet(dialect) {
        $0.coldStart = ColdStart(
          timeOfDay: .seconds(3), date: .seconds(4), satellitesInView: .seconds(2), fix2D: .seconds(6),
          fix3D: .seconds(8))
        $0.faults = [.lossOfFix(.seconds(10)..<(.seconds(12)))]
      })
    driver.run(until: .milliseconds(13_500))
    let (epochs, counters) = decode(driver.bytes, first: dialect.first)
    #expect(counters.malformed + counters.checksumErrors + counters.noiseBytes == 0)
    #expect(epochs.map(\.dimensions) == [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 0, 0, 3, 3])
    #expect(epochs.map { $0.latitude != nil } == epochs.map { $0.dimensions > 0 })
    #expect(
      epochs.map { !$0.inView.isEmpty } == [false, false] + [Bool](repeating: true, count: 8) + [
        false, false, true, true,
      ])
    let (_, used) = dialect.satellites
    #expect(epochs.map(\.satellitesUsed) == epochs.map { $0.dimensions == 3 ? used : $0.dimensions == 2 ? 3 : 0 })
    if dialect != .ublox6 {
      #expect(epochs.map { $0.timeOfDay != nil } == (0..<14).map { $0 >= 3 })
      #expect(epochs.map { $0.date != nil } == (0..<14).map { $0 >= 4 })
    }
  }

  @Test(arguments: Dialect.allCases) func aFrozenPositionStandsStillWhileTheRestGoesOn(dialect: Dialect) {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.trajectory = .line(
      from: SimulatedPosition(latitude: 47, longitude: 8, height: 400), course: Angle(degrees: 45), metersPerSecond: 10)
    configuration.faults = [.frozenPosition(.milliseconds(2500)..<(.seconds(6)))]
    var driver = SimulatorDriver(configuration)
    driver.run(until: .milliseconds(8500))
    let epochs = decode(driver.bytes, first: dialect.first).epochs
    #expect(Set(epochs.map(\.latitude)).count == 7, "epochs 3, 4 and 5 are one")
    #expect(epochs[3].latitude == epochs[5].latitude)
    #expect(Set(epochs.map(\.timeOfDay)).count == 9)
    #expect(Set(epochs.map(\.speedMetersPerSecond)).count > 3)
  }

  @Test(arguments: Dialect.allCases) func datesRollOverByAWeekNumber(dialect: Dialect) {
    var driver = SimulatorDriver(quiet(dialect) { $0.faults = [.weekRollover] })
    driver.run(until: .milliseconds(500))
    let epoch = decode(driver.bytes, first: dialect.first).epochs.first
    #expect(epoch?.date == CalendarDate(year: 2006, month: 12, day: 16))
    // Week 2429 of GPS time minus 1024.
    if dialect == .ublox6 { #expect(epoch?.week == 1405) }
  }

  @Test(arguments: Dialect.allCases) func leapSecondsAreWrongUntilTheyAreReceived(dialect: Dialect) {
    var driver = SimulatorDriver(
      quiet(dialect) { $0.faults = [.wrongLeapSeconds(.zero..<(.seconds(2)), error: 3)] })
    driver.run(until: .milliseconds(2500))
    let epochs = decode(driver.bytes, first: dialect.first).epochs
    #expect(epochs.map { $0.timeOfDay?.second } == [3, 4, 2])
    switch dialect {
    case .nmea23, .nmea411: break
    case .ublox6, .ublox7, .ublox8, .ublox9, .mixed:
      #expect(epochs.map(\.timeOfWeekMilliseconds) == [561_618_000, 561_619_000, 561_620_000])
      #expect(epochs.map(\.isFullyResolved) == [false, false, true])
    }
  }

  @Test(arguments: Dialect.allCases) func corruptionCostsOneFrameAndNoMore(dialect: Dialect) {
    var whole = SimulatorDriver(quiet(dialect))
    var hurt = SimulatorDriver(quiet(dialect) { $0.faults = [.corruption(every: 5)] })
    whole.run(until: .seconds(100))
    hurt.run(until: .seconds(100))
    let (good, bad) = (decode(whole.bytes, first: "").counters, decode(hurt.bytes, first: "").counters)
    let lost = good.validFrames / 5
    #expect(bad.validFrames == good.validFrames - lost)
    #expect(bad.checksumErrors >= lost)
    #expect(bad.malformed == 0)
  }

  @Test(arguments: Dialect.allCases) func garbageBetweenEpochsCostsLittle(dialect: Dialect) {
    var driver = SimulatorDriver(
      quiet(dialect) { $0.faults = [.garbage(.seconds(10)..<(.seconds(20)), bytes: 300)] })
    driver.run(until: .seconds(40))
    let (epochs, counters) = decode(driver.bytes, first: dialect.first)
    #expect(counters.noiseBytes > 2000)
    #expect(epochs.count >= 35)
  }

  @Test(arguments: Dialect.allCases) func anotherSpeedHasNoValidFrame(dialect: Dialect) {
    var driver = SimulatorDriver(quiet(dialect))
    driver.run(until: .seconds(3))
    for received in [4800, 19_200, 38_400, 115_200] {
      let garbage = LineGarbler.garble(driver.bytes, talked: 9600, received: received)
      #expect(decode(garbage, first: "").counters.validFrames == 0)
    }
  }
}

extension Dialect {
  /// The number of satellites in view, and of those used in a fix with height.
  var satellites: (seen: Int, used: Int) {
    switch self {
    case .nmea23, .ublox6, .ublox7: (9, 8)
    case .ublox8, .mixed: (15, 13)
    case .nmea411, .ublox9: (26, 22)
    }
  }
}
