import GNSSReceiver
import Geodesy
import LocationReplay
import Testing
import WireFormats

/// The life of a receiver from a session's view: start, loss, faults, the ends of days and eras.
@Suite struct SessionLifeTests {
  private func run(
    _ dialect: Dialect, until elapsed: Duration, settings: ReceiverSettings = SessionBench.settings(),
    _ change: (inout SimulatedReceiver.Configuration) -> Void
  ) -> SessionBench {
    var bench = SessionBench(.of(dialect, change), settings)
    bench.run(until: elapsed)
    return bench
  }

  // MARK: - Start and loss

  @Test(arguments: Dialect.allCases)
  func aColdStartGoesFromNothingOverTwoToThreeDimensions(dialect: Dialect) throws {
    let bench = run(dialect, until: .seconds(34.9)) { $0.coldStart = .cold }
    let kinds = bench.complete.map(\.fix?.kind)
    var steps: [FixKind?] = []
    for kind in kinds where steps.isEmpty || steps.last! != kind { steps.append(kind) }
    #expect(steps == [nil, .twoDimensional, .threeDimensional])
    // From the first second on, epochs report that there is no fix; in the 5 s of the 3D fix, they report one.
    #expect(kinds.count >= 33)
    #expect(kinds.count { $0 == .threeDimensional } == 5)
    #expect(kinds.count { $0 == .twoDimensional } == 4)
    #expect(bench.complete.allSatisfy { !$0.isTracked })
    for epoch in bench.epochs where epoch.fix?.kind == .twoDimensional {
      #expect(epoch.fix?.heightAboveMeanSeaLevel == nil)
      #expect(epoch.fix?.heightAboveEllipsoid == nil)
      #expect(epoch.fix?.verticalRadius68 == nil)
    }
    // Satellites are in view from the third second on.
    let early = bench.complete.filter { $0.fix == nil }
    #expect(early.contains { $0.sky.inView == 0 })
    #expect(early.contains { ($0.sky.inView ?? 0) > 0 })
  }

