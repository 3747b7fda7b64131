import GNSSReceiver
import Geodesy
import Testing

/// Positions that a talker reports in another datum than WGS 84.
@Suite struct DatumTests {
  private let second = 36_000

  private func fix(_ sentences: String...) -> PositionFix? {
    var line = LineBench()
    for sentence in sentences { line.receive(sentence) }
    line.wait(1000)
    return line.fixes.first
  }

  private func degrees(_ fix: PositionFix?) -> [Double] {
    fix.map { [$0.coordinate.latitude.degrees, $0.coordinate.longitude.degrees] } ?? []
  }

  private let reported = [47 + 17.11399 / 60, 8 + 33.91590 / 60]

  private func isNear(_ a: [Double], _ b: [Double]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-8 }
  }

  /// Local position = reference position + offset.
  @Test func anOffsetIsTakenBack() {
    let swiss = fix("GPDTM,999,,0.06,N,0.03,E,-47.7,W84", LineBench.rmc(second), LineBench.gga(second))
    #expect(isNear(degrees(swiss), [reported[0] - 0.001, reported[1] - 0.0005]))
    #expect(swiss?.heightAboveMeanSeaLevel == Meters(499.6) && swiss?.heightAboveEllipsoid == nil)
    #expect(swiss.map { $0.horizontalRadius68.value < 5 } == true)
    let south = fix("GPDTM,EUR,,0.06,S,0.03,W,,W84", LineBench.rmc(second), LineBench.gga(second))
    #expect(isNear(degrees(south), [reported[0] + 0.001, reported[1] + 0.0005]))
  }

  @Test func wgs84IsLeftAsItIs() {
    for datum in ["GPDTM,W84,,0.0,N,0.0,E,0.0,W84", "GPDTM,P90,,0.0,N,0.0,E,0.0,W84", "GPDTM,,,,,,,,W84"] {
      let fix = fix(datum, LineBench.rmc(second), LineBench.gga(second))
      #expect(isNear(degrees(fix), reported) && fix.map { $0.horizontalRadius68.value < 5 } == true, "\(datum)")
    }
  }

  /// The offset of Tokyo's datum is not given: it is up to half a kilometer, which the radius includes.
  @Test(arguments: ["GPDTM,TOY,,,,,,,W84", "GPDTM,TOY,,0.0,N,0.0,E,0.0,W84", "GPDTM,999,,,,,,,"])
  func anUnknownOffsetIsInTheRadius(datum: String) {
    let fix = fix(datum, LineBench.rmc(second), LineBench.gga(second))
    #expect(isNear(degrees(fix), reported))
    #expect((fix?.horizontalRadius68.value ?? 0) >= 500)
  }

  /// A plotter's datum does not apply to the receiver, and the latest datum of a talker counts.
  @Test func aDatumIsItsTalkers() {
    var line = LineBench()
    line.receive("IIDTM,TOY,,,,,,,W84", LineBench.rmc(second), LineBench.gga(second))
    line.wait(1000)
    line.receive("GNDTM,999,,0.06,N,0.03,E,0,W84", LineBench.rmc(second + 1), LineBench.gga(second + 1))
    line.wait(1000)
    line.receive("GNDTM,W84,,0.0,N,0.0,E,0.0,W84", LineBench.rmc(second + 2), LineBench.gga(second + 2))
    line.wait(1000)
    #expect(line.fixes.map { $0.horizontalRadius68.value < 5 } == [true, true, true])
    #expect(isNear(degrees(line.fixes.first), reported) && isNear(degrees(line.fixes.last), reported))
    #expect(line.fixes.count == 3 && isNear(degrees(line.fixes[1]), [reported[0] - 0.001, reported[1] - 0.0005]))
  }

  @Test func anOffsetLeadsOverTheDateLine() {
    let fix = fix(
      "GPDTM,999,,0.0,N,0.6,W,0,W84",
      "GPRMC,\(LineBench.clock(second)).00,A,1700.00000,S,17959.70000,E,1.0,77,050626,,,A")
    #expect(isNear(degrees(fix), [-17, -(179 + 59.7 / 60)]))
  }
}
