import Geodesy
import Regions
import TestSupport
import Testing

/// Crossings of circles on drives, with the daemon's estimator: none is reported twice, none is missed that went beyond the
/// uncertainty of the radius, and the delay is short.
@Suite struct CrossingTests {
  /// (noise in meters per axis; p95 of the time of the crossing in seconds)
  @Test(arguments: [(0.0, 0.1), (20, 1), (50, 1.5)]) func simulated(_ noise: Double, _ time: Double) throws {
    var figures = CrossingFigures()
    for seed in 1...2 as ClosedRange<UInt64> {
      let drive = TrueDrive(seed: seed).with(noise: noise, seed: seed)
      try figures.receive(drive, circles: 60, seed: seed)
    }
    check(figures, noise: noise, deviation: 2, missed: 0, time: time)
  }

  @Test(
    .enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"), arguments: [(0.0, 0.5), (20, 1.5), (50, 2)])
  func inACar(_ noise: Double, _ time: Double) throws {
    try recorded("mtv_f9k_rtk", noise, circles: 60, deviation: 8, missed: 0, time: time)
  }

  /// In an urban canyon, the radius is often too small, and therefore 1 in 400 is missed.
  @Test(
    .enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"), arguments: [(0.0, 2.5), (20, 6), (50, 9)])
  func amongHighHouses(_ noise: Double, _ time: Double) throws {
    try recorded("nagoya_gtsam_spp", noise, circles: 150, deviation: 10, missed: 5e-3, time: time)
  }

  private func recorded(_ name: String, _ noise: Double, circles: Int, deviation: Double, missed: Double, time: Double)
    throws
  {
    var figures = CrossingFigures()
    let drive = try TrueDrive(table: name).with(noise: noise, seed: 3)
    try figures.receive(drive, circles: circles, seed: 3)
    check(figures, noise: noise, deviation: deviation, missed: missed, time: time)
  }

  private func check(_ figures: CrossingFigures, noise: Double, deviation: Double, missed: Double, time: Double) {
    #expect(figures.crossings > 200)
    #expect(figures.extra == 0, "\(figures.summary)")
    #expect(Double(figures.missed) <= missed * Double(figures.crossings), "\(figures.summary)")
    // Some of the estimates are further off than their radius, and so are crossings that end within that.
    #expect(figures.missedByEstimate * 25 <= figures.crossings, "\(figures.summary)")
    #expect(figures.begunWrongly == 0 && figures.neverBegun == 0, "\(figures.summary)")
    // 3σ of distance, and then to the next fix at up to 20 m/s.
    let way = CrossingFigures.p(95, figures.addedMeters)
    #expect(way <= 3 * Math.hypot(noise, deviation) + 20, "\(figures.summary)")
    #expect(CrossingFigures.p(95, figures.timeErrors) <= time, "\(figures.summary)")
    #expect(figures.timeless * 50 < figures.crossings, "\(figures.summary)")
  }

  /// One fix per second for half a minute, and none in the next: the time of a crossing in a gap follows from the speed before
  /// and after.
  @Test func acrossGaps() throws {
    var figures = CrossingFigures()
    for speed in [4.0, 8, 12, 16] {
      try figures.receive(.inParts(at: speed), circles: 100, seed: UInt64(speed))
    }
    #expect(figures.crossings > 200)
    #expect(figures.extra == 0 && Double(figures.missed) <= 5e-3 * Double(figures.crossings), "\(figures.summary)")
    #expect(CrossingFigures.p(95, figures.timeErrors) <= 1, "\(figures.summary)")
  }
}
