import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// Recorded tracks as if only a dilution (an HDOP of 1) were known, with the same constants: the odd tenths, because the even
/// ones were used for tuning. `make bench` adds the tracks that are NMEA.
@Suite(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"))
struct RecordedDilutionTests {
  private func answers(_ table: String, _ basis: RadiusBasis) throws -> [EvaluatedPosition] {
    let drive = try TrueDrive(table: table)
    var comparison = TrackComparison(
      with: ReferenceTrack(drive.truth.map { ReferencePoint(time: $0.time, coordinate: $0.place) }))
    var estimator = Estimator()
    for var fix in drive.fixes {
      fix.horizontalRadiusBasis = basis
      fix.horizontalRadius68 = Meters(basis == .dilution ? 4.6 : 23)
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      comparison.add(raw: fix, causal: estimate?.causal, lagged: estimate?.lagged)
    }
    let all = comparison.causal
    return all.indices.filter { ($0 * 10 / all.count) % 2 == 1 }.map { all[$0] }
  }

  @Test(
    arguments: ["gsdc_20210428_pixel5_spp", "comma2k19_ublox_live", "urbannav_hk_tst"],
    [RadiusBasis.dilution, .assumed])
  func theRadiusHoldsInStreetsAndOutside(table: String, basis: RadiusBasis) throws {
    let coverage = try #require(Coverage(try answers(table, basis)))
    // With nothing reported, the radius follows the noise of the stream, although the mean of a standstill hardly has any of it.
    #expect((0.55...(basis == .assumed ? 0.97 : 0.95)).contains(coverage.inside68), "\(coverage.inside68)")
    #expect(coverage.beyond3 <= 0.06, "\(coverage.beyond3)")
  }
}
