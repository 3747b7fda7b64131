import Geodesy
import LocationReplay
import TestSupport
import Testing

/// A configuration without noise.
func quiet(_ dialect: Dialect, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in })
  -> SimulatedReceiver.Configuration
{
  var configuration = SimulatedReceiver.Configuration()
  configuration.dialect = dialect
  configuration.noise = .none
  change(&configuration)
  return configuration
}

/// The lines of NMEA output without their line endings.
func lines(_ bytes: [UInt8]) -> [String] {
  bytes.split(separator: 0x0A).map { String(decoding: $0.dropLast($0.last == 0x0D ? 1 : 0), as: UTF8.self) }
}

@Suite struct SimulatedReceiverTests {
  @Test func nmea411SaysOneEpochToTheLetter() {
    var driver = SimulatorDriver(
      quiet(.nmea411) {
        $0.announcesSimulation = false
        $0.trajectory = .line(
          from: SimulatedPosition(latitude: -33.5, longitude: 151.25, height: 60.04), course: Angle(degrees: 90),
          metersPerSecond: 10)
        $0.geoidSeparation = Meters(22)
        $0.extraSentences = [.gst, .zda, .gns, .pubx00]
      })
    driver.run(until: .milliseconds(500))
    #expect(driver.sent.map(\.milliseconds) == [80])
    let said = lines(driver.bytes)
    #expect(said.first == "$GNRMC,120000.00,A,3330.00000,S,15115.00000,E,19.438,90.00,010826,,,A,V*15")
    #expect(
      said.map { $0.prefix { $0 != "," } } == [
        "$GNRMC", "$GNVTG", "$GNGGA", "$GNGSA", "$GNGSA", "$GNGSA", "$GNGSA", "$GPGSV", "$GPGSV", "$GPGSV", "$GLGSV",
        "$GLGSV", "$GAGSV", "$GAGSV", "$GBGSV", "$GBGSV", "$GNGNS", "$GNGST", "$GNZDA", "$PUBX", "$GNGLL",
      ])
    #expect(said[2].hasPrefix("$GNGGA,120000.00,3330.00000,S,15115.00000,E,1,22,0.90,38.0,M,22.0,M,,*"))
    #expect(said[16].hasPrefix("$GNGNS,120000.00,3330.00000,S,15115.00000,E,AAAA,22,0.90,38.0,22.0,,,V*"))
    #expect(said[18].hasPrefix("$GNZDA,120000.00,01,08,2026,00,00*"))
    #expect(said[20].hasPrefix("$GNGLL,3330.00000,S,15115.00000,E,120000.00,A,A*"))
  }

  @Test(arguments: Dialect.allCases) func theSameConfigurationSaysTheSameBytes(dialect: Dialect) {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.faults = [.garbage(.zero..<(.seconds(9)), bytes: 50), .corruption(every: 7)]
    var (one, other) = (SimulatorDriver(configuration), SimulatorDriver(configuration))
    one.run(until: .seconds(5))
    for milliseconds in stride(from: 10, through: 5000, by: 10) { other.run(until: .milliseconds(milliseconds)) }
    #expect(one.bytes == other.bytes)
    #expect(one.sent.count == 5)
    configuration.noise.seed = 2
    var different = SimulatorDriver(configuration)
    different.run(until: .seconds(5))
    #expect(different.bytes != one.bytes)
  }

  @Test func epochsComeAtTheirRate() {
    for (rate, expected) in [
      (1, [80, 1080, 2080]), (10, [80, 180, 280]), (25, [80, 120, 160]), (99, [80, 120, 160]),
    ] {
      var driver = SimulatorDriver(quiet(.ublox8) { $0.rateHertz = rate })
      driver.run(until: .milliseconds(2500))
      #expect(driver.sent.prefix(3).map { Int($0.milliseconds) } == expected)
    }
  }

  @Test func aUARTCarriesNoFasterThanItsSpeed() throws {
    var driver = SimulatorDriver(
      quiet(.nmea23) {
        $0.baud = 9600
        $0.pacing = .dribbled(chunkBytes: 16)
      })
    driver.run(until: .milliseconds(1000))
    #expect(driver.sent.allSatisfy { $0.bytes.count <= 16 })
    let count = driver.bytes.count
    let last = try #require(driver.sent.last?.milliseconds)
    // Ten bits per byte at 9600 bits per second.
    #expect(last == 80 + Int64(count) * 10_000 / 9600)
    var whole = SimulatorDriver(quiet(.nmea23))
    whole.run(until: .milliseconds(1000))
    #expect(whole.bytes == driver.bytes)
  }

  @Test func moreThanTheLineCarriesDropsWholeEpochs() {
    var driver = SimulatorDriver(
      quiet(.nmea411) {
        $0.baud = 4800
        $0.rateHertz = 10
        $0.pacing = .dribbled(chunkBytes: 64)
      })
    driver.run(until: .seconds(120))
    #expect(driver.bytes.count <= 480 * 120)
    let said = lines(driver.bytes).dropLast()
    #expect(said.allSatisfy { $0.hasPrefix("$G") && $0.dropLast(2).last == "*" })
    #expect(said.count { $0.hasPrefix("$GNRMC") } < 1200)
  }

  @Test func aColdStartLearnsOneThingAfterTheOther() {
    var driver = SimulatorDriver(quiet(.nmea23) { $0.coldStart = .cold })
    driver.run(until: .milliseconds(31_500))
    let said = lines(driver.bytes)
    func first(_ condition: (String, [Substring]) -> Bool) -> Int? {
      var second = -1
      for line in said {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        if fields[0] == "$GPGGA" { second += 1 }
        if condition(String(fields[0]), fields) { return second }
      }
      return nil
    }
    #expect(first { $0 == "$GPGSV" && $1[3].first != "0" || $0 == "$GPGSV" && $1[3].hasPrefix("09") } == 3)
    #expect(first { $0 == "$GPRMC" && !$1[1].isEmpty } == 4)
    #expect(first { $0 == "$GPRMC" && !$1[9].isEmpty } == 8)
    #expect(first { $0 == "$GPRMC" && $1[2] == "A" } == 26)
    #expect(first { $0 == "$GPGSA" && $1[2] == "2" } == 26)
    #expect(first { $0 == "$GPGSA" && $1[2] == "3" } == 30)
    #expect(said.contains("$GPRMC,,V,,,,,,,,,,N*53"))
  }

  @Test func aStallIsSilentAndThenGoesOn() {
    var driver = SimulatorDriver(quiet(.ublox9) { $0.faults = [.stall(.seconds(2)..<(.seconds(5)))] })
    driver.run(until: .milliseconds(6500))
    #expect(driver.sent.map(\.milliseconds) == [80, 1080, 5080, 6080])
  }

  @Test func everyNthSentenceIsCorruptAndOnlyThat() {
    var hurt = SimulatorDriver(quiet(.nmea411) { $0.faults = [.corruption(every: 10)] })
    var whole = SimulatorDriver(quiet(.nmea411))
    hurt.run(until: .seconds(20))
    whole.run(until: .seconds(20))
    let pairs = zip(lines(hurt.bytes), lines(whole.bytes))
    #expect(hurt.bytes.count == whole.bytes.count)
    for (number, pair) in pairs.enumerated() {
      #expect((pair.0 == pair.1) == !(number + 1).isMultiple(of: 10), "\(pair)")
    }
  }

  @Test func withoutPowerNothingIsReported() {
    var receiver = SimulatedReceiver(quiet(.nmea411))
    let start = Instant(nanoseconds: 0)
    #expect(receiver.nextDeadline == nil)
    #expect(receiver.handle(.wake, at: start) == [])
    #expect(receiver.handle(.powered, at: start) == [])
    #expect(receiver.nextDeadline == start + .milliseconds(80))
    let first = receiver.handle(.wake, at: start + .milliseconds(80))
    #expect(first.count == 1)
    #expect(receiver.handle(.wake, at: start + .milliseconds(81)) == [])
    #expect(receiver.handle(.unplugged, at: start + .milliseconds(90)) == [])
    #expect(receiver.nextDeadline == nil)
    #expect(receiver.handle(.powered, at: start + .seconds(50)) == [])
    #expect(receiver.handle(.wake, at: start + .seconds(50) + .milliseconds(80)) == first)
  }

  @Test func aSuspendedHostMissesEvents() {
    var driver = SimulatorDriver(quiet(.nmea23) { $0.rateHertz = 10 })
    driver.run(until: .seconds(1))
    driver.write([], at: .seconds(86_400))
    #expect(lines(driver.bytes).count { $0.hasPrefix("$GPRMC") } < 60)
    #expect(driver.receiver.nextDeadline == Instant(nanoseconds: 86_405_080_000_000))
  }

  @Test func aWrongBaudRateReceivesGarbage() {
    var driver = SimulatorDriver(quiet(.nmea411))
    driver.run(until: .milliseconds(500))
    let said = driver.bytes
    #expect(LineGarbler.garble(said, talked: 9600, received: 9600) == said)
    #expect(LineGarbler.garble(said, talked: 9600, received: 9700) == said, "1 % off is what a UART bears")
    for received in [4800, 19_200, 38_400, 57_600, 115_200, 921_600] {
      let garbage = LineGarbler.garble(said, talked: 9600, received: received)
      #expect(!garbage.isEmpty)
      #expect(garbage.count <= said.count * received / 9600 + 1)
      #expect(!lines(garbage).contains { $0.hasPrefix("$GN") })
      #expect(garbage == LineGarbler.garble(said, talked: 9600, received: received))
    }
    #expect(LineGarbler.garble([], talked: 9600, received: 4800) == [])
  }

  @Test func truthFollowsTheTrajectory() throws {
    let start = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)
    let origin = SimulatedPosition(latitude: 45, longitude: 179.9999, height: 0)
    let line = SimulatedReceiver(
      quiet(.nmea411) { $0.trajectory = .line(from: origin, course: Angle(degrees: 90), metersPerSecond: 20) })
    let after = line.truth(at: start + .seconds(10))
    // 200 m at 45° north: 1° of longitude is 78,847 m (WGS 84).
    #expect(abs(after.position.coordinate.longitude.degrees - (179.9999 + 200 / 78_846.8 - 360)) < 1e-8)
    #expect(abs(after.position.coordinate.latitude.degrees - 45) < 1e-12)
    #expect(after.course == Angle(degrees: 90))

    let circle = SimulatedReceiver(
      quiet(.nmea411) { $0.trajectory = .circle(center: origin, radius: Meters(100), metersPerSecond: .pi) })
    let quarter = circle.truth(at: start + .seconds(50))
    // A quarter of the circle: east of the center, moving south.
    #expect(abs(quarter.position.coordinate.latitude.degrees - 45) < 1e-9)
    #expect(abs(quarter.velocityNorth + .pi) < 1e-9)
    #expect(abs(quarter.velocityEast) < 1e-9)
    #expect(abs(try #require(quarter.course).degrees - 180) < 1e-9)
  }
}

