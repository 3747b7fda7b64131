import Evaluation
import Fusion
import Geodesy
import TestSupport
import Testing

/// Receivers' recorded tracks beside the truth: the figures of issue 8, and the numbers as they are. A difference is to be
/// read before it is written here.
@Suite(.enabled(if: RecordedTrack.areThere, "LOCATION_DATA names no folder of recorded receivers"))
struct RecordedTrackTests {
  /// What came of each track: metres to the centimetre.
  private static let goldens: [RecordedTrack: [String: Double]] = [:]

  @Test(arguments: RecordedTrack.allCases) func theNumbersAreAsTheyWere(track: RecordedTrack) throws {
    let result = compare(try track.fixes(), isRadiusTold: track.tellsRadius)
    let numbers = [
      "p50": result.causal.errors?.p50, "p95": result.causal.p95, "rms": result.causal.rms, "lagged p95": result.lagged.p95,
      "lagged rms": result.lagged.rms, "inside 68": Coverage(result.causal)?.inside68,
      "beyond 3": Coverage(result.causal)?.beyond3,
    ]
    for (name, value) in numbers {
      let value = try #require(value)
      print(track, name, value)
      let golden = try #require(Self.goldens[track]?[name])
      #expect(abs(value - golden) < 0.006, "\(name)")
    }
  }

  /// Filtered tracks, whole and without what not every receiver tells.
  @Test(arguments: [RecordedTrack.f9k, .comma], [[.accuracy, .speed, .course], [.accuracy], []] as [Set<TableColumn>])
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

  /// Without what the receiver says of itself, thinned, and with a third of it missing.
  @Test func nagoyaIsBetteredHoweverItComes() throws {
    var random = SplitMix64(seed: 4)
    for columns in [[.speed, .course], [.accuracy], []] as [Set<TableColumn>] {
      let fixes = try RecordedTrack.nagoya.fixes(keeping: columns)
      let tellsRadius = columns.contains(.accuracy)
      let worst = columns.contains(.speed) ? 0.5 : 0.8
      let whole = compare(fixes, isRadiusTold: tellsRadius)
      #expect(whole.causal.rms <= worst * whole.raw.rms && whole.causal.p95 <= whole.raw.p95)
      let half = compare(fixes.indices.filter { $0 % 2 == 0 }.map { fixes[$0] }, isRadiusTold: tellsRadius)
      print(columns, half.causal.errors!, half.raw.errors!)
      #expect(half.causal.rms <= worst * half.raw.rms && half.causal.p95 <= half.raw.p95)
      let holes = fixes.indices.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map { fixes[$0] }
      let rest = compare(holes, isRadiusTold: tellsRadius)
      #expect(rest.causal.p95 <= rest.raw.p95)
    }
  }

  /// All of it is driven.
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
