/// The receiver's time minus the raw clock as a line: its level now and its slope, with their uncertainty.
///
/// It is a Kalman filter of two states. The fastest quarter of a window of 16 samples scatters by a third of the jitter; the raw clock
/// is so regular that the line averages many windows, and follows the clock nevertheless.
struct OffsetLine: Sendable {
  /// The raw clock's largest usual error of rate, as a standard deviation: crystals of computers are specified with ±50 ppm.
  static let slopeDeviation = 40e-6
  /// The wander of its rate, per second: about 1 ppm in 1000 s, from changes of temperature.
  static let slopeNoise = 1e-15
  /// The wander of the receiver's delay, seconds² per second: 10 µs in a second.
  static let levelNoise = 1e-10

  /// The level in seconds, at the time of the latest `advance`.
  private(set) var level: Double
  /// Seconds per second.
  private(set) var slope = 0.0
  private var levelVariance: Double
  private var covariance = 0.0
  private var slopeVariance = slopeDeviation * slopeDeviation

  /// A line through its first measurement, with an unknown slope.
  init(level: Double, variance: Double) {
    self.level = level
    levelVariance = variance
  }

  /// The standard deviation of the level, seconds.
  var levelDeviation: Double { levelVariance.squareRoot() }

  /// Moves the line's reference point by `seconds` ≥ 0.
  mutating func advance(by seconds: Double) {
    level += slope * seconds
    levelVariance +=
      2 * seconds * covariance + seconds * seconds * slopeVariance + Self.levelNoise * seconds
      + Self.slopeNoise * seconds * seconds * seconds / 3
    covariance += seconds * slopeVariance + Self.slopeNoise * seconds * seconds / 2
    slopeVariance += Self.slopeNoise * seconds
  }

  /// Changes the reference of the level, because differences are counted from another reference now.
  mutating func shiftLevel(by seconds: Double) { level += seconds }

  /// Handles a measurement at `seconds` (≤ 0) from the reference point. Returns the difference to the line, in units of its standard
  /// deviation.
  @discardableResult
  mutating func measure(_ value: Double, at seconds: Double, variance: Double) -> Double {
    let withLevel = levelVariance + seconds * covariance
    let withSlope = covariance + seconds * slopeVariance
    let total = withLevel + seconds * withSlope + variance
    let innovation = value - level - slope * seconds
    guard total > 0 else { return 0 }
    let (levelGain, slopeGain) = (withLevel / total, withSlope / total)
    level += levelGain * innovation
    slope += slopeGain * innovation
    levelVariance = max(0, levelVariance - levelGain * withLevel)
    covariance -= levelGain * withSlope
    slopeVariance = max(0, slopeVariance - slopeGain * withSlope)
    return innovation / total.squareRoot()
  }
}
