package import Geodesy

/// Converts a receiver's error figures into 68 % radii: from the best evidence available, and from a dilution model if the
/// receiver reports no accuracy.
///
/// Factors to 68 %:
/// - `ellipse`: by its axes, see `ErrorEllipse`.
/// - `hAcc` = √(σN² + σE²): a line has R68 = 1.00 × it, a circle 1.07 ×. The shape is unknown: 1.07.
/// - a 50 % circle: R68 / R50 = √(ln(1 − 0.6827) / ln(1 − 0.5)) = 1.287; a 50 % interval: σ / 0.6745 = 1.4826.
///
/// The dilution model uses the GPS SPS Performance Standard, 5th edition (2020), section 3.8: at most 8 m horizontal and 13 m
/// vertical, 95 %, world average. With the medians HDOP 1.0 and VDOP 1.7 and R95 / R68 = 1.73 (σ95 = 1.96), that is 4.6 m ×
/// HDOP and 3.9 m × VDOP. Differential corrections halve it.
///
/// Carrier phase is accurate to centimeters in the frame of its corrections. NMEA does not name that frame, and it is not
/// WGS 84: NAD 83 and ETRS 89 lie 0.5 to 1.5 m off it. A u-blox F9K with fixed ambiguities had a constant offset of 0.5 m
/// from a survey (68 %: 0.50 m of 941 epochs at HDOP 0.8; float 0.55 m of 632). Hence 0.6 m and 0.8 m, which contain 75 %
/// of the errors in the even tenths of that drive, the tuning half (Documentation/Benchmarks.md). An accuracy that a
/// receiver itself reports is trusted.
///
/// A dilution below `leastDilution` does not lower the radius further: many satellites average their independent errors, but
/// the errors that they have in common (ionosphere, reflections, the datum of the corrections) remain. Dead reckoning does not
/// improve with more satellites: its dilution can only raise the radius.
package enum AccuracyModel {
  /// The 68 % horizontal radius, at least a centimeter.
  package static func horizontalRadius68(of evidence: AccuracyEvidence, kind: FixKind) -> Meters {
    if let ellipse = evidence.ellipse { return atLeastACentimeter(ellipse.radius68.value) }
    if let accuracy = evidence.horizontalAccuracyMeters { return atLeastACentimeter(accuracy * 1.07) }
    if let radius = evidence.horizontalRadius68Meters { return atLeastACentimeter(max(radius, leastPhoneRadius)) }
    if let error50 = evidence.horizontalError50Meters { return atLeastACentimeter(error50 * 1.287) }
    let dilution = evidence.horizontalDilution ?? evidence.positionDilution ?? unknownDilution
    let least = kind == .estimated ? 1 : leastDilution
    return atLeastACentimeter(rangeRadius68Meters(of: kind, vertical: false) * max(least, dilution))
  }

  /// The kind of evidence that `horizontalRadius68(of:kind:)` uses.
  package static func horizontalRadiusBasis(of evidence: AccuracyEvidence) -> RadiusBasis {
    if evidence.ellipse != nil || evidence.horizontalAccuracyMeters != nil || evidence.horizontalError50Meters != nil
      || evidence.horizontalRadius68Meters != nil
    {
      return .accuracy
    }
    return evidence.horizontalDilution != nil || evidence.positionDilution != nil ? .dilution : .assumed
  }

  /// The 68 % half-width of the height, at least a centimeter.
  package static func verticalRadius68(of evidence: AccuracyEvidence, kind: FixKind) -> Meters {
    if let deviation = evidence.verticalDeviationMeters { return atLeastACentimeter(deviation) }
    if let error50 = evidence.verticalError50Meters { return atLeastACentimeter(error50 * 1.4826) }
    let dilution =
      evidence.verticalDilution ?? evidence.positionDilution ?? (evidence.horizontalDilution ?? unknownDilution) * 1.7
    return atLeastACentimeter(rangeRadius68Meters(of: kind, vertical: true) * dilution)
  }

  /// The smallest radius that is believed of a phone: its antenna and the reflections around it do not allow less.
  static let leastPhoneRadius = 1.0

  /// The dilution assumed if a receiver reports none: the worst that most receivers still call usable.
  package static let unknownDilution = 5.0

  /// The smallest horizontal dilution that is used. With corrections from satellites (SBAS) the radius is then at least 1.84 m.
  /// Receivers of all constellations report 0.4 to 0.6, and their errors match 0.8 (F9K: 0.74 to 0.94).
  package static let leastDilution = 0.8

  private static func rangeRadius68Meters(of kind: FixKind, vertical: Bool) -> Double {
    switch kind {
    case .rtkFixed: 0.6
    case .rtkFloat: 0.8
    case .differential: vertical ? 2.0 : 2.3
    case .threeDimensional: vertical ? 3.9 : 4.6
    // With a held height, an error of the height turns into a horizontal error of the same size.
    case .twoDimensional: 9.2
    case .estimated: 20
    }
  }

  private static func atLeastACentimeter(_ meters: Double) -> Meters { Meters(max(0.01, meters)) }
}