@Suite struct PollTests {
  // UBX-MON-VER, UBX-SEC-UNIQID and UBX-NAV-PVT without payload.
  private static let version: [UInt8] = [0xB5, 0x62, 0x0A, 0x04, 0, 0, 0x0E, 0x34]
  private static let uniqueID: [UInt8] = [0xB5, 0x62, 0x27, 0x03, 0, 0, 0x2A, 0xA5]
  private static let pvt: [UInt8] = [0xB5, 0x62, 0x01, 0x07, 0, 0, 0x08, 0x19]

  /// Class and ID of the answers.
  private func answers(_ dialect: Dialect, to polls: [UInt8], by size: Int) -> [[UInt8]] {
    var driver = SimulatorDriver(quiet(dialect))
    driver.run(until: .milliseconds(100))
    let before = driver.sent.count
    for start in stride(from: 0, to: polls.count, by: size) {
      driver.write(Array(polls[start..<min(start + size, polls.count)]), at: .milliseconds(200 + start))
    }
    var rest = driver.sent.dropFirst(before).flatMap(\.bytes)
    var ids: [[UInt8]] = []
    while rest.count >= 8 {
      ids.append(Array(rest[2..<4]))
      rest.removeFirst(min(rest.count, 8 + Int(rest[4]) + Int(rest[5]) << 8))
    }
    #expect(rest.isEmpty)
    return ids
  }

