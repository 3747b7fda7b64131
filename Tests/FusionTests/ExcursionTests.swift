import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// When a receiver that was wrong is right again, the answer follows at once; it still does not follow a spike.
@Suite struct ExcursionTests {
  @Test(arguments: FaultyDrive.Velocities.allCases, [40.0, 75, 150])
  func theReturnIsAcceptedAtTheSecondEpoch(velocities: FaultyDrive.Velocities, distance: Double) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let drive = FaultyDrive(excursionTo: distance, returnsAt: 120, seconds: 160, velocities: velocities, seed: seed)
      let result = compare(drive.fixes)
      let errors = zip(result.causal, result.raw).map { (answer: $0.errorMeters, receiver: $1.errorMeters) }
      #expect(FaultyDrive.epochsUntilRight(from: 120, errors: errors) <= (velocities == .doppler ? 0 : 2))
      // Without a Doppler velocity a return looks like a spike: its first epoch is held back, which adds the squared error
      // of one more step of the excursion, (14/13)² d², to the Σ(k/13)² d² = 4.85 d² of the receiver itself: √(1 +
      // 1.16/4.85) = 1.113.
      #expect(result.causal.rms <= (velocities == .doppler ? 1.001 : 1.12) * result.raw.rms)
    }
  }

  private func answers(
    tellsVelocity: Bool = true, _ move: (Int) -> SIMD2<Double>
  ) -> [(basis: Estimate.Basis?, error: Double)] {
    let drive = SimulatedDrive(seconds: 100, speed: 14, seed: 8)
    let fixes = drive.fixes(.init(white: 0.05, wander: 1, velocity: tellsVelocity ? 0.08 : nil), seed: 9)
    var estimator = Estimator()
    return fixes.enumerated().map { index, moment in
      var fix = moment.fix
      let offset = move(index)
      if offset != .zero { fix.coordinate = fix.coordinate.moved(by: offset) }
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      return (estimate?.basis, estimate?.causal.coordinate.meters(to: moment.truth) ?? .infinity)
    }
  }

  /// Positions that contradict each other as well as the track confirm nothing.
  @Test(arguments: [true, false]) func spikesInARowAreHeldBack(tellsVelocity: Bool) {
    let spikes = [60: SIMD2(60.0, 45), 61: SIMD2(-80.0, 20), 62: SIMD2(10.0, -90)]
    let answers = answers(tellsVelocity: tellsVelocity) { spikes[$0] ?? .zero }
    for index in 0..<60 { #expect(answers[index].basis == .asReported) }
    for index in 60...62 { #expect(answers[index].basis == .heldBack) }
    // With velocities, three such positions are enough evidence that the stream jumps (`FilteredInputDetector`), and the answer is
    // the track's. Without them they are not, and positions pass unchanged.
    for index in 63..<100 { #expect(answers[index].basis == (tellsVelocity ? .track : .asReported)) }
    #expect(answers.allSatisfy { $0.error < 6 })
  }

  /// A spike that lasts is accepted at its second epoch, and only until it ends: the return is recognized.
  @Test func theWayBackFromASpikeIsKnown() {
    let answers = answers { (60..<63).contains($0) ? SIMD2(60, 45) : .zero }
    #expect(answers[60].basis == .heldBack && answers[60].error < 6)
    #expect(answers[61...62].allSatisfy { $0.basis == .asReported })
    #expect(answers[63...].allSatisfy { $0.basis == .asReported && $0.error < 6 })
  }
}
