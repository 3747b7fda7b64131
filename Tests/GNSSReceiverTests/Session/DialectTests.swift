import GNSSReceiver
import Geodesy
import LocationReplay
import Testing
import WireFormats

/// What a session produces from the output of each generation, compared with the truth of the simulated receiver.
@Suite struct DialectTests {
  /// On the move and without any error, so that each difference from the truth is rounding.
  private func moving(
    _ dialect: Dialect, mayPoll: Bool = true, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
  ) -> SessionBench {
    let configuration = SimulatedReceiver.Configuration.of(dialect) {
      $0.noise = .none
      $0.trajectory = .line(
        from: SimulatedPosition(latitude: -33.8567844, longitude: 151.2152967, height: 64.321),
        course: Angle(degrees: 61.5), metersPerSecond: 12.5)
      $0.geoidSeparation = Meters(22.4)
      change(&$0)
    }
    var bench = SessionBench(configuration, SessionBench.settings { $0.mayPoll = mayPoll })
    bench.run(until: .seconds(5.9))
    return bench
  }

  @Test(arguments: Dialect.allCases)
  func fixesAreTheTruthWithinRounding(dialect: Dialect) throws {
    let bench = moving(dialect)
    #expect(bench.fixes.count == 6)
    // NMEA 2.3 has minutes with four decimals (0.18 m), 4.11 with five, and UBX has 1e-7°.
    let resolution =
      switch dialect {
      case .nmea23: 0.15
      case .nmea411: 0.015
      case .ublox6, .ublox7, .ublox8, .ublox9, .mixed: 0.008
      }
    for (index, fix) in bench.fixes.enumerated() {
      #expect(fix.time == bench.receiver.configuration.startTime + .seconds(index))
      let truth = bench.receiver.truth(at: fix.time)
      let miss = Geodesic.inverse(from: fix.coordinate, to: truth.position.coordinate).distance.value
      #expect(miss < resolution, "\(miss) m")
      let seaLevel = try #require(fix.heightAboveMeanSeaLevel)
      let ellipsoid = try #require(fix.heightAboveEllipsoid)
      #expect(abs(seaLevel.value - truth.heightAboveMeanSeaLevel.value) < 0.11)
      #expect(abs(ellipsoid.value - truth.position.heightAboveEllipsoid.value) < 0.11)
      #expect(abs(try #require(fix.speedMetersPerSecond) - 12.5) < 0.006)
      #expect(abs(try #require(fix.course).degrees - 61.5) < 0.006)
      #expect(fix.kind == .threeDimensional)
      #expect(fix.technologies == .gnss)
      #expect(fix.qualityFlag == nil)
      #expect(fix.device == "/dev/ttyACM0")
      // NMEA reports the simulation in every sentence, UBX in its answer to the version poll, after the first epoch.
      #expect(fix.isSimulated || index < 2)
    }
  }

  @Test(arguments: [
    (Dialect.nmea23, 8, 9), (.nmea411, 22, 26), (.ublox6, 8, 9), (.ublox7, 8, 9), (.ublox8, 13, 15),
    (.ublox9, 22, 26), (.mixed, 13, 15),
  ])
  func satellitesAreCounted(dialect: Dialect, used: Int, inView: Int) throws {
    let last = try #require(moving(dialect).complete.last)
    #expect(last.fix?.satellitesUsed == last.sky.used)
    #expect(last.sky.received == last.sky.inView)
    #expect(last.sky.used == used)
    #expect(last.sky.inView == inView)
  }

