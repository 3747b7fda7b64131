import Geodesy

/// The continuous ranked probability score of a radius: one number, in metres, for error and radius together, which only
/// the truth can make small. A radius too large pays for its width, one too small for each surprise.
///
/// The claim is Rayleigh's distribution F of the error with σ = R68 / 1.515 (`RadiusScale`). The score of an error y is
/// ∫ (F(x) − [x ≥ y])² dx over x ≥ 0 (Gneiting and Raftery, "Strictly Proper Scoring Rules, Prediction, and Estimation",
/// 2007, section 4.2). With F(x) = 1 − exp(−x²/2σ²) that is
///
///     ∫₀^y (1 − 2 e^(−x²/2σ²)) dx + ∫₀^∞ e^(−x²/σ²) dx = y − σ √(2π) erf(y / σ√2) + σ √π / 2.
package enum RadiusScore {
  /// The score of one error in metres, ≥ 0, under a radius in metres, > 0; less is better.
  package static func score(errorMeters y: Double, radius68Meters: Double) -> Double {
    let σ = radius68Meters / RadiusScale.fromDeviation
    return y - σ * (2 * Double.pi).squareRoot() * Math.erf(y / (σ * 2.0.squareRoot())) + σ * Double.pi.squareRoot() / 2
  }

  /// The mean score of those answers that claimed a radius, metres; `nil`: none did.
  package static func mean(_ answers: some Sequence<JudgedPosition>) -> Double? {
    let scores = answers.compactMap { answer in
      answer.radius68Meters.map { score(errorMeters: answer.errorMeters, radius68Meters: $0) }
    }
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }
}
