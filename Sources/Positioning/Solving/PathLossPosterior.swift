import Geodesy

/// The likelihood of a place, given the signals received there, and given that they were received.
///
/// The model is s = P − 10 n log₁₀ d + e: power P at one meter and exponent n are unknown, the same for all; P and e are normal.
/// Only signals above a threshold T are received: the number of access points received, and their distances, carry as much
/// information as their signals. The likelihood of N signals is therefore
///
///     ∏ N(sᵢ; P − 10 n log₁₀ dᵢ, σᵢ²) / Z(P, n)^N,   Z ∝ ∫ r P[s > T] dr ∝ exp(2 a (P − T) + 2 a² σ²),   a = ln 10 / (10 n)
///
/// for evenly spread access points. Without Z the weak ones that only chance lifted over the threshold draw the answer away from
/// all of them. In P this is normal again, and integrated in closed form; n takes some values. An access point whose own position
/// is uncertain by σ per axis is √(d² + 2σ²) away, and the nearer that distance is to σ, the less certain is its signal.
struct PathLossPosterior {
  let points: [AccessPointAnchor]
  /// Weights of the Student-t errors: how much each signal counts, 0…1.125.
  private var beliefs: [Double]
  /// Their sum.
  private var believed: Double
  /// dBm.
  private let threshold: Double
  private let exponents: [Exponent]
  private let tuning: PositioningTuning.Solving

  /// The answer of a grid.
  struct Moments {
    var mean: SIMD2<Double>
    /// m², the mean of both axes.
    var variance: Double
  }

  /// - Parameter threshold: weaker signals are not received, or not reported, dBm.
  init(_ points: [AccessPointAnchor], threshold: Double, _ tuning: PositioningTuning.Solving) {
    self.points = points
    beliefs = [Double](repeating: 1, count: points.count)
    believed = Double(points.count)
    self.threshold = threshold
    exponents = tuning.exponents.map { Exponent($0, tuning) }
    self.tuning = tuning
  }

  /// 10 log₁₀ d and the variance of the signal of a point, seen from `place`.
  private func seen(_ point: AccessPointAnchor, from place: SIMD2<Double>) -> (loss: Double, variance: Double) {
    let blur = 2 * point.variance
    let square = (point.place - place).squaredLength + blur + tuning.leastDistance * tuning.leastDistance
    let slope = tuning.exponent * Self.decibelsPerE
    return (Self.decibelsPerE / 2 * Math.log(square), point.signalVariance + slope * slope * blur / 2 / square)
  }

  /// 10 / ln 10.
  static let decibelsPerE = 4.342_944_819_032_518

  /// Weighted sums over the points: of one, the signal, the loss, and their products.
  private struct Sums {
    var one = 0.0
    var signal = 0.0
    var loss = 0.0
    var signals = 0.0
    var both = 0.0
    var losses = 0.0

    mutating func add(loss: Double, signal: Double, weight: Double) {
      one += weight
      self.signal += weight * signal
      self.loss += weight * loss
      signals += weight * signal * signal
      both += weight * signal * loss
      losses += weight * loss * loss
    }
  }

  /// Log of the likelihood of an exponent, up to a constant, and the power that maximizes it.
  private func fit(_ sums: Sums, _ exponent: Exponent) -> (logarithm: Double, power: Double) {
    let n = exponent.value
    // The weighted sum of the signals at one meter, s + n · loss, minus the threshold.
    let first = sums.signal + n * sums.loss - threshold * sums.one
    let second =
      sums.signals + 2 * n * sums.both + n * n * sums.losses
      - threshold * (2 * (sums.signal + n * sums.loss) - threshold * sums.one)
    let prior = 1 / (tuning.powerDeviation * tuning.powerDeviation)
    let expected = tuning.power - threshold
    let precision = prior + sums.one
    let pull = prior * expected + first - believed * 2 * exponent.slope
    let logarithm =
      exponent.prior - believed * exponent.width
      - (second + prior * expected * expected - pull * pull / precision + Math.log(precision)) / 2
    return (logarithm, threshold + pull / precision)
  }

  /// A path loss exponent.
  private struct Exponent {
    let value: Double
    /// a.
    let slope: Double
    /// 2 a² σ².
    let width: Double
    /// Log of its prior likelihood.
    let prior: Double

    init(_ value: Double, _ tuning: PositioningTuning.Solving) {
      self.value = value
      slope = 1 / (PathLossPosterior.decibelsPerE * value)
      width = 2 * slope * slope * tuning.shadowing * tuning.shadowing
      let off = (value - tuning.exponent) / tuning.exponentDeviation
      prior = -off * off / 2
    }
  }