  /// GPS satellite 24 is high and is used; 30 is below the elevation mask and is not used.
  @Test(arguments: Dialect.allCases)
  func satellitesAreReportedOneByOne(dialect: Dialect) throws {
    let bench = moving(dialect)
    let last = try #require(bench.complete.last)
    let satellites = try #require(last.satellites)
    // A receiver with both protocols lists the satellites in both.
    #expect(Set(satellites.map(\.id)).count == last.sky.inView)
    #expect(Set(satellites.filter { $0.isUsed == true }.map(\.id)).count == last.sky.used)
    let high = try #require(satellites.first { $0.id == SatelliteID(.gps, 24) })
    #expect(high.elevationDegrees == 43 && high.azimuthDegrees == 305 && high.isUsed == true)
    #expect((36...40).contains(high.signalDecibelHertz ?? 0))
    let low = try #require(satellites.first { $0.id == SatelliteID(.gps, 30) })
    #expect(low.elevationDegrees == 7 && low.azimuthDegrees == 139 && low.isUsed == false)
    #expect(last.sky.hdop == 0.9 && last.sky.vdop == 1.5 && last.fix?.hdop == 0.9)
    #expect(last.time == bench.receiver.configuration.startTime + .seconds(5))
    #expect(last.isSimulated)
  }

  /// The date of a receiver that does not confirm it is confirmed by its third 3D fix; that of a receiver that does is confirmed
  /// at once.
  @Test(arguments: Dialect.allCases)
  func timeIsConfirmedWhenItMayBe(dialect: Dialect) {
    let expected: [TimeValidity] =
      switch dialect {
      case .nmea23, .nmea411: [.dateUnconfirmed, .dateUnconfirmed, .confirmed]
      case .ublox6, .ublox7, .ublox8, .ublox9, .mixed: [.confirmed, .confirmed, .confirmed]
      }
    #expect(moving(dialect).fixes.prefix(3).map(\.timeValidity) == expected)
  }

  /// The expected radii for a dialect and its extra sentences, in meters.
  struct Radii: Sendable {
    var dialect: Dialect
    var extra: Set<SentenceKind> = []
    var horizontal: Double
    var vertical = 2.0
  }

  /// A circle with 1.2 m per horizontal axis, so that hAcc is 1.697 m.
  private static let byEllipse = 1.2 * 1.515
  private static let byAccuracy = 1.697 * 1.07
  private static let radii: [Radii] = [
    // The dilution model: HDOP 0.90, VDOP 1.50.
    Radii(dialect: .nmea23, horizontal: 4.14, vertical: 5.85),
    Radii(dialect: .nmea411, horizontal: 4.14, vertical: 5.85),
    Radii(dialect: .nmea23, extra: [.gst], horizontal: byEllipse),
    Radii(dialect: .nmea411, extra: [.gst], horizontal: byEllipse),
    // PUBX,00 has one decimal: 1.7 m.
    Radii(dialect: .nmea411, extra: [.pubx00], horizontal: 1.7 * 1.07),
    Radii(dialect: .nmea411, extra: [.pubx00, .gst], horizontal: byEllipse),
    Radii(dialect: .ublox6, horizontal: byAccuracy), Radii(dialect: .ublox7, horizontal: byAccuracy),
    Radii(dialect: .ublox8, horizontal: byAccuracy), Radii(dialect: .mixed, horizontal: byAccuracy),
    Radii(dialect: .mixed, extra: [.gst], horizontal: byEllipse),
    // NAV-COV.
    Radii(dialect: .ublox9, horizontal: byEllipse),
  ]

  @Test(arguments: radii)
  func theRadiusStandsOnTheBestEvidence(expected: Radii) throws {
    let bench = moving(expected.dialect) {
      $0.noise = Noise()
      $0.extraSentences = expected.extra
    }
    for fix in bench.fixes {
      #expect(abs(fix.horizontalRadius68.value / expected.horizontal - 1) < 0.002)
      #expect(abs(try #require(fix.verticalRadius68).value - expected.vertical) < 0.002)
    }
    #expect(bench.fixes.count == 6)
  }

