import Fusion
import Geodesy
import LocationReplay
import Testing

/// Filtered fixes of a receiver are passed on: the error at the 95th percentile is never 2 % worse.
@Suite struct FilteredInputTests {
  private static let receivers: [(name: String, receiver: SimulatedDrive.Receiver)] = [
    ("wanders", .init(white: 0.05, wander: 1.2)),
    ("wanders fast", .init(white: 0.1, wander: 1, wanderSeconds: 20)),
    ("jitters", .init(white: 0.3, wander: 2, velocity: 0.2)),
    ("spikes", .init(white: 0.1, wander: 1.5, outliers: 0.002, outlierMeters: 70)),
  ]

  @Test(arguments: [1.4, 5.5, 14, 31], [true, false]) func itDoesNoHarm(speed: Double, tellsVelocity: Bool) {
    let drive = SimulatedDrive(seconds: 1200, speed: speed, seed: 3)
    for (name, var receiver) in Self.receivers {
      if !tellsVelocity { receiver.velocity = nil }
      for isRadiusTold in [true, false] {
        let result = compare(drive.fixes(receiver, seed: 5), isRadiusTold: isRadiusTold)
        #expect(result.causal.p95 <= 1.02 * result.raw.p95, "\(name)")
        #expect(result.lagged.p95 <= 1.02 * result.raw.p95, "\(name)")
      }
    }
  }

  @Test func itIsPassedOnToTheLastBit() {
    let drive = SimulatedDrive(seconds: 600, speed: 14, seed: 8)
    var estimator = Estimator()
    for (fix, _) in drive.fixes(.init(white: 0.05, wander: 1), seed: 9) {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      #expect(estimate?.causal.coordinate == fix.coordinate && estimate?.basis == .asReported)
      #expect(estimate?.causal.horizontalRadius68 == fix.horizontalRadius68)
      #expect(estimate?.causal.speedMetersPerSecond == fix.speedMetersPerSecond)
      #expect(!estimator.isFiltering)
    }
  }

  /// A spike of one epoch is held back; its own radius would have covered the truth either way.
  @Test func aSpikeIsHeldBack() {
    let drive = SimulatedDrive(seconds: 100, speed: 14, seed: 8)
    var fixes = drive.fixes(.init(white: 0.05, wander: 1), seed: 9)
    fixes[60].fix.coordinate = fixes[60].fix.coordinate.moved(by: SIMD2(60, 45))
    var estimator = Estimator()
    for (index, (fix, truth)) in fixes.enumerated() {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      #expect(estimate?.basis == (index == 60 ? .heldBack : .asReported))
      guard index == 60, let causal = estimate?.causal else { continue }
      #expect(causal.coordinate.meters(to: truth) < 6)
      #expect(causal.coordinate.meters(to: fix.coordinate) < 3 * causal.horizontalRadius68.value)
    }
  }

  /// A new position that stays is accepted at its second epoch.
  @Test func aPlaceThatStaysIsAccepted() {
    let drive = SimulatedDrive(seconds: 100, speed: 14, seed: 8)
    var fixes = drive.fixes(.init(white: 0.05, wander: 1), seed: 9)
    for index in 60..<100 { fixes[index].fix.coordinate = fixes[index].fix.coordinate.moved(by: SIMD2(60, 45)) }
    var estimator = Estimator()
    var bases: [Estimate.Basis?] = []
    for (fix, _) in fixes { bases.append(estimator.handle(fix, at: fix.receivedAt)?.basis) }
    #expect(bases[60] == .heldBack && bases[61...].allSatisfy { $0 == .asReported })
  }
}