  @Test(arguments: Dialect.allCases)
  func aReceiverThatHasAFixAlreadyIsTracked(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(3)) { _ in }
    #expect(bench.complete.allSatisfy { $0.isTracked })
  }

  @Test(arguments: Dialect.allCases)
  func aLossIsReportedImmediatelyAndEnds(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(9.9)) { $0.faults = [.lossOfFix(.seconds(3)..<(.seconds(6)))] }
    #expect(bench.complete.map { $0.fix != nil } == [true, true, true, false, false, false, true, true, true, true])
    #expect(bench.complete[6].isTracked == false)
    #expect(!bench.states.contains(.silent))
  }

  // MARK: - What must be rejected

  @Test(arguments: Dialect.allCases)
  func aPositionThatStandsStillOnTheMoveIsFrozen(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(14.9)) {
      $0.trajectory = .line(
        from: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455), course: Angle(degrees: 20),
        metersPerSecond: 15)
      $0.faults = [.frozenPosition(.seconds(3)..<(.seconds(12)))]
    }
    let qualityFlags = bench.fixes.map(\.qualityFlag)
    #expect(qualityFlags.count == 15)
    #expect(qualityFlags.prefix(8).allSatisfy { $0 == nil })
    #expect(qualityFlags[8..<12].allSatisfy { $0 == .frozen })
    #expect(qualityFlags[12...].allSatisfy { $0 == nil })
  }

  @Test func anEpochThatIsReportedAgainIsNotNew() {
    var session = ReceiverSession(SessionBench.settings { $0.mayPoll = false })
    var now = SessionBench.powerOn
    _ = session.handle(.opened(baud: nil), at: now)
    func epochs(_ actions: [ReceiverSession.Action]) -> Int {
      actions.count { if case .epoch = $0 { true } else { false } }
    }
    var reported: [Int] = []
    for second in [10, 11, 11, 11, 12] {
      now = now + .seconds(1)
      let burst =
        Sentence("GNRMC,1200\(second).00,A,4717.0000,N,00833.0000,E,0.0,,010826,,,A,V")
        + Sentence("GNGGA,1200\(second).00,4717.0000,N,00833.0000,E,1,08,1.0,10.0,M,47.0,M,,")
      var count = epochs(session.receive(burst.span, at: now))
      count += epochs(session.handle(.wake, at: now + .milliseconds(200)))
      reported.append(count)
    }
    #expect(reported == [2, 2, 0, 0, 2])
  }

  @Test(arguments: Dialect.allCases)
  func aLostEraIsGivenBack(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(2.9)) { $0.faults = [.weekRollover] }
    #expect(bench.fixes.map(\.time) == (0..<3).map { bench.receiver.configuration.startTime + .seconds($0) })
    #expect(bench.complete.allSatisfy { $0.erasAdded == 1 })
  }

  @Test func withoutAFloorADateIsTakenAsReported() {
    let bench = run(.nmea411, until: .seconds(2.9), settings: SessionBench.settings { $0.eraFloor = nil }) {
      $0.startTime = GNSSTime(nanosecondsSince1970: 1_000_000_000_000_000_000)
    }
    #expect(bench.fixes.first?.time == bench.receiver.configuration.startTime)
    #expect(bench.complete.allSatisfy { $0.erasAdded == 0 })
  }

  @Test(arguments: [Dialect.ublox6, .ublox7, .ublox8, .ublox9, .mixed])
  func guessedLeapSecondsAreNotConfirmed(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(9.9)) {
      $0.faults = [.wrongLeapSeconds(.zero..<(.seconds(5)), error: 2)]
    }
    #expect(bench.fixes.prefix(5).allSatisfy { $0.timeValidity == .dateUnconfirmed })
    #expect(bench.fixes.last?.timeValidity == .confirmed)
    #expect(bench.fixes.last?.time == bench.receiver.configuration.startTime + .seconds(9))
  }

  /// The machine's clock, the earliest possible date or the firmware's date replace an unknown date; the first known date may be
  /// earlier, and its fix is not held back because of that.
  @Test(arguments: Dialect.allCases, [-40, 40])
  func theFirstDateIsAcceptedImmediately(dialect: Dialect, clockIsAheadByDays: Int64) {
    let start = SimulatedReceiver.Configuration().startTime
    let settings = SessionBench.settings {
      $0.wallClock = start + .seconds(86_400 * clockIsAheadByDays)
      $0.wallClockReadAt = SessionBench.powerOn
    }
    let bench = run(dialect, until: .seconds(9.9), settings: settings) {
      $0.coldStart = ColdStart(
        timeOfDay: .seconds(2), date: .seconds(5), satellitesInView: .zero, fix2D: .seconds(5), fix3D: .seconds(5))
    }
    #expect(bench.fixes.map(\.time) == (5..<10).map { start + .seconds($0) })
    #expect(Set(bench.epochs.compactMap(\.fix?.time)).isSubset(of: bench.fixes.map(\.time)))
  }

  // MARK: - Edges of the day and of the world

  @Test(arguments: Dialect.allCases)
  func midnightIsNoJump(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(5.9)) {
      // 2026-12-31T23:59:57: the end of a year, but for GPS time of week not the end of a week.
      $0.startTime = GNSSTime(nanosecondsSince1970: 1_798_761_597_000_000_000)
    }
    #expect(bench.fixes.map(\.time) == (0..<6).map { bench.receiver.configuration.startTime + .seconds($0) })
    #expect(bench.epochs.compactMap(\.fix).allSatisfy { $0.time.date != nil && $0.qualityFlag == nil })
    #expect(
      bench.epochs.filter { $0.stage == .prompt }.compactMap(\.fix?.time).allSatisfy { time in
        bench.fixes.contains { $0.time == time }
      })
  }

  @Test(arguments: Dialect.allCases)
  func theEndOfAGPSWeekIsNoJump(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(5.9)) {
      // Saturday 2026-08-01T23:59:39 UTC: three seconds later, GPS time of week restarts at zero.
      $0.startTime = GNSSTime(nanosecondsSince1970: 1_785_628_779_000_000_000)
    }
    #expect(bench.fixes.map(\.time) == (0..<6).map { bench.receiver.configuration.startTime + .seconds($0) })
  }

  @Test(arguments: Dialect.allCases)
  func theDateLineAndTheEquatorAreNoJump(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(9.9)) {
      $0.noise = .none
      $0.trajectory = .line(
        from: SimulatedPosition(latitude: 0.0005, longitude: 179.9995, height: 3), course: Angle(degrees: 135),
        metersPerSecond: 15)
    }
    #expect(bench.fixes.count == 10)
    #expect(bench.fixes.contains { $0.coordinate.longitude.degrees > 179 })
    #expect(bench.fixes.contains { $0.coordinate.longitude.degrees < -179 })
    #expect(bench.fixes.contains { $0.coordinate.latitude.degrees < 0 })
    for fix in bench.fixes {
      #expect(fix.qualityFlag == nil)
      let truth = bench.receiver.truth(at: fix.time).position.coordinate
      #expect(Geodesic.inverse(from: fix.coordinate, to: truth).distance.value < 0.2)
    }
  }

  // MARK: - A line with errors

  @Test(arguments: Dialect.allCases)
  func garbageBetweenEpochsChangesNothing(dialect: Dialect) {
    let clean = run(dialect, until: .seconds(9.9)) { _ in }
    let dirty = run(dialect, until: .seconds(9.9)) {
      $0.faults = [.garbage(.zero..<(.seconds(10)), bytes: 200)]
    }
    #expect(dirty.fixes.map(\.time) == clean.fixes.map(\.time))
    #expect(dirty.fixes.map(\.coordinate) == clean.fixes.map(\.coordinate))
    #expect(dirty.session.counters.noiseBytes > 0)
  }

  @Test(arguments: Dialect.allCases, [3, 5, 7])
  func damagedMessagesAreMissedAndNeverAccepted(dialect: Dialect, every: Int) {
    let clean = run(dialect, until: .seconds(29.9)) { _ in }
    let dirty = run(dialect, until: .seconds(29.9)) { $0.faults = [.corruption(every: every)] }
    // Matched by time of day, because the only message with a date may be among the damaged ones.
    let truth = Dictionary(clean.fixes.map { ($0.time.nanosecondsSinceMidnight, $0.coordinate) }) { first, _ in first }
    #expect(dirty.fixes.count >= 10)
    for fix in dirty.epochs.compactMap(\.fix) {
      #expect(fix.timeValidity == .timeOfDayOnly || clean.fixes.contains { $0.time == fix.time })
      #expect(
        truth[fix.time.nanosecondsSinceMidnight].map {
          Geodesic.inverse(from: fix.coordinate, to: $0).distance.value < 0.2
        } == true)
    }
  }

  @Test(arguments: Dialect.allCases)
  func tenEpochsASecondAreAllReported(dialect: Dialect) {
    let bench = run(dialect, until: .seconds(4.99)) {
      $0.rateHertz = 10
      $0.latency = .milliseconds(20)
      $0.baud = 230_400
      $0.pacing = .dribbled(chunkBytes: 16)
    }
    let times = bench.fixes.map(\.time)
    #expect(times.count == 50)
    #expect(times == (0..<times.count).map { bench.receiver.configuration.startTime + .milliseconds(100 * $0) })
  }
}
