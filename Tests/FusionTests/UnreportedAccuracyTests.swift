import Fusion
import Geodesy
import LocationReplay
import Testing

/// The radius if a receiver reports only a dilution, or nothing at all.
@Suite struct UnreportedAccuracyTests {
  private func radii(_ receiver: SimulatedDrive.Receiver, _ basis: RadiusBasis, seconds: Int) -> [EvaluatedPosition] {
    var fixes = SimulatedDrive(seconds: seconds, speed: 11, seed: 3).fixes(receiver, seed: 5)
    for index in fixes.indices {
      fixes[index].fix.horizontalRadiusBasis = basis
      // 4.6 m × HDOP 1; × 5 if no dilution is known (`AccuracyModel`).
      fixes[index].fix.horizontalRadius68 = Meters(basis == .dilution ? 4.6 : 23)
    }
    return compare(fixes).causal
  }

  /// An unknown accuracy is assumed to be bad until the stream has been observed, and is never better than a known one.
  @Test func nothingKnownIsNeverTheBest() throws {
    let receiver = SimulatedDrive.Receiver(white: 0.05, wander: 1)
    let (dilution, assumed) = (radii(receiver, .dilution, seconds: 60), radii(receiver, .assumed, seconds: 60))
    #expect(try #require(assumed.first?.radius68Meters) == 23)
    #expect(try #require(dilution.first?.radius68Meters) == 4.6)
    for (one, other) in zip(assumed, dilution) {
      #expect(try #require(one.radius68Meters) >= #require(other.radius68Meters) - 0.01)
    }
    let settled = try #require(assumed.last?.radius68Meters)
    #expect((1.7...2).contains(settled))
  }

  /// White noise and correlated errors, as in streets, of one to ten meters: the same constants apply to all.
  @Test(
    arguments: [1.0, 3, 10],
    [(.dilution, 0.08), (.dilution, nil), (.assumed, 0.08), (.assumed, nil)] as [(RadiusBasis, Double?)])
  func theNoiseReportsTheRadius(noise: Double, kind: (basis: RadiusBasis, velocity: Double?)) throws {
    let receiver = SimulatedDrive.Receiver(
      white: noise, wander: 0.7 * noise, wanderSeconds: 40, outliers: 0.1, outlierMeters: 2 * noise,
      velocity: kind.velocity)
    let coverage = try #require(Coverage(radii(receiver, kind.basis, seconds: 1200)))
    #expect(coverage.inside68 >= 0.55 && coverage.beyond3 <= 0.06)
  }

  /// The offset of an unknown datum is the same for every fix: neither a smooth stream nor the average of a track
  /// reduces it.
  @Test(arguments: [0.05, 10])
  func anUnknownDatumStaysInTheRadius(noise: Double) {
    var fixes = SimulatedDrive(seconds: 120, speed: 11, seed: 3).fixes(.init(white: noise, wander: noise), seed: 5)
    for index in fixes.indices {
      fixes[index].fix.horizontalRadiusBasis = .datum
      fixes[index].fix.horizontalRadius68 = Meters(500)
    }
    let answers = compare(fixes).causal
    #expect(answers.count == 120 && answers.allSatisfy { ($0.radius68Meters ?? 0) >= 500 })
  }

  /// A spike widens the radius at once.
  @Test func aSpikeWidensIt() throws {
    let drive = SimulatedDrive(seconds: 100, speed: 11, seed: 3)
    var fixes = drive.fixes(.init(white: 0.05, wander: 1), seed: 5)
    fixes[80].fix.coordinate = fixes[80].fix.coordinate.moved(by: SIMD2(14, 0))
    for index in fixes.indices { fixes[index].fix.horizontalRadiusBasis = .dilution }
    let answers = compare(fixes).causal
    #expect(try #require(answers[80].radius68Meters) > 3 * #require(answers[79].radius68Meters))
  }

  /// Dead reckoning is always smooth, but its smoothness does not show where it began.
  @Test func smoothDeadReckoningStaysUncertain() throws {
    var fixes = SimulatedDrive(seconds: 60, speed: 11, seed: 3).fixes(.init(wander: 1, radius: 20), seed: 5)
    for index in fixes.indices {
      fixes[index].fix.horizontalRadiusBasis = .dilution
      fixes[index].fix.kind = .estimated
    }
    for answer in compare(fixes).causal { #expect(try #require(answer.radius68Meters) >= 20) }
  }
}
