import GNSSReceiver
import Geodesy
import Testing

@Suite struct AccuracyModelTests {
  private func radius(_ kind: FixKind = .threeDimensional, _ set: (inout AccuracyEvidence) -> Void) -> Double {
    var evidence = AccuracyEvidence()
    set(&evidence)
    return AccuracyModel.horizontalRadius68(of: evidence, kind: kind).value
  }

  /// The exact radii that contain 68.27 % of a normal distribution with axes 1 and `minor`, by numerical integration.
  @Test(arguments: [(0.0, 1.0), (0.25, 1.033), (0.5, 1.1529), (0.75, 1.3281), (1.0, 1.5152)])
  func theEllipseHoldsSixtyEightPercent(minor: Double, exact: Double) {
    #expect(abs(ErrorEllipse(axis: minor, axis: 1).radius68.value - exact) < 0.005)
    #expect(abs(ErrorEllipse(axis: 10, axis: 10 * minor).radius68.value - 10 * exact) < 0.05)
  }

  @Test func theAxesOfACovarianceAreItsOwn() {
    // A line at 45°: the variance is 2 along it and zero across it.
    let line = ErrorEllipse(northVariance: 1, eastVariance: 1, northEastCovariance: 1)
    #expect(abs(line.semiMajorMeters - 2.0.squareRoot()) < 1e-9)
    #expect(line.semiMinorMeters < 1e-6)
  }

  @Test func theBestEvidenceDecides() {
    #expect(radius { $0.horizontalDilution = 1 } == 4.6)
    #expect(
      radius {
        $0.horizontalDilution = 1; $0.horizontalError50Meters = 3
      } == 3 * 1.287)
    #expect(
      radius {
        $0.horizontalDilution = 1; $0.horizontalError50Meters = 3; $0.horizontalAccuracyMeters = 2
      } == 2.14)
    let byEllipse = radius {
      $0.horizontalAccuracyMeters = 2
      $0.ellipse = ErrorEllipse(axis: 0.5, axis: 0.5)
    }
    #expect(abs(byEllipse - 0.7576) < 0.001)
  }

  @Test func withoutASettingItIsTheWorstUsableAccuracy() {
    #expect(radius { _ in } == 23)
  }

  @Test func theBasisSaysWhatIsKnown() {
    var evidence = AccuracyEvidence()
    #expect(AccuracyModel.horizontalRadiusBasis(of: evidence) == .assumed)
    evidence.positionDilution = 2
    #expect(AccuracyModel.horizontalRadiusBasis(of: evidence) == .dilution)
    evidence.horizontalError50Meters = 3
    #expect(AccuracyModel.horizontalRadiusBasis(of: evidence) == .accuracy)
  }

  @Test func neverBelowACentimeter() {
    #expect(radius(.rtkFixed) { $0.horizontalAccuracyMeters = 0 } == 0.01)
    #expect(radius(.rtkFixed) { $0.ellipse = ErrorEllipse(axis: 0, axis: 0) } == 0.01)
  }

  @Test(arguments: [
    (FixKind.rtkFixed, 0.6), (.rtkFloat, 0.8), (.differential, 2.3), (.twoDimensional, 9.2), (.estimated, 20),
  ])
  func theKindSetsTheScale(kind: FixKind, radius68: Double) {
    #expect(radius(kind) { $0.horizontalDilution = 1 } == radius68)
  }
}
