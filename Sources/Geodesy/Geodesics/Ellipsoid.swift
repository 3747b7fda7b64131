/// An oblate ellipsoid of revolution, and what geodesy derives from its two parameters.
package struct Ellipsoid: Hashable, Sendable {
  /// Equatorial radius a, metres.
  package let equatorialRadius: Double
  /// Flattening f = (a − b) / a, 0 for a sphere.
  package let flattening: Double

  /// World Geodetic System 1984 (NGA.STND.0036, table 3.1).
  package static let wgs84 = Ellipsoid(equatorialRadius: 6_378_137, flattening: 1 / 298.257223563)

  /// An ellipsoid; the series for geodesics are made for flattenings between 0 and 0.01.
  package init(equatorialRadius: Double, flattening: Double) {
    self.equatorialRadius = equatorialRadius
    self.flattening = flattening
  }

  /// Polar radius b, metres.
  package var polarRadius: Double { equatorialRadius * (1 - flattening) }
  /// Third flattening n = (a − b) / (a + b).
  package var thirdFlattening: Double { flattening / (2 - flattening) }
  /// First eccentricity squared, (a² − b²) / a².
  package var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// Second eccentricity squared, (a² − b²) / b².
  package var secondEccentricitySquared: Double { eccentricitySquared / ((1 - flattening) * (1 - flattening)) }

  /// Radius of curvature along the meridian (M) at a geodetic latitude, metres.
  package func meridianRadius(at latitude: Angle) -> Double {
    let w = curvatureDenominator(at: latitude)
    return equatorialRadius * (1 - eccentricitySquared) / (w * w * w)
  }

  /// Radius of curvature across the meridian (N, the prime vertical) at a geodetic latitude, metres.
  package func primeVerticalRadius(at latitude: Angle) -> Double {
    equatorialRadius / curvatureDenominator(at: latitude)
  }

  /// √(1 − e² sin² φ).
  private func curvatureDenominator(at latitude: Angle) -> Double {
    let sine = Direction(degrees: latitude.degrees).sine
    return (1 - eccentricitySquared * sine * sine).squareRoot()
  }
}
