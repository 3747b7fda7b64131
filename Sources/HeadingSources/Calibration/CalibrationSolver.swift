package import Geodesy

/// Determines the calibration of a magnetometer from readings in different attitudes: the most probable parameters (MAP) if the
/// Earth's field is known from the magnetic model.
///
/// Each reading has two residuals: the length of the corrected field minus F, and, with an accelerometer, its component along the
/// vertical minus −F sin I. The second one makes a level turn sufficient, where a fit of a sphere or of an ellipsoid has no
/// unique solution. The elements of S have a prior with a standard deviation of 0.08, the offset practically none.
package struct CalibrationSolver: Sendable {
  /// The field at the place of the readings.
  package let field: LocalMagneticField
  /// Standard deviation of a reading along one axis, µT.
  package let noiseMicrotesla: Double
  /// Standard deviation of the direction upward, radians.
  package let tiltNoiseRadians: Double

  /// A solver. Noise below 0.1 µT is taken as 0.1 µT: the model of the sensor is not more accurate than that.
  package init(field: LocalMagneticField, noiseMicrotesla: Double, tiltNoise: Angle = Angle(radians: 0.02)) {
    self.field = field
    self.noiseMicrotesla = max(noiseMicrotesla, 0.1)
    tiltNoiseRadians = tiltNoise.radians
  }

  /// Why there is no calibration.
  package enum Failure: Error, Hashable, Sendable {
    /// Fewer readings than `minimumSamples`.
    case tooFewSamples(Int)
    /// The readings differ too little: the device was hardly turned. The largest difference along an axis, µT.
    case tooLittleMotion(microtesla: Double)
    /// The best parameters do not explain the readings, for example because the field was disturbed: the mean square of the
    /// residuals, in units of the expected one.
    case readingsContradict(meanSquare: Double)
    /// The iteration did not end.
    case noConvergence
  }

  /// Readings below which no solution is tried: with nine parameters fewer would always fit.
  package static let minimumSamples = 12
  /// Standard deviation of the elements of S before any reading.
  private static let softIronPrior = 0.08
  /// Standard deviation of the offset before any reading, µT.
  private static let offsetPrior = 1000.0
  private static let maximumSteps = 300
  /// The mean square of the residuals above which a solution is rejected.
  private static let worstMeanSquare = 4.0

  /// The calibration that follows from `samples`, and from an earlier calibration whose covariance says how much it still counts.
  package func solve(
    _ samples: [MagnetometerSample], prior: MagnetometerCalibration? = nil
  ) throws(Failure) -> MagnetometerCalibration {
    guard samples.count >= Self.minimumSamples else { throw .tooFewSamples(samples.count) }
    let (low, high) = bounds(samples)
    // Errors of the accelerometer look like a turn of some degrees, so that less than a sixth of a turn proves nothing.
    let extent = (high - low).max()
    guard extent >= field.horizontalMicrotesla else { throw .tooLittleMotion(microtesla: extent) }
    let prior = prior.flatMap(Prior.init)
    var state = prior?.expected ?? Parameters(offset: start(samples), softIron: Array(repeating: 0, count: 6))
    var system = normalEquations(samples, at: state, prior)
    var damping = 1e-3
    var hasConverged = false
    // Levenberg and Marquardt: the damping makes each step reduce the cost.
    for _ in 0..<Self.maximumSteps where !hasConverged {
      guard let step = system.solved(damping: damping) else { throw .noConvergence }
      let candidate = state.moved(by: step)
      let next = normalEquations(samples, at: candidate, prior)
      if next.cost < system.cost {
        hasConverged = system.cost - next.cost < 1e-7 * (1 + next.cost)
        (state, system) = (candidate, next)
        damping = max(damping / 5, 1e-9)
      } else {
        hasConverged = damping > 1e8
        damping *= 10
      }
    }
    guard hasConverged, let covariance = system.inverse() else { throw .noConvergence }
    let meanSquare = system.squares / Double(max(1, system.residuals - MagnetometerCalibration.parameters))
    guard meanSquare < Self.worstMeanSquare else { throw .readingsContradict(meanSquare: meanSquare) }
    // Residuals above the expected ones mean that the sensor is worse than assumed.
    let scale = max(1, meanSquare)
    return MagnetometerCalibration(
      offsetMicrotesla: state.offset, softIron: state.softIron, covariance: covariance.map { $0 * scale })
  }

  /// The smallest and the largest reading along each axis.
  private func bounds(_ samples: [MagnetometerSample]) -> (low: SIMD3<Double>, high: SIMD3<Double>) {
    samples.reduce((low: samples[0].microtesla, high: samples[0].microtesla)) { bounds, sample in
      (pointwiseMin(bounds.low, sample.microtesla), pointwiseMax(bounds.high, sample.microtesla))
    }
  }

  /// A first offset: the center of the readings, moved along the mean vertical until the vertical component is right.
  private func start(_ samples: [MagnetometerSample]) -> SIMD3<Double> {
    let (low, high) = bounds(samples)
    var (vertical, count) = (0.0, 0.0)
    var mean = SIMD3<Double>.zero
    for sample in samples {
      guard let up = sample.up else { continue }
      vertical += sample.microtesla.dot(up)
      mean += up
      count += 1
    }
    let center = (low + high) / 2
    // In a full tumble the verticals cancel, and the center needs no correction.
    guard count > 0, let direction = mean.unit, (mean / count).length > 0.8 else { return center }
    return center + direction * (vertical / count + field.microtesla * field.inclinationSine - center.dot(direction))
  }

  /// Offset and soft iron during the iteration.
  private struct Parameters {
    var offset: SIMD3<Double>
    var softIron: [Double]

    func moved(by step: [Double]) -> Parameters {
      Parameters(
        offset: offset + SIMD3(step[0], step[1], step[2]), softIron: zip(softIron, step[3...]).map { $0 + $1 })
    }
  }

  /// An earlier calibration as a prior: it replaces the general one.
  private struct Prior {
    let expected: Parameters
    let information: [Double]

    init?(_ calibration: MagnetometerCalibration) {
      let size = MagnetometerCalibration.parameters
      guard let information = NormalEquations.inverse(of: calibration.covariance, size: size) else { return nil }
      expected = Parameters(offset: calibration.offsetMicrotesla, softIron: calibration.softIron)
      self.information = information
    }

    func deviations(of state: Parameters) -> [Double] {
      let offset = state.offset - expected.offset
      return [offset.x, offset.y, offset.z] + zip(state.softIron, expected.softIron).map { $0 - $1 }
    }
  }

  private func normalEquations(
    _ samples: [MagnetometerSample], at state: Parameters, _ prior: Prior?
  ) -> NormalEquations {
    var equations = NormalEquations(size: MagnetometerCalibration.parameters)
    let matrix = SymmetricMatrix(identityPlus: state.softIron)
    var row = Array(repeating: 0.0, count: MagnetometerCalibration.parameters)
    let tilt = field.horizontalMicrotesla * tiltNoiseRadians
    let verticalNoise = Math.hypot(noiseMicrotesla, tilt)
    for sample in samples {
      let relative = sample.microtesla - state.offset
      let corrected = matrix.times(relative)
      let length = corrected.length
      guard length > 0 else { continue }
      derivative(along: corrected / length, relative, matrix, into: &row)
      equations.add(row, residual: length - field.microtesla, standardDeviation: noiseMicrotesla)
      guard let up = sample.up else { continue }
      derivative(along: up, relative, matrix, into: &row)
      equations.add(
        row, residual: corrected.dot(up) + field.microtesla * field.inclinationSine, standardDeviation: verticalNoise)
    }
    if let prior {
      equations.add(prior: prior.deviations(of: state), information: prior.information)
      return equations
    }
    for index in 0..<3 { equations.add(prior: index, deviation: 0, standardDeviation: Self.offsetPrior) }
    for index in 0..<6 {
      equations.add(prior: 3 + index, deviation: state.softIron[index], standardDeviation: Self.softIronPrior)
    }
    return equations
  }

  /// The derivatives of the corrected field's component along `direction` by the nine parameters.
  private func derivative(
    along direction: SIMD3<Double>, _ relative: SIMD3<Double>, _ matrix: SymmetricMatrix, into row: inout [Double]
  ) {
    let offset = matrix.times(direction)
    for axis in 0..<3 { row[axis] = -offset[axis] }
    for (index, (i, j)) in MagnetometerCalibration.elements.enumerated() {
      row[3 + index] = direction[i] * relative[j] + (i == j ? 0 : direction[j] * relative[i])
    }
  }
}