/// The error figures of one epoch, each as its message defines it. A figure that was not reported is `nil`.
package struct AccuracyEvidence: Hashable, Sendable {
  /// UBX-NAV-COV, NMEA GST: one-sigma axes of the position error.
  package var ellipse: ErrorEllipse?
  /// UBX hAcc, PUBX,00 hAcc, PQXFI, gpsd's eph of a u-blox: √(σN² + σE²) in meters. The 3D error of an ECEF position
  /// stands in for it.
  package var horizontalAccuracyMeters: Double?
  /// ACCURACY of phones: horizontal radius in meters that contains 68 %.
  package var horizontalRadius68Meters: Double?
  /// PGRME: horizontal error in meters that contains 50 % (Garmin's estimated position error, as gpsd interprets it).
  package var horizontalError50Meters: Double?
  /// UBX vAcc, PUBX,00 vAcc, PQXFI, GST altitude, NAV-COV, gpsd's epv of a u-blox: one-sigma height error in meters.
  package var verticalDeviationMeters: Double?
  /// PGRME: vertical error in meters that contains 50 %.
  package var verticalError50Meters: Double?
  /// UBX sAcc, gpsd's eps of a u-blox: one-sigma speed error in m/s.
  package var speedDeviationMetersPerSecond: Double?
  /// UBX headAcc: one-sigma course error in degrees.
  package var courseDeviationDegrees: Double?
  /// Horizontal dilution of precision.
  package var horizontalDilution: Double?
  /// Vertical dilution of precision.
  package var verticalDilution: Double?
  /// Position dilution of precision.
  package var positionDilution: Double?

  /// Evidence without any figure.
  package init() {}
}

/// The one-sigma error ellipse of a horizontal position, and the radius that contains 68 % of its errors.
package struct ErrorEllipse: Hashable, Sendable {
  /// Standard deviation along the longer axis in meters, ≥ 0.
  package let semiMajorMeters: Double
  /// Standard deviation along the shorter axis in meters, ≥ 0.
  package let semiMinorMeters: Double

  /// The ellipse of two standard deviations along perpendicular axes, in either order.
  package init(axis a: Double, axis b: Double) {
    semiMajorMeters = max(a, b)
    semiMinorMeters = min(a, b)
  }

  /// The ellipse of a covariance matrix (m²): the square roots of its eigenvalues.
  package init(northVariance: Double, eastVariance: Double, northEastCovariance: Double) {
    let mean = (northVariance + eastVariance) / 2
    let half = (northVariance - eastVariance) / 2
    let spread = (half * half + northEastCovariance * northEastCovariance).squareRoot()
    self.init(axis: max(0, mean + spread).squareRoot(), axis: max(0, mean - spread).squareRoot())
  }

  /// The radius of the circle that contains 68.27 % of a two-dimensional normal distribution with these axes: 1.00 σ for a
  /// line, 1.515 σ for a circle. A cubic fitted to the integral of the distribution over the circle; its error is at most 0.4
  /// %.
  package var radius68: Meters {
    guard semiMajorMeters > 0 else { return Meters(0) }
    let c = semiMinorMeters / semiMajorMeters
    return Meters(semiMajorMeters * (1.00404645 + c * (-0.12070108 + c * (1.04691562 - c * 0.41538132))))
  }
}
