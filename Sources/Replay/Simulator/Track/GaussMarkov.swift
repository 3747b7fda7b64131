import Geodesy

/// A first-order Gauss–Markov process of standard deviation 1: each value keeps e^(−Δt/τ) of the one before, and the rest is
/// new (Gelb, "Applied Optimal Estimation", 1974, section 2.2).
struct GaussMarkov: Hashable, Sendable {
  /// The time τ after which 1/e is kept.
  let timeConstant: Duration
  private var value: Double?

  init(timeConstant: Duration) { self.timeConstant = timeConstant }

  /// The value `step` after the one before, made of a normal number `fresh` of standard deviation 1.
  mutating func next(after step: Duration, _ fresh: Double) -> Double {
    guard let value else {
      self.value = fresh
      return fresh
    }
    let kept = Math.exp(-step.inSeconds / timeConstant.inSeconds)
    let next = kept * value + (1 - kept * kept).squareRoot() * fresh
    self.value = next
    return next
  }
}
