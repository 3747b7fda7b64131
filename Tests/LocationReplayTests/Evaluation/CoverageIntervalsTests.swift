import Geodesy
import LocationReplay
import Testing

/// Intervals of the coverage of one track.
@Suite struct CoverageIntervalsTests {
  private func track(_ ratios: [Double], step: Int64 = 1) -> [EvaluatedPosition] {
    ratios.enumerated().map { index, ratio in
      EvaluatedPosition(
        time: GNSSTime(nanosecondsSince1970: Int64(index) * step * 1_000_000_000), errorMeters: ratio, radius68Meters: 1
      )
    }
  }

  @Test func theyHoldTheCoverageAndAreRepeatable() throws {
    // Ten of sixty seconds are outside, five of them beyond three radii.
    let ratios = (0..<1200).map { $0 % 60 < 5 ? 4.0 : $0 % 60 < 10 ? 2 : 0.5 }
    let intervals = try #require(CoverageIntervals(track(ratios)))
    #expect(intervals == CoverageIntervals(track(ratios)))
    // A block of 60 s contains the whole pattern wherever it begins.
    #expect(
      abs(intervals.inside68.lowerBound - 50.0 / 60) < 1e-9 && abs(intervals.inside68.upperBound - 50.0 / 60) < 1e-9)
    #expect(abs(intervals.beyond3.lowerBound - 5.0 / 60) < 1e-9)
  }

  /// Errors that last for minutes make the interval wide; the same errors in another order make it narrow.
  @Test func lastingErrorsMakeThemWide() throws {
    let lasting = (0..<1200).map { $0 / 120 % 3 == 0 ? 2.0 : 0.5 }
    let alternating = (0..<1200).map { $0 % 5 < 2 ? 2.0 : 0.5 }
    let (wide, narrow) = (
      try #require(CoverageIntervals(track(lasting))).inside68,
      try #require(CoverageIntervals(track(alternating))).inside68
    )
    #expect(wide.upperBound - wide.lowerBound > 10 * (narrow.upperBound - narrow.lowerBound))
    #expect(wide.contains(0.6) && narrow.contains(0.6))
  }

  /// A block is a time: at one fix in five seconds it has twelve.
  @Test func aBlockIsATime() throws {
    let ratios = (0..<240).map { $0 % 12 < 2 ? 2.0 : 0.5 }
    let intervals = try #require(CoverageIntervals(track(ratios, step: 5)))
    #expect(
      abs(intervals.inside68.lowerBound - 10.0 / 12) < 0.02 && abs(intervals.inside68.upperBound - 10.0 / 12) < 0.02)
  }

  @Test func aShortTrackHasNone() {
    #expect(CoverageIntervals(track([Double](repeating: 0.5, count: 180))) == nil)
    #expect(CoverageIntervals(track([Double](repeating: 0.5, count: 181))) != nil)
    #expect(CoverageIntervals([EvaluatedPosition]()) == nil)
  }
}