  @Test(arguments: [1, 3, 100]) func eachGenerationAnswersWhatItKnows(size: Int) {
    let polls = Self.pvt + [0xB5, 0x62, 0x55] + Self.version + [0xB5] + Self.uniqueID
    #expect(answers(.ublox6, to: polls, by: size) == [[0x0A, 0x04]])
    #expect(answers(.ublox7, to: polls, by: size) == [[0x01, 0x07], [0x0A, 0x04]])
    for dialect in [Dialect.ublox8, .ublox9, .mixed] {
      #expect(answers(dialect, to: polls, by: size) == [[0x01, 0x07], [0x0A, 0x04], [0x27, 0x03]])
    }
    #expect(answers(.nmea23, to: polls, by: size) == [])
    #expect(answers(.nmea411, to: polls, by: size) == [])
  }

  @Test func invalidPollIsIgnored() {
    var wrong = Self.version
    wrong[7] ^= 1
    #expect(answers(.ublox8, to: wrong + Array("$PUBX,41*00\r\n".utf8), by: 5) == [])
  }

  @Test func aSimulationSaysSoWhenAsked() {
    for announces in [true, false] {
      var driver = SimulatorDriver(quiet(.ublox9) { $0.announcesSimulation = announces })
      driver.write(Self.version, at: .milliseconds(10))
      #expect(String(decoding: driver.bytes, as: UTF8.self).contains("SIMULATED") == announces)
    }
  }
}
