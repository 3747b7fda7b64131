package import Geodesy

/// The direction in which a device points, from one reading of its magnetometer.
package struct CompassHeading: Hashable, Sendable {
  /// The heading of the device's front (y axis) from magnetic north, 0..<360° clockwise.
  package let magneticDegrees: Double
  /// Standard deviation of the heading, degrees.
  package let standardDeviationDegrees: Double
  /// The Earth's field along the device's axes, µT.
  package let microtesla: SIMD3<Double>

  /// Additional standard deviation without an accelerometer, degrees: the device is assumed to be level.
  package static let unknownTiltDegrees = 15.0

  /// The heading of a reading; `nil` if the field has no horizontal component, if the front points up or down, or if the
  /// calibration does not determine the horizontal field in this direction, because the device was hardly turned.
  package init?(
    _ sample: MagnetometerSample, calibration: MagnetometerCalibration, noiseMicrotesla: Double,
    tiltNoise: Angle = Angle(radians: 0.02)
  ) {
    let field = calibration.corrected(sample.microtesla)
    let up = sample.up ?? SIMD3(0, 0, 1)
    let front = SIMD3<Double>(0, 1, 0)
    let horizontal = field - up * field.dot(up)
    let strength = horizontal.length
    guard
      strength > 0.5, let north = horizontal.unit, (front - up * front.dot(up)).length > 0.1
    else { return nil }
    let east = north.cross(up)
    // An uncertain strength means an uncertain direction too, which the linear propagation below does not contain.
    let ofStrength = Self.variance(of: north, sample.microtesla, calibration)
    guard ofStrength.squareRoot() < strength / 2 else { return nil }
    let degrees = Angle(radians: Math.atan2(front.dot(east), front.dot(north))).degrees
    magneticDegrees = degrees < 0 ? min(degrees + 360, 360.0.nextDown) : degrees
    microtesla = field
    let ofCalibration = Self.variance(of: east, sample.microtesla, calibration) / (strength * strength)
    let ofReading = (noiseMicrotesla / strength) * (noiseMicrotesla / strength)
    // A tilt error turns the heading by itself times the tangent of the inclination.
    let tilt = tiltNoise.radians * (field.dot(up) / strength)
    let radians = (ofCalibration + ofReading + (sample.up == nil ? 0 : tilt * tilt)).squareRoot()
    standardDeviationDegrees = Math.hypot(
      Angle(radians: radians).degrees, sample.up == nil ? Self.unknownTiltDegrees : 0)
  }

  /// Variance of the corrected field's component along `direction` that the calibration's covariance causes, µT².
  private static func variance(
    of direction: SIMD3<Double>, _ microtesla: SIMD3<Double>, _ calibration: MagnetometerCalibration
  ) -> Double {
    let size = MagnetometerCalibration.parameters
    let relative = microtesla - calibration.offsetMicrotesla
    let offset = calibration.softIronMatrix.times(direction)
    var row = [-offset.x, -offset.y, -offset.z]
    for (i, j) in MagnetometerCalibration.elements {
      row.append(direction[i] * relative[j] + (i == j ? 0 : direction[j] * relative[i]))
    }
    var sum = 0.0
    for i in 0..<size {
      for j in 0..<size { sum += row[i] * calibration.covariance[i * size + j] * row[j] }
    }
    return max(0, sum)
  }
}
