extension Tuning {
  /// Constants of the 68 % radii.
  ///
  /// A track's errors are no independent draws (1,100 fixes in Nagoya are worth some tens), so nothing here is the optimum
  /// of a fit. The form is a sum of squares: a share of what the filter says of itself, what was taken back of its answers
  /// of late, and what all satellites have in common and no average takes out, which is `assumed`. The shares are round
  /// numbers, the same for Nagoya, its thinned and cut variants, and simulated canyons; see `Fusion.docc/Radius.md`.
  package struct Radius: Hashable, Sendable {
    /// Shares of the parts.
    package struct Shares: Hashable, Sendable {
      /// Of the filter's own radius: the receiver's sigmas, from which it comes, contain what no average takes out already.
      package var own: Double
      /// Of what was taken back of the answers of late.
      package var revision: Double
      /// Of the filter's own sigma of the speed: by itself in Nagoya and on the filtered tracks without velocities.
      package var speed: Double
    }

    /// The shares that apply.
    func shares(hasVelocity: Bool) -> Shares { hasVelocity ? withVelocity : withoutVelocity }

    /// Where velocities are measured.
    package var withVelocity = Shares(own: 0.3, revision: 1, speed: 0.4)
    /// Where they are not: an accelerating car is not where the last places lead.
    package var withoutVelocity = Shares(own: 0.6, revision: 1.3, speed: 0.8)
    /// What a place is taken for of whose accuracy nothing is said, in a stream that its receiver has filtered, metres: 68 %
    /// of the 11,000 fixes of five phones, a u-blox F9K and a u-blox M8 against survey-grade truth lie within 1.75 m (their
    /// percentiles, pooled by their number). It is also what no average takes out of a track (satellites' own errors and the
    /// air), where the receiver does not claim to be better; in quiet minutes of Nagoya 68 % lie within 1.8 m.
    package var assumed = 1.75
    /// Share of the receiver's radii that lasts too, where that is more: under a bad sky reflections stay for a minute, which
    /// no filter sees. In simulated canyons whose lasting errors are 0.7 to 1 of the white ones it is 0.5, where they are a
    /// quarter 0.3; with 0.35 Nagoya's radii stay, from 0.4 on they are too wide.
    package var lasting = 0.35
    /// The same where only a dilution is known, as a share of the radius that `AccuracyModel` derives from it: 1.75 m of 4.6 m at
    /// HDOP 1. Used of autonomous solutions; the errors of others do not follow their dilution.
    package var calmShare = 0.38
    /// The same of differential ones: 1.75 m of 2.3 m.
    package var calmDifferentialShare = 0.76
    /// Radius per metre of noise (`StreamNoise`) where the receiver reports no accuracy: reflections that last are as large as those
    /// that change. With 1.2 to 1.4 the even tenths of Hong Kong, Pixel 5, comma2k19, San Jose and Nagoya have 63 to 92 % inside in the
    /// first three, and at most 5.7 % beyond three radii in all but San Jose.
    package var noiseShare = 1.3
    /// The same of the track's answer, which averages some of it out.
    package var trackNoiseShare = 1.0
    /// How long noise is remembered, seconds; 20 to 60 are alike.
    package var noiseTime = 40.0
    /// Surprises count as this long at most, metres.
    package var greatestNoise = 50.0
    /// Share of the newest surprise that counts at once.
    package var newestNoiseShare = 0.5
    /// How long a stream without an accuracy has to be observed before its noise says all of its radius, seconds: until then a part
    /// of what was assumed without any evidence remains.
    package var settlingTime = 10.0
    /// What a told speed is worth whose accuracy is not told, m/s: 68 % of the recorded receivers' are within 0.05 (F9K), 0.06
    /// (Nagoya) and 0.11 (comma2k19, mostly its timing).
    package var speed = 0.04
    /// And more for a worse place, 1/s, by its sigma.
    package var speedShare = 0.015
    /// Density of the acceleration while a track goes on by itself, m²/s³: 68 % of the errors after 10 s are 38 m in the F9K's
    /// suburb, 24 m in Nagoya, 21 m on the highway; 34 m here.
    package var coastNoise = 1.5
    /// Velocity is lost with this time constant, seconds: of 8, 15, 30 and ∞ the best from 10 s on in the F9K's suburb and in
    /// Nagoya, at 4 and 2 m/s on average.
    package var coastTime = 30.0
    /// And with this one for each metre per second, s²/m: on the highway, at 18 m/s, ∞ is the best; fast roads are straight.
    package var coastTimePerSpeed = 4.0
    /// Share of the way that is lost by it in the radius.
    package var coastLoss = 0.5
    /// Share of the distance to a place that is held back: if that was right, its error is no more than three radii.
    package var held = 0.35

    package init() {}
  }
}
