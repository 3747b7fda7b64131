import GNSSReceiver
import Geodesy
import LocationReplay
import TestSupport
import Testing
import WireFormats

/// Detecting a receiver's baud rate, losing it, and detecting it again.
@Suite struct SpeedAndSilenceTests {
  private func bench(
    _ dialect: Dialect = .nmea411, baud: Int, portSpeed: Int = 9600, lastGood: Int? = nil,
    faults: [Fault] = [], until elapsed: Duration
  ) -> SessionBench {
    let settings = SessionBench.settings {
      $0.hasLineSpeed = true
      $0.lastGoodSpeed = lastGood
    }
    let configuration = SimulatedReceiver.Configuration.of(dialect) {
      $0.baud = baud
      $0.pacing = .dribbled(chunkBytes: 32)
      $0.faults = faults
    }
    var bench = SessionBench(configuration, settings, portSpeed: portSpeed)
    bench.run(until: elapsed)
    return bench
  }

  private func isFound(_ action: ReceiverSession.Action) -> Bool {
    if case .speedFound = action { true } else { false }
  }

  @Test(arguments: BaudRateProbe.commonSpeeds.filter { $0 > 4800 }, [Dialect.nmea411, .ublox8, .mixed])
  func everyBaudRateIsFoundWithinItsTurn(baud: Int, dialect: Dialect) throws {
    let bench = bench(dialect, baud: baud, until: .seconds(24))
    #expect(bench.said.contains { $0.action == .speedFound(baud) })
    #expect(bench.said.count { isFound($0.action) } == 1, "found once, and no other")
    let turn = try #require(BaudRateProbe.commonSpeeds.firstIndex(of: baud))
    let found = try #require(bench.first(isFound))
    #expect(found <= BaudRateProbe.listeningTime * (turn + 1))
    #expect(bench.fixes.count >= 10)
  }

  /// 4800 baud is only enough for GPS alone.
  @Test func fortyEightHundredIsFound() throws {
    let bench = bench(.nmea23, baud: 4800, until: .seconds(24))
    let found = try #require(bench.first(isFound))
    #expect(bench.said.contains { $0.action == .speedFound(4800) })
    #expect(found <= BaudRateProbe.listeningTime * 4)
    #expect(bench.fixes.count >= 10)
  }

  @Test(arguments: [4800, 57_600, 921_600])
  func theLastGoodBaudRateIsTriedFirst(baud: Int) throws {
    let bench = bench(.nmea23, baud: baud, lastGood: baud, until: .seconds(3))
    #expect(bench.states.first == .probing(baud: baud))
    #expect(try #require(bench.first(isFound)) <= .seconds(1))
  }

  /// The kernel keeps a port's last baud rate, which is often the correct one.
  @Test func aPortIsReadAtItsBaudRate() throws {
    let bench = bench(baud: 115_200, portSpeed: 115_200, until: .seconds(3))
    #expect(!bench.said.contains { if case .setSpeed = $0.action { true } else { false } })
    #expect(try #require(bench.first(isFound)) <= .seconds(1))
  }

  @Test func aSilentPortIsReportedAfterTwoRoundsAndReadNevertheless() throws {
    // The receiver is silent for half a minute, and then sends.
    let bench = bench(baud: 38_400, faults: [.stall(.zero..<(.seconds(30)))], until: .seconds(45))
    let speeds = BaudRateProbe.commonSpeeds.count
    let reported = bench.first {
      if case .nothingReceived(bytes: 0, let tried) = $0 { tried.count == speeds } else { false }
    }
    #expect(reported == BaudRateProbe.listeningTime * (2 * speeds))
    #expect(bench.said.count { if case .nothingReceived = $0.action { true } else { false } } == 1)
    let found = try #require(bench.first(isFound))
    #expect(found >= .seconds(30))
    #expect(found <= .seconds(30) + BaudRateProbe.listeningTime * (speeds + 1))
  }

