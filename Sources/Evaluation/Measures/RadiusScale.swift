/// From a radius that holds 68 % of the errors to one that holds another share.
///
/// Errors of one standard deviation σ in both directions, independent and normal, have a length that follows Rayleigh's
/// distribution: the share p lies within σ √(−2 ln(1 − p)) (Rayleigh 1880; Johnson, Kotz and Balakrishnan, "Continuous
/// Univariate Distributions" 1, 1994, chapter 18). "68 %" is 0.6827 here as everywhere: what one σ holds of a single normal
/// number. Receivers' errors have longer tails than that: R95 / R68 was measured at 1.62 to 1.96.
package enum RadiusScale {
  /// R50 / R68 = √(ln 0.5 / ln 0.3173).
  package static let to50 = 0.777_068_436_074_511_8
  /// R95 / R68 = √(ln 0.05 / ln 0.3173).
  package static let to95 = 1.615_466_800_222_932_7
  /// R68 / σ = √(−2 ln 0.3173).
  package static let fromDeviation = 1.515_194_760_017_979_8
  /// What is a bad surprise: an error beyond so many times the radius, which a true one would see in 3 of 100,000.
  package static let surprise = 3.0
}
