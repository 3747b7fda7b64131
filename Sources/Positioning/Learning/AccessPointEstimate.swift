import Geodesy

/// The estimated position of an access point from its observations: a normal distribution, in meters.
///
/// An observation gives a distance, and so a ring around its place. A ring is not normal, nor is its product with a
/// normal distribution: the new estimate has the mean and the covariance of that product, computed on a grid ("assumed
/// density filtering": Minka, "A family of algorithms for approximate Bayesian inference", 2001). An access point that
/// is received from one street only therefore stays uncertain across the street, by as much as its distance from the
/// street.
struct AccessPointEstimate {
  /// East and north.
  var mean: SIMD2<Double>
  /// m².
  var covariance: Symmetric2

  /// Points of a grid along each axis, and half its width in standard deviations.
  private static let points = 9
  private static let halfWidth = 3.5
  /// Greatest correlation, so that the covariance stays positive definite when it is stored in seven digits.
  private static let greatestCorrelation = 0.99

  /// Updates the estimate with an observation at a place; `blur` is added to the square of the distance, m².
  ///
  /// An observation that contradicts the estimate may be an error, or the access point has moved by less than its
  /// range: therefore the observation only widens the estimate.
  mutating func learn(
    _ distance: SignalDistance, from middle: SIMD2<Double>, blur: Double, _ tuning: PositioningTuning.Learning
  ) {
    let ring = Ring(middle: middle, distance: distance, blur: blur, selection: tuning.selection)
    let reach = SIMD2<Double>(repeating: distance.farthest)
    let own = Self.halfWidth * deviations
    let low = pointwiseMax(mean - own, middle - reach)
    let high = pointwiseMin(mean + own, middle + reach)
    guard low.x < high.x, low.y < high.y else { return doubt(tuning) }
    let (coarse, greatest) = product(with: ring, from: low, to: high)
    guard greatest >= -tuning.greatestSurprise else { return doubt(tuning) }
    let half = Self.halfWidth * coarse.deviations
    self =
      product(
        with: ring, from: pointwiseMax(low, coarse.mean - half), to: pointwiseMin(high, coarse.mean + half)
      ).estimate
    let least = tuning.leastDeviation * tuning.leastDeviation
    covariance.xx = max(least, covariance.xx)
    covariance.yy = max(least, covariance.yy)
  }

  /// Doubles the deviations, up to `firstDeviation`, that of the prior.
  private mutating func doubt(_ tuning: PositioningTuning.Learning) {
    let most = tuning.firstDeviation * tuning.firstDeviation
    let factor = min(4, max(1, most / max(covariance.xx, covariance.yy)))
    covariance = Symmetric2(xx: factor * covariance.xx, xy: factor * covariance.xy, yy: factor * covariance.yy)
  }

  private var deviations: SIMD2<Double> { SIMD2(covariance.xx.squareRoot(), covariance.yy.squareRoot()) }

  /// The likelihood of positions for one observation.
  private struct Ring {
    let middle: SIMD2<Double>
    let distance: SignalDistance
    let blur: Double
    let selection: Double
  }

  /// The moments of the product over a rectangle, by the centers of its cells, and the greatest logarithm of the
  /// product, which is about zero if both factors agree. Uses scalars for each axis instead of vectors, because this is
  /// most of the cost of learning.
  private func product(
    with ring: Ring, from low: SIMD2<Double>, to high: SIMD2<Double>
  ) -> (estimate: AccessPointEstimate, greatest: Double) {
    let information = covariance.inverse
    let step = (high - low) / Double(Self.points)
    var logarithms = [Double](repeating: 0, count: Self.points * Self.points)
    var greatest = -Double.infinity
    var index = 0
    for row in 0..<Self.points {
      let y = low.y + (Double(row) + 0.5) * step.y
      let (up, away) = (y - mean.y, y - ring.middle.y)
      for column in 0..<Self.points {
        let x = low.x + (Double(column) + 0.5) * step.x
        let (right, aside) = (x - mean.x, x - ring.middle.x)
        let believed = information.xx * right * right + 2 * information.xy * right * up + information.yy * up * up
        let log = Math.log(aside * aside + away * away + ring.blur) / 2
        logarithms[index] = ring.distance.logLikelihood(ofLog: log, selection: ring.selection) - believed / 2
        greatest = max(greatest, logarithms[index])
        index += 1
      }
    }
    // In cells, from the center.
    var (total, sumX, sumY, squares) = (0.0, 0.0, 0.0, Symmetric2())
    let half = Double(Self.points - 1) / 2
    index = 0
    for row in 0..<Self.points {
      let y = Double(row) - half
      for column in 0..<Self.points {
        let x = Double(column) - half
        let weight = Math.exp(logarithms[index] - greatest)
        total += weight
        sumX += weight * x
        sumY += weight * y
        squares.xx += weight * x * x
        squares.xy += weight * x * y
        squares.yy += weight * y * y
        index += 1
      }
    }
    let (x, y) = (sumX / total, sumY / total)
    // The density within a cell is uniform.
    let xx = (squares.xx / total - x * x + 1 / 12) * step.x * step.x
    let yy = (squares.yy / total - y * y + 1 / 12) * step.y * step.y
    let limit = Self.greatestCorrelation * (xx * yy).squareRoot()
    let xy = min(limit, max(-limit, (squares.xy / total - x * y) * step.x * step.y))
    let estimate = AccessPointEstimate(
      mean: (low + high) / 2 + SIMD2(x * step.x, y * step.y), covariance: Symmetric2(xx: xx, xy: xy, yy: yy))
    return (estimate, greatest)
  }
}

/// Estimates the local path loss exponent from about the last ten scans alone, without any position.
///
/// If access points are spread evenly, their number within d grows as d², so that the excess of their signals over a threshold is
/// exponential, with a mean of 10 n / (2 ln 10) dB, and shadowing of any size leaves it so: few weak signals relative to the
/// strong ones mean a small n ("Hill's estimator": Annals of Statistics 3, 1975). The solver's likelihood uses the same fact.
struct PathLossEstimate {
  private let tuning: PositioningTuning.Learning
  /// Sum of the signals' excesses over their thresholds, dB, and the number of signals; older ones weigh less.
  private var excess = 0.0
  private var count = 0.0
  /// Threshold of the last scan, dBm: weaker signals are not received.
  private(set) var threshold: Double

  init(_ tuning: PositioningTuning.Learning) {
    self.tuning = tuning
    threshold = tuning.threshold
  }

  /// Adds the signals of a scan, dBm.
  mutating func add(_ signals: [Double]) {
    guard let weakest = signals.min() else { return }
    // A driver that reports a limited number leaves out the weaker ones.
    threshold = signals.count < tuning.fullScan ? min(weakest, tuning.threshold) : weakest
    excess = tuning.scanMemory * excess + signals.reduce(0) { $0 + min(tuning.greatestExcess, $1 - threshold) }
    count = tuning.scanMemory * count + Double(signals.count)
  }

  /// The exponent n.
  var exponent: Double {
    let exponents = tuning.exponents
    let mean = (exponents.lowerBound + exponents.upperBound) / 2
    let reported = excess * 2 / PathLossPosterior.decibelsPerE
    return min(
      exponents.upperBound,
      max(exponents.lowerBound, (tuning.assumedSignals * mean + reported) / (tuning.assumedSignals + count)))
  }
}
