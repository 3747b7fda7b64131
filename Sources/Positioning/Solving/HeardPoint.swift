import Geodesy

/// An access point that was heard and whose place is known, in metres.
struct HeardPoint {
  /// East and north.
  var place: SIMD2<Double>
  /// Variance per axis of its place and of the way since, m².
  var variance: Double
  /// 68 % radius of its place, metres.
  var radius: Double
  /// Since it was heard, seconds, ≥ 0.
  var age: Double
  /// dBm.
  var signal: Double
  /// Variance of that, dB².
  var signalVariance: Double
}

extension SIMD2<Double> {
  var squaredLength: Double { x * x + y * y }
}