  @Test(arguments: Dialect.allCases)
  func aStallIsSilenceThenReopeningAndARecoveryInBetweenIsReceived(dialect: Dialect) throws {
    let short = bench(
      dialect, baud: 38_400, lastGood: 38_400, faults: [.stall(.seconds(4)..<(.seconds(9)))], until: .seconds(12))
    #expect(short.states.dropFirst() == [.talking, .silent, .talking])
    #expect(short.first { $0 == .reopen } == nil)
    let silent = try #require(short.first { $0 == .stateChanged(.silent) })
    let lastByte = try #require(short.received.last { $0 < .seconds(5) })
    #expect(silent - lastByte == threeSeconds)
    #expect(short.fixes.last?.time == short.receiver.configuration.startTime + .seconds(11))

    let long = bench(
      dialect, baud: 38_400, lastGood: 38_400, faults: [.stall(.seconds(4)..<(.seconds(30)))], until: .seconds(29))
    let reopenings = long.said.filter { $0.action == .reopen }.map(\.at)
    #expect(reopenings.first.map { $0 - lastByte } == .seconds(10))
    #expect(zip(reopenings, reopenings.dropFirst()).allSatisfy { $1 - $0 == .seconds(7) })
  }

  private let threeSeconds: Duration = .seconds(3)

  /// A remembered baud rate that is wrong must not prevent the detection, although it takes half of the time.
  @Test func aWrongMemoryCostsOneTurn() throws {
    let bench = bench(baud: 9600, lastGood: 460_800, until: .seconds(6))
    #expect(try #require(bench.first(isFound)) <= BaudRateProbe.listeningTime * 2)
  }

  @Test func aBurstThatIsJoinedHalfwayIsNotWhole() {
    var session = ReceiverSession(SessionBench.settings { $0.mayPoll = false })
    let now = SessionBench.powerOn
    _ = session.handle(.opened(baud: nil), at: now)
    let rest = Array(
      (Sentence("GNGGA,120010.00,4717.0000,N,00833.0000,E,1,08,1.0,10.0,M,47.0,M,,")
        + Sentence("GNGLL,4717.0000,N,00833.0000,E,120010.00,A,A")).dropFirst(9))
    var epochs: [GNSSEpoch] = []
    func keep(_ actions: [ReceiverSession.Action]) {
      for case .epoch(let epoch) in actions { epochs.append(epoch) }
    }
    keep(session.receive(rest.span, at: now + .milliseconds(2)))
    keep(session.handle(.wake, at: now + .milliseconds(400)))
    #expect(epochs.map(\.isWhole) == [false])
  }

  /// No input at any moment may stop a session or make it loop.
  @Test(arguments: 1...8)
  func noiseOfAnyKindIsBorne(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bench = SessionBench(
      .of(.mixed) { $0.faults = [.garbage(.zero..<(.seconds(60)), bytes: 300), .corruption(every: 5)] },
      SessionBench.settings { $0.hasLineSpeed = seed.isMultiple(of: 2) })
    for step in 1...200 {
      bench.run(until: .milliseconds(100 * step))
      bench.inject(
        (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      bench.inject(Array("$GPGGA,,,,,,,,,,,,,,*".utf8))
      bench.inject([0xB5, 0x62, 0x01, 0x07, 0xFF, 0xFF])
    }
    #expect(!bench.said.isEmpty)
  }

  /// Bytes that were held back as the beginning of a frame at one baud rate are noise of that baud rate, and not of the next.
  @Test func noiseOfTheLastSpeedIsNotTheNextOnes() {
    var session = ReceiverSession(
      SessionBench.settings {
        $0.hasLineSpeed = true
        $0.lastGoodSpeed = 4800
      })
    var now = SessionBench.powerOn
    _ = session.handle(.opened(baud: 4800), at: now)
    // The header of an RTCM frame of 1,023 bytes.
    let noise: [UInt8] = [0x80, 0xD3, 0x03, 0xFF] + Array(repeating: 0x86, count: 600)
    _ = session.receive(noise.span, at: now)
    now = now + BaudRateProbe.listeningTime
    _ = session.handle(.wake, at: now)
    #expect(session.speed == 9600)
    let sentence = NMEASentence.encode("GPRMC,100000.00,A,4717.11399,N,00833.91590,E,1.0,77,050626,,,A")
    let beginning = Array(sentence[..<32])
    _ = session.receive(beginning.span, at: now + .milliseconds(100))
    #expect(session.speed == 9600)
    let end = Array(sentence[32...])
    let said = session.receive(end.span, at: now + .milliseconds(130))
    #expect(said.contains(.speedFound(9600)))
  }
}
