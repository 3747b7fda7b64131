import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// Positions by Wi-Fi and cells replace satellite fixes, and bound their errors under a bad sky; they never change a good track.
@Suite struct CoarseTests {
  private func coarse(at seconds: Double, _ place: Coordinate, radius: Double = 40) -> PositionFix {
    var fix = PositionFix.test(at: seconds, place, radius: radius)
    fix.technologies = .wifi
    return fix
  }

  @Test func aloneItIsTheAnswer() {
    var estimator = Estimator()
    for second in 0..<20 {
      let fix = coarse(at: Double(second), Coordinate.town.moved(by: SIMD2(Double(second), 0)))
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      #expect(estimate?.causal == fix && estimate?.basis == .coarse && estimate?.lagged == nil)
    }
  }

  @Test func aGoodTrackIsNotPulled() {
    let drive = SimulatedDrive(seconds: 300, speed: 14, seed: 12)
    var (with, without) = (Estimator(), Estimator())
    for (fix, truth) in drive.fixes(.init(white: 0.05, wander: 1), seed: 5) {
      let wifi = coarse(at: 0, truth.moved(by: SIMD2(70, -60)))
      let between = with.handle(wifi, at: fix.receivedAt + .milliseconds(-400))
      if without.lastRefusal == nil, let between, fix.time > .init(nanosecondsSince1970: 1_700_000_002_000_000_000) {
        #expect(between.basis == .coasted && between.causal.coordinate.meters(to: truth) < 20)
      }
      let (one, other) = (with.handle(fix, at: fix.receivedAt), without.handle(fix, at: fix.receivedAt))
      #expect(one?.causal.coordinate == other?.causal.coordinate)
    }
  }

  /// Nor does a position on the other side of the Earth, for which the local tangent plane has no valid distance.
  @Test(arguments: [(-47.4, -171.5), (47.4, 100), (0, 0)]) func aBogusPlaceIsNoHarm(latitude: Double, longitude: Double)
  {
    let bogus = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
    var (with, without) = (Estimator(), Estimator())
    for (fix, _) in SimulatedDrive(seconds: 120, speed: 14, seed: 12).fixes(.init(white: 4, radius: 6), seed: 5) {
      let (one, other) = (with.handle(fix, at: fix.receivedAt), without.handle(fix, at: fix.receivedAt))
      #expect(one?.causal == other?.causal)
      let coarse = with.handle(coarse(at: 0, bogus), at: fix.receivedAt)
      #expect(coarse?.causal.coordinate == bogus)
    }
  }

  /// Satellite fixes that jump by hundreds of meters, mostly to one side, and correct positions by Wi-Fi.
  @Test func aBadSkyIsBounded() {
    let drive = SimulatedDrive(seconds: 600, speed: 1.4, seed: 12)
    var fixes = drive.fixes(.init(white: 3, velocity: nil, radius: 6), seed: 5)
    for index in fixes.indices where index % 5 != 0 && index > 60 {
      fixes[index].fix.coordinate = fixes[index].fix.coordinate.moved(by: SIMD2(300, 0))
    }
    var (with, without) = (Estimator(), Estimator())
    var (sum, bareSum) = (0.0, 0.0)
    for (index, (fix, truth)) in fixes.enumerated() {
      if index % 10 == 0 { _ = with.handle(coarse(at: 0, truth.moved(by: SIMD2(20, 20))), at: fix.receivedAt) }
      let (one, other) = (with.handle(fix, at: fix.receivedAt), without.handle(fix, at: fix.receivedAt))
      guard index > 100, let one, let other else { continue }
      sum += one.causal.coordinate.meters(to: truth)
      bareSum += other.causal.coordinate.meters(to: truth)
    }
    #expect(sum < bareSum / 5 && sum / 500 < 15)
  }

  /// The answers of one drive with and without Wi-Fi, and their errors.
  private func errors(_ drive: CanyonDrive) -> [(with: Double, without: Double, radius: Double)] {
    var (with, without) = (Estimator(), Estimator())
    return drive.reports.compactMap { report in
      let one = with.handle(report.fix, at: report.fix.receivedAt)
      guard report.fix.technologies.contains(.gnss) else { return nil }
      let other = without.handle(report.fix, at: report.fix.receivedAt)
      guard let one, let other else { return nil }
      return (
        one.causal.coordinate.meters(to: report.truth), other.causal.coordinate.meters(to: report.truth),
        one.causal.horizontalRadius68.value
      )
    }
  }

  private func p95(_ errors: [Double]) -> Double { Distribution(errors)?.p95 ?? .infinity }

