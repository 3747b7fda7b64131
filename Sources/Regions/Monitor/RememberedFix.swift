import Geodesy

/// What a crossing takes of a fix that has been.
struct RememberedFix: Sendable {
  var time: GNSSTime
  /// Of the surface, metres.
  var point: SIMD3<Double>
  /// Where its receiver itself said that it is.
  var heard: SIMD3<Double>
  /// Metres per second; `nil`: not known.
  var velocity: SIMD3<Double>?
  /// Metres that count beside it: nothing nearer to a border says on which side it is.
  var margin: Double
  /// Metres that say so without anything else.
  var sureMargin: Double
  /// Standard deviation of either coordinate, metres, and of what was heard.
  var deviation: Double
  var heardDeviation: Double
  /// Variance of either coordinate of what was heard, m², as it shows from one to the next.
  var jumps: Double
  /// When the first of its chain was.
  var chainStart: GNSSTime
  /// How far it has come by its speed since the first of its chain, metres.
  var displacement = SIMD3<Double>.zero
  /// Fixes follow each other in a chain while their speed tells how they got from one to the next.
  var chain = 0
  /// Whether it begins a chain because of a gap.
  var isAfterGap = false
}