  /// PGRME of a Garmin: no simulated dialect contains it.
  @Test func garminsErrorIsFiftyPercent() throws {
    var session = ReceiverSession(SessionBench.settings { $0.mayPoll = false })
    var now = SessionBench.powerOn
    _ = session.handle(.opened(baud: nil), at: now)
    var fixes: [PositionFix] = []
    for second in 10...12 {
      let burst =
        Sentence("GPRMC,1200\(second).00,A,3724.0000,N,12205.0000,W,0.0,0.0,010826,,,A")
        + Sentence("GPGGA,1200\(second).00,3724.0000,N,12205.0000,W,1,08,1.0,10.0,M,-25.0,M,,")
        + Sentence("PGRME,3.0,M,4.0,M,5.0,M")
      for case .epoch(let epoch) in session.receive(burst.span, at: now) where epoch.stage == .complete {
        if let fix = epoch.fix { fixes.append(fix) }
      }
      now = now + .seconds(1)
    }
    let last = try #require(fixes.last)
    #expect(abs(last.horizontalRadius68.value - 3 * 1.287) < 0.001)
    #expect(abs(try #require(last.verticalRadius68).value - 4 * 1.4826) < 0.001)
  }

  /// A dilution proves little about a receiver in a network, which may be a phone; an accuracy or RTK counts.
  @Test(arguments: [
    (1, nil, 5.0), (1, "GNACCURACY,3.5", 3.5), (1, "GPGST,,,,,,1.0,1.0,2.0", 1.52), (4, nil, 0.6), (5, nil, 0.8),
  ])
  func theRadiusOfAReceiverInANetwork(quality: Int, sentence: String?, expected: Double) throws {
    var session = ReceiverSession(
      SessionBench.settings {
        $0.mayPoll = false
        $0.isInNetwork = true
      })
    var now = SessionBench.powerOn
    _ = session.handle(.opened(baud: nil), at: now)
    var fixes: [PositionFix] = []
    for second in 10...12 {
      let burst =
        Sentence("GPGGA,1200\(second).00,3724.0000,N,12205.0000,W,\(quality),08,1.0,10.0,M,-25.0,M,,")
        + (sentence.map { Sentence($0) } ?? [])
        + Sentence("GPRMC,1200\(second).00,A,3724.0000,N,12205.0000,W,0.0,0.0,010826,,,A")
      for case .epoch(let epoch) in session.receive(burst.span, at: now) where epoch.stage == .complete {
        if let fix = epoch.fix { fixes.append(fix) }
      }
      now = now + .seconds(1)
    }
    let last = try #require(fixes.last)
    #expect(abs(last.horizontalRadius68.value - expected) < 0.01, "\(last.horizontalRadius68)")
    #expect(last.technologies == [.gnss, .network])
  }

  @Test(arguments: Dialect.allCases)
  func theFirstFixIsEarlyAndTheCompleteSignatureIsLearned(dialect: Dialect) throws {
    // A slow line, so that the prompt and the complete fix are apart, with only the epochs on it.
    let bench = moving(dialect, mayPoll: false) {
      $0.pacing = .dribbled(chunkBytes: 8)
      $0.baud = 38_400
    }
    var openPrompt: PositionFix?
    for epoch in bench.epochs {
      switch epoch.stage {
      case .prompt:
        #expect(openPrompt == nil, "one prompt an epoch")
        openPrompt = epoch.fix
      case .complete:
        if let openPrompt { #expect(openPrompt.time == epoch.fix?.time) }
        openPrompt = nil
      }
    }
    // From the third epoch on, an epoch is complete with its last byte; the very first one waits for silence, unless a message
    // reports its end.
    let lastBytes = (0..<6).compactMap { second in bench.received.last { $0 < .seconds(second + 1) } }
    for (index, (complete, lastByte)) in zip(bench.completeAt, lastBytes).enumerated() {
      if index >= 2 || dialect == .ublox9 {
        #expect(complete == lastByte, "epoch \(index)")
      } else {
        #expect(complete <= lastByte + .milliseconds(150), "epoch \(index)")
      }
    }
  }
}

/// Encodes one NMEA sentence with its checksum and its line ending.
func Sentence(_ body: String) -> [UInt8] {
  let sum = body.utf8.reduce(0) { $0 ^ $1 }
  let digits = Array("0123456789ABCDEF".utf8)
  return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
}
