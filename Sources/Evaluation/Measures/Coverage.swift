/// How often the truth was within what was claimed.
package struct Coverage: Hashable, Sendable {
  /// How many answers claimed a radius.
  package let count: Int
  /// The share of the errors inside the radius scaled to 50 % (`RadiusScale`), 0…1; a true radius has 0.5.
  package let inside50: Double
  /// The share of the errors inside the radius, 0…1; a true radius has 0.68.
  package let inside68: Double
  /// The share of the errors inside the radius scaled to 95 %, 0…1; a true radius has 0.95.
  package let inside95: Double
  /// The share of the errors beyond three times the radius, 0…1.
  package let beyond3: Double

  /// The coverage of those answers that claimed a radius; `nil`: none did.
  package init?(_ answers: some Sequence<JudgedPosition>) {
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
