package import Geodesy

/// One estimate of all positions that come in.
package struct Estimator: Sendable {
  /// An estimator that knows nothing yet.
  package init() {}

  /// Takes the next position; `nil` where it is not used: a repeat, out of order, or not a position at all.
  package mutating func handle(_ fix: PositionFix, at now: Instant) -> Estimate? {
    Estimate(causal: fix, lagged: nil)
  }
}
