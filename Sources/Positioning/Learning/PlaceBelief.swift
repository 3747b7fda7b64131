import Geodesy

/// Where an access point is, as far as its hearings tell: a normal distribution, in metres.
///
/// A hearing tells a distance, and so a ring around where it was made. That is not normal, nor is its product with what is normal: the new
/// belief has the mean and the covariance of that product, taken on a grid ("assumed density filtering": Minka, "A family of
/// algorithms for approximate Bayesian inference", 2001). What is only heard from one street so stays as uncertain across the street
/// as it is far from it.
struct PlaceBelief {
  /// East and north.
  var mean: SIMD2<Double>
  /// m².
  var covariance: Symmetric2

  /// Points of a grid along each axis, and half its width in standard deviations.
  private static let points = 9
  private static let halfWidth = 3.5
  /// Of its correlation, so that it stays positive definite when it is kept in seven digits.
  private static let greatestCorrelation = 0.99

  /// Takes a hearing at a place; `blur` is what may be added to the square of the distance, m².
  ///
  /// One that contradicts the belief may be an error, or it has moved by less than its range: it tells nothing but that one knows less.
  mutating func learn(
    _ distance: HeardDistance, from middle: SIMD2<Double>, blur: Double, _ tuning: PositioningTuning.Learning
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
      ).belief
    let least = tuning.leastDeviation * tuning.leastDeviation
    covariance.xx = max(least, covariance.xx)
    covariance.yy = max(least, covariance.yy)
  }

  /// Doubles its deviations, up to those of what was heard once.
  private mutating func doubt(_ tuning: PositioningTuning.Learning) {
    let most = tuning.firstDeviation * tuning.firstDeviation
    let factor = min(4, max(1, most / max(covariance.xx, covariance.yy)))
    covariance = Symmetric2(xx: factor * covariance.xx, xy: factor * covariance.xy, yy: factor * covariance.yy)
  }

  private var deviations: SIMD2<Double> { SIMD2(covariance.xx.squareRoot(), covariance.yy.squareRoot()) }

  /// What a hearing says of places.
  private struct Ring {
    let middle: SIMD2<Double>
    let distance: HeardDistance
    let blur: Double
    let selection: Double
  }

  /// The moments of the product over a rectangle, by the middles of its cells, and the greatest of its logarithms, about zero where
  /// both agree. In numbers of one axis, as this is most of what learning costs.
  private func product(
    with ring: Ring, from low: SIMD2<Double>, to high: SIMD2<Double>
  ) -> (belief: PlaceBelief, greatest: Double) {
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
    // In cells, from the middle.
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
    // Within a cell it is even.
    let xx = (squares.xx / total - x * x + 1 / 12) * step.x * step.x
    let yy = (squares.yy / total - y * y + 1 / 12) * step.y * step.y
    let limit = Self.greatestCorrelation * (xx * yy).squareRoot()
    let xy = min(limit, max(-limit, (squares.xy / total - x * y) * step.x * step.y))
    let belief = PlaceBelief(
      mean: (low + high) / 2 + SIMD2(x * step.x, y * step.y), covariance: Symmetric2(xx: xx, xy: xy, yy: yy))
    return (belief, greatest)
  }
}

/// How fast signals fall with the distance around here, as the scans of the last minute tell by themselves, without any place.
///
/// Of access points that are everywhere alike those within d are as d², so that what their signals have over a threshold is
/// exponential, with a mean of 10 n / (2 ln 10) dB, and shadows of any size leave it so: few weak ones beside the strong ones is a
/// small n ("Hill's estimator": Annals of Statistics 3, 1975). The same fact is in the solver's likelihood.
struct PathLossEstimate {
  private let tuning: PositioningTuning.Learning
  /// Sum of what the signals had over their thresholds, dB, and how many they were, the older ones less.
  private var excess = 0.0
  private var count = 0.0
  /// Of the last scan, dBm: what is weaker is not heard.
  private(set) var threshold: Double

  init(_ tuning: PositioningTuning.Learning) {
    self.tuning = tuning
    threshold = tuning.threshold
  }

  /// Takes the signals of a scan, dBm.
  mutating func hear(_ signals: [Double]) {
    guard let weakest = signals.min() else { return }
    // A driver that tells no more than so many leaves out the weaker ones.
    threshold = signals.count < tuning.fullScan ? min(weakest, tuning.threshold) : weakest
    excess = tuning.scanMemory * excess + signals.reduce(0) { $0 + min(tuning.greatestExcess, $1 - threshold) }
    count = tuning.scanMemory * count + Double(signals.count)
  }

  /// n.
  var exponent: Double {
    let exponents = tuning.exponents
    let mean = (exponents.lowerBound + exponents.upperBound) / 2
    let told = excess * 2 / PathLossPosterior.decibelsPerE
    return min(
      exponents.upperBound,
      max(exponents.lowerBound, (tuning.assumedSignals * mean + told) / (tuning.assumedSignals + count)))
  }
}
