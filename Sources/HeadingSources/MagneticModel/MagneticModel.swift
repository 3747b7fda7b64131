package import Geodesy

/// The World Magnetic Model 2025: the main field of the Earth and its change, for 2025.0 to 2030.0.
///
/// Chulliat et al., The US/UK World Magnetic Model for 2025–2030 (NOAA NCEI, 2024), section 1.2: spherical harmonics of degree 12
/// with Schmidt's semi-normalization. Cost: 1 µs and no allocation.
package enum MagneticModel {
  /// The name shown with a declination.
  package static let name = "WMM2025"
  /// The years for which the model was made.
  package static let years = WMM2025.epoch...WMM2025.epoch + 5

  /// Radius of the sphere to which the coefficients refer, meters (section 1.2, equation 4).
  private static let referenceRadius = 6_371_200.0

  /// The field at `coordinate`, `height` above the ellipsoid, at `time`; `nil` if the coordinate or the height is not valid: the
  /// model holds from 1 km below the ellipsoid to 850 km above it.
  package static func field(at coordinate: Coordinate, height: Meters, time: GNSSTime) -> MagneticField? {
    guard let year = decimalYear(of: time) else { return nil }
    return field(at: coordinate, height: height, decimalYear: year)
  }

  /// The field at a date given as a year with its fraction, 2026.5 for the middle of 2026.
  package static func field(at coordinate: Coordinate, height: Meters, decimalYear: Double) -> MagneticField? {
    let latitude = coordinate.latitude.radians
    guard
      (-90...90).contains(coordinate.latitude.degrees), coordinate.longitude.degrees.isFinite, decimalYear.isFinite,
      (-1000...850_000).contains(height.value)
    else { return nil }
    let ellipsoid = Ellipsoid.wgs84
    let (sine, cosine) = (Math.sin(latitude), Math.cos(latitude))
    // From geodetic to spherical coordinates (section 1.2, equations 7 and 8).
    let normal = ellipsoid.primeVerticalRadius(at: coordinate.latitude)
    let fromAxis = (normal + height.value) * cosine
    let aboveEquator = (normal * (1 - ellipsoid.eccentricitySquared) + height.value) * sine
    let radius = Math.hypot(fromAxis, aboveEquator)
    let sphere = Sphere(
      sine: aboveEquator / radius, cosine: fromAxis / radius, longitude: coordinate.longitude.radians,
      ratio: referenceRadius / radius)
    let spherical = sum(at: sphere, yearsSinceEpoch: decimalYear - WMM2025.epoch)
    // From the spherical to the ellipsoidal vertical (equation 18): sine and cosine of φ′ − φ.
    let turnSine = sphere.sine * cosine - sphere.cosine * sine
    let turnCosine = sphere.cosine * cosine + sphere.sine * sine
    return MagneticField(
      northNanotesla: spherical.north * turnCosine - spherical.down * turnSine, eastNanotesla: spherical.east,
      downNanotesla: spherical.north * turnSine + spherical.down * turnCosine, validity: validity(decimalYear))
  }

  /// The year of `time` with its fraction; `nil` outside the years of a `GNSSTime`.
  package static func decimalYear(of time: GNSSTime) -> Double? {
    guard
      let date = time.date, let start = CalendarDate(year: Int(date.year), month: 1, day: 1),
      let end = CalendarDate(year: Int(date.year) + 1, month: 1, day: 1)
    else { return nil }
    let days = Double(date.daysSince1970 - start.daysSince1970)
    let part = Double(time.nanosecondsSinceMidnight) / Double(GNSSTime.nanosecondsPerDay)
    return Double(date.year) + (days + part) / Double(end.daysSince1970 - start.daysSince1970)
  }

  private static func validity(_ decimalYear: Double) -> MagneticField.Validity {
    if years.contains(decimalYear) { return .valid }
    return decimalYear < years.lowerBound ? .beforeModel : .afterModel
  }

  /// A point in spherical coordinates: sine and cosine of its latitude, its longitude in radians, and the reference radius
  /// divided by its distance from the Earth's center.
  private struct Sphere {
    let sine: Double
    let cosine: Double
    let longitude: Double
    let ratio: Double
  }

  /// The sum of the harmonics at `point` (section 1.2, equations 10 to 12), nT in the spherical frame.
  ///
  /// One order m after the other, so that two earlier degrees of the Legendre functions are all that is kept. For m ≥ 1 the
  /// functions are kept divided by the cosine of the latitude, which is finite at the poles.
  private static func sum(
    at point: Sphere, yearsSinceEpoch: Double
  ) -> (north: Double, east: Double, down: Double) {
    var (north, east, down) = (0.0, 0.0, 0.0)
    let table = WMM2025.coefficients
    let coefficients = table.span
    var row = 0
    // Order m: the diagonal function and its derivative by the latitude, the multiple of the longitude, and the power of the
    // ratio for degree m.
    var (diagonal, diagonalSlope) = (1.0, 0.0)
    let (stepSine, stepCosine) = (Math.sin(point.longitude), Math.cos(point.longitude))
    var (multipleSine, multipleCosine) = (0.0, 1.0)
    var orderPower = point.ratio * point.ratio
    for m in 0...WMM2025.degree {
      if m > 0 {
        let factor = m == 1 ? 1 : (Double(2 * m - 1) / Double(2 * m)).squareRoot()
        // Divided by the cosine from order 1 on: one factor of it is missing in the first step.
        (diagonal, diagonalSlope) =
          m == 1
          ? (1, 0) : (factor * point.cosine * diagonal, factor * (point.cosine * diagonalSlope - point.sine * diagonal))
        (multipleSine, multipleCosine) = (
          multipleSine * stepCosine + multipleCosine * stepSine, multipleCosine * stepCosine - multipleSine * stepSine
        )
        orderPower *= point.ratio
      }
      var (value, slope) = (diagonal, diagonalSlope)
      var (earlier, earlierSlope, earlierRoot) = (0.0, 0.0, 0.0)
      var power = orderPower
      for n in m...WMM2025.degree {
        if n > m {
          // P(n) = ((2n − 1) sin φ P(n − 1) − √((n − 1)² − m²) P(n − 2)) / √(n² − m²), and its derivative.
          let root = Double(n * n - m * m).squareRoot()
          let scale = Double(2 * n - 1)
          let next = (scale * point.sine * value - earlierRoot * earlier) / root
          let nextSlope = (scale * (point.cosine * value + point.sine * slope) - earlierRoot * earlierSlope) / root
          (earlier, earlierSlope, earlierRoot) = (value, slope, root)
          (value, slope) = (next, nextSlope)
          power *= point.ratio
        }
        guard n > 0 else { continue }
        let g = coefficients[row] + yearsSinceEpoch * coefficients[row + 2]
        let h = coefficients[row + 1] + yearsSinceEpoch * coefficients[row + 3]
        row += 4
        let along = g * multipleCosine + h * multipleSine
        if m == 0 {
          north -= power * along * slope
          down -= Double(n + 1) * power * along * value
        } else {
          north -= power * along * (point.cosine * slope - point.sine * value)
          east += power * Double(m) * (g * multipleSine - h * multipleCosine) * value
          down -= Double(n + 1) * power * along * value * point.cosine
        }
      }
    }
    return (north, east, down)
  }
}
