package import Geodesy

/// The one-sigma error ellipse of a horizontal position, and the radius that holds 68 % of its errors.
package struct ErrorEllipse: Hashable, Sendable {
  /// Standard deviation along the longer axis in metres, ≥ 0.
  package let semiMajorMeters: Double
  /// Standard deviation along the shorter axis in metres, ≥ 0.
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

  /// The radius of the circle that holds 68.27 % of a two-dimensional normal distribution with these axes: 1.00 σ for a
  /// line, 1.515 σ for a circle. A cubic fitted to the integral of the distribution over the circle; off by at most
  /// 0.4 %.
  package var radius68: Meters {
    guard semiMajorMeters > 0 else { return Meters(0) }
    let c = semiMinorMeters / semiMajorMeters
    return Meters(semiMajorMeters * (1.00404645 + c * (-0.12070108 + c * (1.04691562 - c * 0.41538132))))
  }
}
