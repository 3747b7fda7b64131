import Geodesy

/// The continuous ranked probability score of a radius: one number, in meters, that rates error and radius together. For given
/// errors a calibrated radius has the smallest score: a larger one is penalized for its width, a smaller one for each error
/// outside it.
///
/// A radius predicts Rayleigh's distribution F of the error with σ = R68 / 1.515 (`RadiusScale`). The score of an error y is
/// ∫ (F(x) − [x ≥ y])² dx over x ≥ 0 (Gneiting and Raftery, "Strictly Proper Scoring Rules, Prediction, and Estimation",
/// 2007, section 4.2). With F(x) = 1 − exp(−x²/2σ²) that is
///
///     ∫₀^y (1 − 2 e^(−x²/2σ²)) dx + ∫₀^∞ e^(−x²/σ²) dx = y − σ √(2π) erf(y / σ√2) + σ √π / 2.
package enum RadiusScore {
  /// The score of one error in meters, ≥ 0, for a radius in meters, > 0; less is better.
  package static func score(errorMeters y: Double, radius68Meters: Double) -> Double {
    let σ = radius68Meters / RadiusScale.fromDeviation
    return y - σ * (2 * Double.pi).squareRoot() * Math.erf(y / (σ * 2.0.squareRoot())) + σ * Double.pi.squareRoot() / 2
  }

  /// The mean score of the answers that have a radius, meters; `nil` if none has.
  package static func mean(_ answers: some Sequence<EvaluatedPosition>) -> Double? {
    let scores = answers.compactMap { answer in
      answer.radius68Meters.map { score(errorMeters: answer.errorMeters, radius68Meters: $0) }
    }
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }
}

/// Factors that convert a radius with 68 % of the errors into one with another share.
///
/// Errors of one standard deviation σ in both directions, independent and normal, have a length that follows Rayleigh's
/// distribution: the share p lies within σ √(−2 ln(1 − p)) (Rayleigh 1880; Johnson, Kotz and Balakrishnan, "Continuous
/// Univariate Distributions" 1, 1994, chapter 18). "68 %" is 0.6827 here as everywhere: the share of a normal
/// distribution within one σ. Receivers' errors have longer tails: R95 / R68 was measured at 1.62 to 1.96.
package enum RadiusScale {
  /// R50 / R68 = √(ln 0.5 / ln 0.3173).
  package static let to50 = 0.777_068_436_074_511_8
  /// R95 / R68 = √(ln 0.05 / ln 0.3173).
  package static let to95 = 1.615_466_800_222_932_7
  /// R68 / σ = √(−2 ln 0.3173).
  package static let fromDeviation = 1.515_194_760_017_979_8
  /// Errors beyond this multiple of the radius are outliers: a calibrated radius would have 3 of them in 100,000.
  package static let surprise = 3.0
}

/// How often the true position was inside the radius, for a fifth of the answers with radii of similar size.
///
/// A constant radius can hold 68 % of all errors and still be useless: it holds nearly all of the small errors and hardly
/// any of the large ones. A calibrated radius holds 68 % in every fifth.
package struct RadiusQuintile: Hashable, Sendable {
  /// The smallest radius of the fifth, meters.
  package let smallestMeters: Double
  /// The largest radius of the fifth, meters.
  package let largestMeters: Double
  /// The coverage of the radii of this fifth.
  package let coverage: Coverage

  /// The fifths of answers by their radius, smallest first, as equal in number as possible; fewer than five fifths if there
  /// are fewer than five answers. Equal radii keep the order of the answers.
  package static func all(of answers: some Sequence<EvaluatedPosition>) -> [RadiusQuintile] {
    let sorted = answers.compactMap { answer in answer.radius68Meters.map { (radius: $0, answer: answer) } }
      .sorted { $0.radius < $1.radius }
    return (0..<5).compactMap { fifth in
      let part = sorted[(sorted.count * fifth / 5)..<(sorted.count * (fifth + 1) / 5)]
      guard let first = part.first, let last = part.last, let coverage = Coverage(part.map(\.answer)) else {
        return nil
      }
      return RadiusQuintile(smallestMeters: first.radius, largestMeters: last.radius, coverage: coverage)
    }
  }
}

/// How often the true position was inside the reported radius.
package struct Coverage: Hashable, Sendable {
  /// The number of answers with a radius.
  package let count: Int
  /// The share of the errors inside the radius scaled to 50 % (`RadiusScale`), 0…1; 0.5 if calibrated.
  package let inside50: Double
  /// The share of the errors inside the radius, 0…1; 0.68 if calibrated.
  package let inside68: Double
  /// The share of the errors inside the radius scaled to 95 %, 0…1; 0.95 if calibrated.
  package let inside95: Double
  /// The share of the errors beyond three times the radius, 0…1.
  package let beyond3: Double

  /// The coverage of the answers that have a radius; `nil` if none has.
  package init?(_ answers: some Sequence<EvaluatedPosition>) {
    let ratios = answers.compactMap { answer in answer.radius68Meters.map { answer.errorMeters / $0 } }
    guard !ratios.isEmpty else { return nil }
    count = ratios.count
    func share(_ isCounted: (Double) -> Bool) -> Double {
      Double(ratios.count(where: isCounted)) / Double(ratios.count)
    }
    inside50 = share { $0 <= RadiusScale.to50 }
    inside68 = share { $0 <= 1 }
    inside95 = share { $0 <= RadiusScale.to95 }
    beyond3 = share { $0 > RadiusScale.surprise }
  }
}
