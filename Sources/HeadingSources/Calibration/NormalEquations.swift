/// The normal equations of a least-squares problem with few parameters: each residual with its derivatives is added, then the
/// system is solved by Cholesky's method.
struct NormalEquations {
  private let size: Int
  /// JᵀJ by rows, its lower triangle, and Jᵀr.
  private var matrix: [Double]
  private var gradient: [Double]
  /// The sum of the squared residuals of measurements, in units of their standard deviations, and their number.
  private(set) var squares = 0.0
  private(set) var residuals = 0
  /// The same sum with the priors.
  private(set) var cost = 0.0

  /// A system of `size` parameters without residuals.
  init(size: Int) {
    self.size = size
    matrix = Array(repeating: 0, count: size * size)
    gradient = Array(repeating: 0, count: size)
  }

  /// Adds the residual of a measurement with its derivatives by the parameters.
  mutating func add(_ derivatives: [Double], residual: Double, standardDeviation: Double) {
    let weight = 1 / (standardDeviation * standardDeviation)
    for i in 0..<size {
      let scaled = derivatives[i] * weight
      gradient[i] += scaled * residual
      for j in 0...i { matrix[i * size + j] += scaled * derivatives[j] }
    }
    squares += residual * residual * weight
    cost += residual * residual * weight
    residuals += 1
  }

  /// Adds what is known about one parameter without measurements: its deviation from the expected value.
  mutating func add(prior index: Int, deviation: Double, standardDeviation: Double) {
    let weight = 1 / (standardDeviation * standardDeviation)
    matrix[index * size + index] += weight
    gradient[index] += weight * deviation
    cost += weight * deviation * deviation
  }

  /// Adds what is known about all parameters together: their deviations from the expected values, and the inverse of their
  /// covariance by rows.
  mutating func add(prior deviations: [Double], information: [Double]) {
    for i in 0..<size {
      var sum = 0.0
      for j in 0..<size {
        sum += information[i * size + j] * deviations[j]
        if j <= i { matrix[i * size + j] += information[i * size + j] }
      }
      gradient[i] += sum
      cost += deviations[i] * sum
    }
  }

  /// The inverse of a symmetric, positive definite matrix given by rows; `nil` if it is not.
  static func inverse(of matrix: [Double], size: Int) -> [Double]? {
    var equations = NormalEquations(size: size)
    equations.matrix = matrix
    return equations.inverse()
  }

  /// The step toward the minimum, with the diagonal enlarged by the factor 1 + `damping`; `nil` if the system is singular.
  func solved(damping: Double) -> [Double]? {
    guard let root = factored(damping: damping) else { return nil }
    return substitute(gradient.map { -$0 }, in: root)
  }

  /// The inverse matrix by rows, which is the covariance of the parameters; `nil` if the system is singular.
  func inverse() -> [Double]? {
    guard let root = factored(damping: 0) else { return nil }
    var inverse = Array(repeating: 0.0, count: size * size)
    for column in 0..<size {
      var unit = Array(repeating: 0.0, count: size)
      unit[column] = 1
      for (row, value) in substitute(unit, in: root).enumerated() { inverse[row * size + column] = value }
    }
    return inverse
  }

  /// Cholesky's lower triangle.
  private func factored(damping: Double) -> [Double]? {
    var root = matrix
    for i in 0..<size { root[i * size + i] *= 1 + damping }
    for j in 0..<size {
      for k in 0..<j { root[j * size + j] -= root[j * size + k] * root[j * size + k] }
      let pivot = root[j * size + j]
      guard pivot > 0, pivot.isFinite else { return nil }
      root[j * size + j] = pivot.squareRoot()
      for i in j + 1..<max(size, j + 1) {
        for k in 0..<j { root[i * size + j] -= root[i * size + k] * root[j * size + k] }
        root[i * size + j] /= root[j * size + j]
      }
    }
    return root
  }

  private func substitute(_ right: [Double], in root: [Double]) -> [Double] {
    var x = right
    for i in 0..<size {
      for k in 0..<i { x[i] -= root[i * size + k] * x[k] }
      x[i] /= root[i * size + i]
    }
    for i in (0..<size).reversed() {
      for k in i + 1..<max(size, i + 1) { x[i] -= root[k * size + i] * x[k] }
      x[i] /= root[i * size + i]
    }
    return x
  }
}