  /// A receiver that filters its positions does not show that it is off by 80 or 120 m for 40 s: Wi-Fi does. The first drives are
  /// those of `Benchmarks accuracy`.
  @Test(arguments: [101...106, 201...206] as [ClosedRange<UInt64>], [80.0, 120])
  func aCanyonIsBoundedForAReceiverThatFilters(seeds: ClosedRange<UInt64>, meters: Double) {
    let all = seeds.flatMap { errors(CanyonDrive(seed: $0, share: 0.25, meters: meters)) }
    #expect(p95(all.map(\.with)) <= 0.8 * p95(all.map(\.without)))
    // The radius of a corrected answer is at least that of the correction.
    #expect(all.allSatisfy { $0.with == $0.without || $0.radius > 20 })
  }

  /// The errors of a receiver that filters its positions and is off by `offset` for some seconds; its velocities are right. Once in
  /// ten seconds a position by Wi-Fi is off by 32 m.
  private func errorsOfDrift(
    _ offset: (Int) -> SIMD2<Double>
  ) -> [(second: Int, with: Double, without: Double)] {
    let drive = SimulatedDrive(seconds: 240, speed: 14, seed: 12)
    var (with, without) = (Estimator(), Estimator())
    return drive.fixes(.init(white: 0.05, wander: 1), seed: 5).enumerated().compactMap { second, moment in
      var fix = moment.fix
      fix.coordinate = fix.coordinate.moved(by: offset(second))
      let (one, other) = (with.handle(fix, at: fix.receivedAt), without.handle(fix, at: fix.receivedAt))
      if second % 10 == 5 {
        _ = with.handle(coarse(at: 0, moment.truth.moved(by: SIMD2(10, 30)), radius: 50), at: fix.receivedAt)
      }
      guard let one, let other else { return nil }
      return (
        second, one.causal.coordinate.meters(to: moment.truth), other.causal.coordinate.meters(to: moment.truth)
      )
    }
  }

  /// Positions that move 120 m against their velocities within a quarter of a minute: either those before or those after are wrong,
  /// and the next position by Wi-Fi decides.
  @Test func aDriftAgainstTheVelocitiesIsRemovedAtTheNextScan() {
    let errors = errorsOfDrift { (100..<180).contains($0) ? SIMD2(min(120, Double($0 - 99) * 10), 0) : .zero }
    for error in errors where error.second < 100 { #expect(error.with == error.without) }
    for error in errors where (116..<180).contains(error.second) {
      #expect(error.without > 110 && error.with < 45)
    }
  }

  /// The drift of a receiver that was wrong before, and is right now.
  @Test func aReturnAgainstTheVelocitiesIsNotRemoved() {
    let errors = errorsOfDrift { $0 < 100 ? SIMD2(120, 0) : SIMD2(max(0, 120 - Double($0 - 99) * 10), 0) }
    for error in errors where error.second > 116 { #expect(error.with == error.without && error.with < 6) }
  }

  /// Under a good sky not one answer changes, although 5 % of the positions by Wi-Fi are hundreds of meters off.
  @Test(arguments: [301, 302, 303, 304, 305, 306] as [UInt64]) func noGoodDriveIsPulled(seed: UInt64) {
    for answer in errors(CanyonDrive(seed: seed, share: 0.25, meters: 0)) { #expect(answer.with == answer.without) }
  }

  /// Nor does one whose access points were all learned at another place: an offset that lasts is theirs.
  @Test func anOffsetThatLastsIsNotTheSatellites() {
    let drive = SimulatedDrive(seconds: 600, speed: 14, seed: 12)
    var (with, without) = (Estimator(), Estimator())
    for (index, (fix, truth)) in drive.fixes(.init(white: 0.05, wander: 1), seed: 5).enumerated() {
      if index % 10 == 0 { _ = with.handle(coarse(at: 0, truth.moved(by: SIMD2(200, 150))), at: fix.receivedAt) }
      let (one, other) = (with.handle(fix, at: fix.receivedAt), without.handle(fix, at: fix.receivedAt))
      #expect(one?.causal.coordinate == other?.causal.coordinate)
    }
  }

  @Test func afterTheSatellitesItTakesOver() {
    var estimator = Estimator()
    for (fix, _) in SimulatedDrive(seconds: 60, speed: 14, seed: 12).fixes(.init(wander: 1), seed: 5) {
      _ = estimator.handle(fix, at: fix.receivedAt)
    }
    // In a tunnel, the extrapolated track soon becomes worse than Wi-Fi.
    let bases = (60..<120).map { second in
      let fix = coarse(at: Double(second), .town, radius: 60)
      return estimator.handle(fix, at: fix.receivedAt)?.basis
    }
    #expect(bases.last == .coarse)
  }
}
