import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// Standstill is found without measured velocities, because the mean of the positions is then better than a track through them; and
/// nothing that moves is held back.
@Suite struct StandstillTests {
  private static let street = SimulatedDrive.Receiver(
    white: 6, wander: 3, wanderSeconds: 40, outliers: 0.05, outlierMeters: 20, velocity: nil, radius: 10)
  private static let withoutRule = {
    var tuning = Tuning.standard
    tuning.standstillEvidence = .infinity
    return tuning
  }()

  @Test func aParkedReceiverIsAveraged() {
    let fixes = SimulatedDrive(seconds: 900, speed: 0, seed: 3).fixes(Self.street, seed: 5)
    let (with, without) = (compare(fixes).causal, compare(fixes, tuning: Self.withoutRule).causal)
    #expect(with.rms <= 0.8 * without.rms && with.p95 <= 0.8 * without.p95, "\(with.rms), \(without.rms)")
  }

  /// A drive with traffic lights: never worse than the positions themselves, and better than without the rule while it stands.
  @Test(arguments: [3, 4, 5] as [UInt64]) func stopsAreFoundAndLeft(seed: UInt64) {
    let drive = SimulatedDrive(seconds: 1800, speed: 11, seed: seed)
    let fixes = drive.fixes(Self.street, seed: 5)
    let result = compare(fixes)
    #expect(result.causal.rms <= 0.8 * result.raw.rms && result.causal.p95 <= result.raw.p95)
    let without = compare(fixes, tuning: Self.withoutRule)
    // Ten seconds after the stop, when there is evidence.
    let stands = drive.moments.indices.filter { index in
      index >= 10 && drive.moments[(index - 10)...index].allSatisfy { $0.velocity == .zero }
    }
    // The first five seconds of motion, in which a car covers 19 m.
    let leaves = drive.moments.indices.filter { index in
      index >= 5 && drive.moments[index].velocity != .zero
        && drive.moments[(index - 5)..<index].contains { $0.velocity == .zero }
    }
    func errors(_ answers: [EvaluatedPosition], _ indices: [Int]) -> Double { indices.map { answers[$0] }.rms }
    #expect(stands.count > 100 && errors(result.causal, stands) <= 0.85 * errors(without.causal, stands))
    #expect(leaves.count > 20 && errors(result.causal, leaves) <= 1.1 * errors(result.raw, leaves))
  }

  /// A walker's pace is hardly different from standstill, if positions are inaccurate; a cyclist's is.
  @Test(arguments: [(1.4, 0.9), (4.5, 0.8)]) func slowTravelersAreNotHeldBack(speed: Double, share: Double) {
    let result = compare(SimulatedDrive(seconds: 1800, speed: speed, seed: 3).fixes(Self.street, seed: 5))
    #expect(result.causal.rms <= share * result.raw.rms && result.causal.p95 <= share * result.raw.p95)
  }

  /// Reflections do not change as long as the antenna stands: the radius of the mean is not less than that of its positions.
  @Test func theRadiusOfTheMeanIsNotReduced() {
    let fixes = SimulatedDrive(seconds: 300, speed: 0, seed: 3).fixes(Self.street, seed: 5)
    let late = compare(fixes).causal.dropFirst(100)
    #expect(late.count == 200)
    let smallest = late.compactMap(\.radius68Meters).min() ?? 0
    #expect(smallest >= 9.99, "\(smallest)")
  }

  /// Measured velocities know better, and a stream that its receiver has filtered is passed on.
  @Test func otherStreamsAreUnchanged() {
    let drive = SimulatedDrive(seconds: 900, speed: 11, seed: 3)
    var measured = Self.street
    measured.velocity = 0.08
    let smooth = SimulatedDrive.Receiver(white: 0.05, wander: 2, velocity: nil)
    for receiver in [measured, smooth] {
      let fixes = drive.fixes(receiver, seed: 5)
      #expect(compare(fixes).causal == compare(fixes, tuning: Self.withoutRule).causal)
    }
  }
}

/// Recorded tracks without velocities, in streets.
@Suite(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"))
struct RecordedStandstillTests {
  /// The bounds are what the tuning halves have, with a margin: 19 and 10 % less than raw, 13 and 7 % without the rule for standstill.
  @Test(arguments: [
    (["gsdc_20210428_pixel5_spp"], 0.83), (["sjc_20210422_wls", "sjc_20210428_wls", "sjc_20210429_wls"], 0.96),
  ])
  func streetsWithoutVelocitiesAreBettered(tables: [String], share: Double) throws {
    var (raw, causal): ([EvaluatedPosition], [EvaluatedPosition]) = ([], [])
    for table in tables {
      let drive = try TrueDrive(table: table)
      var comparison = TrackComparison(
        with: ReferenceTrack(drive.truth.map { ReferencePoint(time: $0.time, coordinate: $0.place) }))
      var estimator = Estimator()
      for fix in drive.fixes {
        comparison.add(raw: fix, causal: estimator.handle(fix, at: fix.receivedAt)?.causal, lagged: nil)
      }
      raw += comparison.raw
      causal += comparison.causal
    }
    #expect(causal.rms <= share * raw.rms && causal.p95 <= raw.p95, "\(causal.rms), \(raw.rms)")
  }
}
