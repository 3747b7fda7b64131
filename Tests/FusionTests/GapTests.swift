import Fusion
import Geodesy
import Testing

/// Between positions the track continues, and its radius grows.
@Suite struct GapTests {
  private static let drives: [(name: String, receiver: SimulatedDrive.Receiver)] = [
    ("filtered", .init(white: 0.05, wander: 1)), ("unfiltered", .init(white: 4, radius: 6)),
    ("bare", .init(white: 0.05, wander: 1, velocity: nil)),
  ]

  /// Ten seconds straight on: the error is at most half of that of staying at the last fix, and inside the radius.
  @Test(arguments: [5.5, 14, 31]) func goingStraightItGoesOn(speed: Double) throws {
    for (name, receiver) in Self.drives {
      var estimator = Estimator()
      let road = (0..<200).map { SIMD2(3, 4) * (speed / 5 * Double($0)) }
      var drive = SimulatedDrive(seconds: 200, speed: speed, seed: 1)
      drive.replace(by: road, velocity: SIMD2(3, 4) * (speed / 5))
      let fixes = drive.fixes(receiver, seed: 4)
      for (fix, _) in fixes[..<150] { _ = estimator.handle(fix, at: fix.receivedAt) }
      let held = fixes[149].fix.coordinate.meters(to: fixes[159].truth)
      let end = try #require(estimator.estimate(at: fixes[159].fix.receivedAt))
      let error = end.coordinate.meters(to: fixes[159].truth)
      #expect(error <= held / 2 && error <= end.horizontalRadius68.value, "\(name)")
    }
  }

  @Test func theRadiusOnlyGrows() throws {
    var estimator = Estimator()
    let fixes = SimulatedDrive(seconds: 60, speed: 14, seed: 3).fixes(.init(wander: 1), seed: 5).map(\.fix)
    for fix in fixes { _ = estimator.handle(fix, at: fix.receivedAt) }
    var radius = fixes[59].horizontalRadius68
    for seconds in [0.1, 1, 5, 10, 60, 600, 86_400, 1e9] {
      let fix = try #require(estimator.estimate(at: fixes[59].receivedAt + .seconds(seconds)))
      #expect(fix.horizontalRadius68 >= radius && fix.horizontalRadius68.value <= 20_037_508)
      #expect(fix.coordinate.latitude.degrees.isFinite && fix.coordinate.longitude.degrees.isFinite)
      radius = fix.horizontalRadius68
    }
  }

  /// A request for a past time returns the latest estimate.
  @Test func itDoesNotGoBack() {
    var estimator = Estimator()
    let fix = PositionFix.test(at: 10, .town)
    #expect(estimator.estimate(at: fix.receivedAt) == nil)
    let causal = estimator.handle(fix, at: fix.receivedAt)?.causal
    #expect(estimator.estimate(at: Instant(nanoseconds: 0)) == causal)
  }

  /// After a gap, the first fix is the answer.
  @Test(arguments: [20, 600, 100_000]) func afterAGapItStartsOver(gap: Int) {
    for (name, receiver) in Self.drives {
      let fixes = SimulatedDrive(seconds: 300, speed: 14, seed: 3).fixes(receiver, seed: 5)
      var estimator = Estimator()
      for (index, (fix, truth)) in fixes.enumerated() where !(150..<160).contains(index) {
        var fix = fix
        if index >= 160 {
          fix.time = fix.time + .seconds(gap)
          fix.receivedAt = fix.receivedAt + .seconds(gap)
        }
        guard index >= 160, let estimate = estimator.handle(fix, at: fix.receivedAt) else {
          _ = estimator.handle(fix, at: fix.receivedAt)
          continue
        }
        let error = estimate.causal.coordinate.meters(to: truth)
        #expect(error <= 3 * max(estimate.causal.horizontalRadius68.value, receiver.radius), "\(name) \(index)")
      }
    }
  }
}
