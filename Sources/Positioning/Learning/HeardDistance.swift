import Geodesy

/// How far away an access point is that is heard so strong: the logarithm of its distance is normal, and cut off where it would be too
/// weak to be heard.
///
/// The model is the solver's (`PathLossPosterior`): s = P − 10 n log₁₀ d + e. Of access points that are far away only those are heard that
/// luck brings over the threshold, so that they seem nearer than they are. The likelihood of a signal that *was* heard,
/// N(s; d) / P[s > T | d], is free of that, but knows nothing of the many places where it was not heard; with a share of the
/// divisor, `selection`, both count.
package struct HeardDistance: Hashable, Sendable {
  /// Natural logarithm of the distance in metres: its median, and its standard deviation.
  package var logMeters: Double
  package var deviation: Double
  /// The same at which half of all are too weak to be heard; ≥ `logMeters`.
  package var logReach: Double
  /// Farther away it is not, whatever the exponent is, metres.
  package var limit: Double

  /// - Parameters:
  ///   - signal: dBm.
  ///   - threshold: what is weaker is not heard, dBm.
  ///   - exponent: of the path loss around here.
  package init(
    signal: Double, threshold: Double, exponent: Double, _ tuning: PositioningTuning.Learning = .init()
  ) {
    let slope = exponent * PathLossPosterior.decibelsPerE
    logMeters = (tuning.power - signal) / slope
    deviation = Math.hypot(tuning.shadowing / slope, tuning.exponentError * logMeters)
    let least = tuning.exponents.lowerBound * PathLossPosterior.decibelsPerE
    limit = Math.exp((tuning.power - signal + 4 * tuning.shadowing) / least)
    logReach = (tuning.power - min(signal, threshold)) / slope
  }

  /// Farther away it is not, metres.
  var farthest: Double { Math.exp(logReach + 3 * deviation) }

  /// Log of the likelihood of a distance, but for a constant.
  func logLikelihood(ofLog log: Double, selection: Double) -> Double {
    let off = (log - logMeters) / deviation
    return -off * off / 2 - selection * Self.logOfNormal((logReach - log) / deviation)
  }

  /// Log of the normal distribution function; far out by the first term of its tail, which is 0.04 too high at five deviations
  /// (Abramowitz, Stegun, 26.2.12).
  static func logOfNormal(_ x: Double) -> Double {
    guard x > -5 else { return -x * x / 2 - Math.log(-x * (2 * Double.pi).squareRoot()) }
    return Math.log((1 + Math.erf(x * 0.5.squareRoot())) / 2)
  }
}
