package import Geodesy

/// A reading of a magnetometer, and the direction upward at the same moment.
package struct MagnetometerSample: Hashable, Sendable {
  /// The field along the device's axes, µT, without any correction: x to the right, y toward the front, z upward.
  package let microtesla: SIMD3<Double>
  /// The unit vector opposite to gravity, along the same axes; `nil` without an accelerometer.
  package let up: SIMD3<Double>?

  /// A reading. `acceleration` is what an accelerometer at rest measures, in any unit: it points upward.
  package init(microtesla: SIMD3<Double>, acceleration: SIMD3<Double>?) {
    self.microtesla = microtesla
    up = acceleration.flatMap { $0.unit }
  }
}

/// The field at a place, as far as a calibration needs it.
package struct LocalMagneticField: Hashable, Sendable {
  /// Total intensity F, µT.
  package let microtesla: Double
  /// Sine of the inclination; positive in the northern magnetic hemisphere.
  package let inclinationSine: Double

  /// A field of the given intensity and inclination.
  package init(microtesla: Double, inclination: Angle) {
    self.microtesla = microtesla
    inclinationSine = Math.sin(inclination.radians)
  }

  /// The field of the model.
  package init(_ field: MagneticField) {
    self.init(microtesla: field.totalNanotesla / 1000, inclination: field.inclination)
  }

  /// Horizontal intensity H, µT.
  package var horizontalMicrotesla: Double {
    microtesla * max(0, 1 - inclinationSine * inclinationSine).squareRoot()
  }
}

/// What a magnetometer measures in addition to the Earth's field, and how certain that is.
///
/// The magnets of a device add a constant vector, the offset ("hard iron"); its iron bends the field ("soft iron"). The Earth's
/// field is (1 + S)(m − b), with the reading m, the offset b, and a symmetric matrix S.
package struct MagnetometerCalibration: Hashable, Sendable {
  /// The offset b, µT.
  package var offsetMicrotesla: SIMD3<Double>
  /// The upper triangle of S by rows: xx, xy, xz, yy, yz, zz. Without unit.
  package var softIron: [Double]
  /// Covariance of the three offsets and the six elements of S, row by row, 9 × 9.
  package var covariance: [Double]

  /// The number of parameters.
  static let parameters = 9
  /// Row and column of each element of S.
  static let elements = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]

  /// The Earth's field that follows from a reading, µT.
  package func corrected(_ microtesla: SIMD3<Double>) -> SIMD3<Double> {
    softIronMatrix.times(microtesla - offsetMicrotesla)
  }

  /// The same calibration some time later: magnets and currents nearby change, by 1 µT² per hour along each axis.
  package func aged(by age: Duration) -> MagnetometerCalibration {
    var aged = self
    let hours = max(0, Double(age.components.seconds) / 3600)
    for axis in 0..<3 { aged.covariance[axis * Self.parameters + axis] += hours }
    return aged
  }

  /// Sum of the variances of the three offsets, µT².
  package var offsetVariance: Double {
    (0..<3).map { covariance[$0 * Self.parameters + $0] }.reduce(0, +)
  }

  /// The matrix 1 + S.
  var softIronMatrix: SymmetricMatrix { SymmetricMatrix(identityPlus: softIron) }
}

/// A symmetric matrix of three rows.
struct SymmetricMatrix {
  private let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// 1 + S, with the upper triangle of S by rows.
  init(identityPlus s: [Double]) {
    rows = (SIMD3(1 + s[0], s[1], s[2]), SIMD3(s[1], 1 + s[3], s[4]), SIMD3(s[2], s[4], 1 + s[5]))
  }

  /// The product with a vector; the matrix equals its transpose.
  func times(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(rows.0.dot(v), rows.1.dot(v), rows.2.dot(v)) }
}

extension SIMD3<Double> {
  /// The scalar product.
  func dot(_ other: Self) -> Double { (self * other).sum() }

  /// The vector product.
  func cross(_ o: Self) -> Self { Self(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x) }

  /// The length.
  var length: Double { dot(self).squareRoot() }

  /// The direction; `nil` for a vector that is zero or not finite.
  var unit: Self? {
    let length = length
    return length > 0 && length.isFinite ? self / length : nil
  }
}