  /// Log of the likelihood of a place, up to a constant.
  private func likelihood(of place: SIMD2<Double>) -> Double {
    var sums = Sums()
    var product = 1.0
    var logs = 0.0
    for (index, point) in points.enumerated() {
      let (loss, variance) = seen(point, from: place)
      let weight = beliefs[index] / variance
      sums.add(loss: loss, signal: point.signal, weight: weight)
      product *= weight
      if product < 1e-200 {
        logs += Math.log(product)
        product = 1
      }
    }
    return (logs + Math.log(product)) / 2 + logSum(sums)
  }

  /// The sum over all exponents.
  private func logSum(_ sums: Sums) -> Double {
    let logarithms = exponents.map { fit(sums, $0).logarithm }
    let greatest = logarithms.max() ?? 0
    return greatest + Math.log(logarithms.reduce(0) { $0 + Math.exp($1 - greatest) })
  }

  /// Mean and variance over a square grid.
  func moments(around middle: SIMD2<Double>, halfWidth: Double, points count: Int) -> Moments {
    let step = 2 * halfWidth / Double(count - 1)
    var logarithms = [Double](repeating: 0, count: count * count)
    func place(_ index: Int) -> SIMD2<Double> {
      middle + SIMD2(Double(index % count), Double(index / count)) * step - SIMD2(repeating: halfWidth)
    }
    for index in logarithms.indices { logarithms[index] = likelihood(of: place(index)) }
    let greatest = logarithms.max() ?? 0
    var (total, sum, squares) = (0.0, SIMD2<Double>.zero, 0.0)
    for index in logarithms.indices {
      let weight = Math.exp(logarithms[index] - greatest)
      let offset = place(index) - middle
      total += weight
      sum += offset * weight
      squares += offset.squaredLength * weight
    }
    let mean = sum / total
    return Moments(mean: middle + mean, variance: max(step * step / 12, (squares / total - mean.squaredLength) / 2))
  }

  /// The same at the time of the newest observation, as far as the ages of the others show how the machine moves.
  ///
  /// Least squares in the same model, linearized around the mean: the place and a velocity with a normal prior. The grid's
  /// estimate of the place is better, so that only the velocity is used, over the mean age of the points that determined the
  /// place.
  func moved(_ moments: Moments, speed: Double) -> Moments {
    let (exponent, power, seen) = best(at: moments.mean)
    var (still, aged, agedTwice) = (Symmetric2(), Symmetric2(), Symmetric2())
    var (pull, agedPull) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    for index in points.indices {
      let point = points[index]
      let offset = moments.mean - point.place
      // d s / d place.
      let slope = offset * (-exponent * Self.decibelsPerE / Math.exp(2 / Self.decibelsPerE * seen[index].loss))
      let weight = beliefs[index] / seen[index].variance
      let residual = point.signal - power + exponent * seen[index].loss
      still.add(slope, weight)
      aged.add(slope, weight * point.age)
      agedTwice.add(slope, weight * point.age * point.age)
      pull += slope * (weight * residual)
      agedPull += slope * (weight * residual * point.age)
    }
    // The machine was at place − age · velocity.
    let prior = 2 / max(0.01, speed * speed)
    still.add(diagonal: 1 / (tuning.greatestRange * tuning.greatestRange))
    let inverse = still.inverse
    let information = agedTwice.minus(aged.around(inverse)).plus(diagonal: prior)
    let covariance = information.inverse
    let velocity = covariance * (aged * (inverse * pull) - agedPull)
    let meanAge = (aged.xx + aged.yy) / (still.xx + still.yy)
    return Moments(
      mean: moments.mean + velocity * meanAge,
      variance: moments.variance + meanAge * meanAge * (covariance.xx + covariance.yy) / 2)
  }

  /// The likeliest exponent and power at a place, and the losses and variances of the points seen from there.
  private func best(at place: SIMD2<Double>) -> (
    exponent: Double, power: Double, seen: [(loss: Double, variance: Double)]
  ) {
    var sums = Sums()
    let seen = points.map { self.seen($0, from: place) }
    for index in points.indices {
      sums.add(
        loss: seen[index].loss, signal: points[index].signal, weight: beliefs[index] / seen[index].variance)
    }
    var (exponent, power, greatest) = (tuning.exponent, tuning.power, -Double.infinity)
    for candidate in exponents {
      let fit = fit(sums, candidate)
      if fit.logarithm > greatest { (exponent, power, greatest) = (candidate.value, fit.power, fit.logarithm) }
    }
    return (exponent, power, seen)
  }

  /// Reduces the weights of the signals that do not fit a place (Lange, Little, Taylor, "Robust statistical modeling using the
  /// t distribution", 1989).
  mutating func doubt(at place: SIMD2<Double>) {
    let (exponent, power, seen) = best(at: place)
    for index in points.indices {
      let residual = points[index].signal - power + exponent * seen[index].loss
      beliefs[index] = (tuning.freedom + 1) / (tuning.freedom + residual * residual / seen[index].variance)
    }
    believed = beliefs.reduce(0, +)
  }
}
