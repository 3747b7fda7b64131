/// How often the truth was inside the radius among those answers whose radius is of one size.
///
/// A radius that is always the same can hold 68 % of all errors and say nothing: it holds nearly all of the small ones
/// and hardly any of the large. A true one holds 68 % wherever one looks.
package struct RadiusFifth: Hashable, Sendable {
  /// The smallest radius of the fifth, metres.
  package let smallestMeters: Double
  /// The largest radius of the fifth, metres.
  package let largestMeters: Double
  /// What is inside the radii of this fifth.
  package let coverage: Coverage

  /// The fifths of answers by their radius, smallest first, as equal in number as can be: fewer than five where there are
  /// fewer than five answers. Equal radii are told apart by nothing but the order of the answers.
  package static func all(of answers: some Sequence<JudgedPosition>) -> [RadiusFifth] {
    let sorted = answers.compactMap { answer in answer.radius68Meters.map { (radius: $0, answer: answer) } }
      .sorted { $0.radius < $1.radius }
    return (0..<5).compactMap { fifth in
      let part = sorted[(sorted.count * fifth / 5)..<(sorted.count * (fifth + 1) / 5)]
      guard let first = part.first, let last = part.last, let coverage = Coverage(part.map(\.answer)) else {
        return nil
      }
      return RadiusFifth(smallestMeters: first.radius, largestMeters: last.radius, coverage: coverage)
    }
  }
}
