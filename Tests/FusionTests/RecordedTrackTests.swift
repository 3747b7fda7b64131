import Foundation
import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// Recorded tracks of receivers compared with the truth: the figures of issue 8, and the measured values. Examine a difference
/// before you update a value here.
@Suite(.enabled(if: RecordedTrack.areThere, "LOCATION_DATA names no folder of recorded receivers"))
struct RecordedTrackTests {
  /// The result of each track in meters: the immediate answer, the answer five seconds later, and how often the truth was inside
  /// the radius and beyond three times the radius.
  private static let goldens: [RecordedTrack: String] = [
    .f9k: "p50 0.49 p95 0.83 max 1.1 rms 0.53, lagged p95 0.83 rms 0.53, inside 100.0 %, beyond 0.00 %",
    .comma: "p50 1.43 p95 1.87 max 2.5 rms 1.47, lagged p95 1.87 rms 1.51, inside 91.5 %, beyond 0.00 %",
    .nagoya: "p50 1.82 p95 4.93 max 28.9 rms 3.56, lagged p95 4.11 rms 2.95, inside 73.4 %, beyond 0.18 %",
  ]

  @Test(arguments: RecordedTrack.allCases) func theNumbersAreAsTheyWere(track: RecordedTrack) throws {
    let result = compare(try track.fixes(), isRadiusTold: track.tellsRadius)
    let (causal, lagged) = (try #require(result.causal.errors), try #require(result.lagged.errors))
    let coverage = try #require(Coverage(result.causal))
    let numbers = String(
      format: "p50 %.2f p95 %.2f max %.1f rms %.2f, lagged p95 %.2f rms %.2f, inside %.1f %%, beyond %.2f %%",
      causal.p50,
      causal.p95, causal.max, causal.rms, lagged.p95, lagged.rms, 100 * coverage.inside68, 100 * coverage.beyond3)
    #expect(numbers == Self.goldens[track])
  }

  /// Filtered tracks, complete and without the values that not every receiver reports.
  @Test(
    arguments: [RecordedTrack.f9k, .comma], [[.accuracy, .speed, .course], [.accuracy], []] as [Set<TableColumn>])
  func filteredTracksAreNotHarmed(track: RecordedTrack, columns: Set<TableColumn>) throws {
    let fixes = try track.fixes(keeping: columns)
    for step in [1, 2, 5] {
      let thinned = fixes.indices.filter { $0 % step == 0 }.map { fixes[$0] }
      let result = compare(thinned, isRadiusTold: false)
      #expect(result.causal.p95 <= 1.02 * result.raw.p95)
    }
  }

  @Test func nagoyaIsBettered() throws {
    let result = compare(try RecordedTrack.nagoya.fixes())
    #expect(result.causal.rms <= 4.5 && result.lagged.rms <= 3.2)
    #expect(try #require(Coverage(result.causal)).beyond3 <= 0.01)
  }

  /// The radius of the track's own answers, for each half of the track, also with every second fix: it is not fitted to one of
  /// them. Two halves of a track contain only some tens of independent errors, hence the wide bounds.
  @Test(arguments: [1, 2]) func nagoyasTrackKnowsHowFarOffItIs(step: Int) throws {
    let fixes = try RecordedTrack.nagoya.fixes()
    let own = ownAnswers(fixes.indices.filter { $0 % step == 0 }.map { fixes[$0] })
    let whole = try #require(Coverage(own))
    #expect((0.6...0.76).contains(whole.inside68) && whole.inside95 >= 0.93 && whole.beyond3 <= 0.015)
    for fifth in RadiusQuintile.all(of: own) { #expect((0.55...0.85).contains(fifth.coverage.inside68)) }
    for half in [own[..<(own.count / 2)], own[(own.count / 2)...]] {
      #expect((0.6...0.8).contains(try #require(Coverage(half)).inside68))
    }
  }

  /// Without the receiver's own accuracy and velocity, thinned, and with a third of the track missing.
  @Test func nagoyaIsBetteredHoweverItComes() throws {
    var random = SplitMix64(seed: 4)
    for columns in [[.speed, .course], [.accuracy], []] as [Set<TableColumn>] {
      let fixes = try RecordedTrack.nagoya.fixes(keeping: columns)
      let tellsRadius = columns.contains(.accuracy)
      // Without these values and with half of the fixes, there is hardly a track to recognize.
      let (worst, worst95) = columns.contains(.speed) ? (0.5, 1.0) : (0.8, 1.05)
      let whole = compare(fixes, isRadiusTold: tellsRadius)
      #expect(whole.causal.rms <= worst * whole.raw.rms && whole.causal.p95 <= whole.raw.p95)
      let half = compare(fixes.indices.filter { $0 % 2 == 0 }.map { fixes[$0] }, isRadiusTold: tellsRadius)
      #expect(half.causal.rms <= worst * half.raw.rms && half.causal.p95 <= worst95 * half.raw.p95)
      let holes = fixes.indices.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map { fixes[$0] }
      let rest = compare(holes, isRadiusTold: tellsRadius)
      #expect(rest.causal.p95 <= rest.raw.p95)
    }
  }

  /// The whole track is classified as driving.
  @Test(arguments: RecordedTrack.allCases) func itIsDriven(track: RecordedTrack) throws {
    var estimator = Estimator()
    var classifier = MotionClassifier()
    var counts: [Motion: Int] = [:]
    for (fix, _) in try track.fixes() {
      guard let estimate = estimator.handle(fix, at: fix.receivedAt) else { continue }
      if let motion = classifier.handle(estimate.causal, at: fix.receivedAt) { counts[motion, default: 0] += 1 }
    }
    let moving = counts.filter { $0.key != .stationary }.values.reduce(0, +)
    #expect(Double(counts[.driving] ?? 0) >= 0.8 * Double(moving))
  }
}
