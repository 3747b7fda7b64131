import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// The radius is calibrated: 68 % of the errors of all tracks together lie inside it. A single track proves nothing, because its
/// errors are correlated.
@Suite struct RadiusTests {
  /// Drives through streets of different widths.
  private static func canyons(velocity: Double?) -> [[EvaluatedPosition]] {
    (0..<8).map { index in
      let white = 1 + 0.5 * Double(index % 4)
      let receiver = SimulatedDrive.Receiver(
        white: white, wander: 1.2, wanderSeconds: 40, outliers: 0.05 * Double(index % 3), outlierMeters: 25,
        velocity: velocity, radius: 1.515 * Math.hypot(white, 1.2))
      let drive = SimulatedDrive(seconds: 1200, speed: index < 3 ? 5 : 14, seed: UInt64(index))
      return compare(drive.fixes(receiver, seed: UInt64(index + 50))).causal
    }
  }

  /// On the safe side under a bad sky: the widest radii contain more errors than they claim. Without velocities all do, because the
  /// errors of recorded tracks without velocities last longer than these.
  @Test(arguments: [0.08, nil]) func simulatedCanyons(velocity: Double?) throws {
    let all = Self.canyons(velocity: velocity).flatMap { $0 }
    let coverage = try #require(Coverage(all))
    #expect((0.6...(velocity == nil ? 0.92 : 0.85)).contains(coverage.inside68) && coverage.beyond3 <= 0.01)
    for fifth in RadiusQuintile.all(of: all) {
      #expect((0.55...(velocity == nil ? 0.95 : 0.8)).contains(fifth.coverage.inside68))
    }
  }

  /// A radius is wide as long as recent answers were wrong, and no longer: eight successive positions that are 40 m off are
  /// accepted for some seconds without velocities, and not at all with them.
  @Test(arguments: [0.08, nil]) func whatWasTakenBackWidensIt(velocity: Double?) throws {
    let drive = SimulatedDrive(seconds: 300, speed: 14, seed: 3)
    var fixes = drive.fixes(.init(white: 3, velocity: velocity, radius: 5), seed: 4)
    for index in 150..<158 { fixes[index].fix.coordinate = fixes[index].fix.coordinate.moved(by: SIMD2(40, 0)) }
    var estimator = Estimator()
    var radii: [Double] = []
    for (fix, _) in fixes {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      radii.append(try #require(estimate).causal.horizontalRadius68.value)
    }
    // The car stands, and a standstill is not given up at once: so the answers are taken back a few seconds after the last wrong position.
    let isWide = radii[162] > 2 * radii[149]
    #expect(isWide == (velocity == nil) && radii[190] < 1.25 * radii[149])
  }

  /// A reported radius is passed on; a radius that the receiver did not report is never its worst case.
  @Test func reportedAccuraciesAreNotLowered() {
    let drive = SimulatedDrive(seconds: 300, speed: 14, seed: 1)
    for radius in [0.02, 1, 30, 2000] {
      for judged in compare(drive.fixes(.init(wander: 1, radius: radius), seed: 2)).causal {
        #expect(judged.radius68Meters == radius)
      }
    }
  }
}
