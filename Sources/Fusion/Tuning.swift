/// Every constant of the estimator, with where it comes from. One tuning serves all receivers.
///
/// "Validation" is the set of `Fusion.docc/Validation.md`: recorded tracks and what was made of them (thinned, cut, without
/// columns, filtered as a receiver would), and tracks that were simulated. None of these numbers was fitted to one track
/// alone; where a track decided, its other half was looked at, which the text names.
package struct Tuning: Hashable, Sendable {
  // MARK: - Time

  /// By how much more than the clock a receiver's time may go on, seconds. A receiver that is late catches up in one step;
  /// the longest silence that is not told as a gap is 10 s.
  package var greatestLead = 10.0
  /// After so many refusals in a row the new time is believed. `PlausibilityCheck.jumpsToBelieve`.
  package var refusalsToBelieve = 3

  // MARK: - Is the input filtered?

  /// A step that takes this many times the usual time is a gap. Between 2 (a missed epoch) and 3.
  package var gap = 2.5
  /// Share of a new step in the usual time.
  package var intervalShare = 0.05
  /// Longer surprises count as this long, metres: one spike of any size, there and back, leaves the covariance below
  /// `leastNoise` (6² / 60 = 0.6).
  package var greatestSurprise = 6.0
  /// The same without velocities, where a spike makes three surprises: 2 × 4² / 60 = 0.5.
  package var greatestBareSurprise = 4.0
  /// Share of a new surprise in the means: a minute at 1 Hz, of which some 120 numbers leave the covariance known to
  /// 1/√120 = 9 % of the variance.
  package var judgeShare = 1.0 / 60
  /// So much noise, m² over both axes, pays to filter: 0.7 m per axis. Receivers that filter: ≤ 0.3 (validation, phones with
  /// 0.3 m of jitter, positions rounded to 0.001′ ≤ 0.8); single points in Nagoya: 1 to 9.
  package var leastNoise = 1.0
  /// Share of that noise down to which filtering goes on: hysteresis.
  package var noiseToStay = 0.25
  /// Share of the variance that noise has to be. White noise: 0.5; receivers that filter: ≤ 0.1; Nagoya: 0.35 to 0.45.
  package var ratioToBegin = 0.2
  /// The same to go on: hysteresis.
  package var ratioToStay = 0.05

  // MARK: - Spikes of a filtered stream

  /// A place so far off, metres at 1 Hz, is held back, plus `spikeSigmas` of the place before. No car brakes or turns by
  /// more than 9 m/s², which is 4.5 m in a second.
  package var leastSpike = 15.0
  /// What stands or drives changes its velocity by no more in a second, m/s²: a full brake on a dry road.
  package var greatestAcceleration = 9.0
  /// See `leastSpike`.
  package var spikeSigmas = 3.0
  /// The sigma counts up to here, metres: a receiver that says nothing of value opens the gate no further.
  package var greatestSpikeSigma = 33.0
  /// So many epochs are held back at most, however much they contradict each other; so are velocities.
  package var greatestHold = 3
  /// A place that agrees with the one held back before it is believed: within this share of the limit, or all of it
  /// where no velocity is told. A receiver that jumps and
  /// stays has mostly corrected itself; each epoch for which the old place is held then is an epoch at the wrong place.
  package var repeatShare = 0.5
  /// How long places draw the slow track of the velocities towards them, seconds: an excursion of a quarter of a minute leaves
  /// it, the drift of Doppler velocities (0.05 m/s) does not add up.
  package var referenceTime = 60.0
  /// A place whose sigma is below this share of the last one's is not held back: it knows better than the track that contradicts it.
  package var certainShare = 0.2

  // MARK: - Wrong velocities

  /// A velocity that changed by more than `greatestAcceleration` and so many sigmas of both is wrong, unless the places moved with it.
  package var velocitySigmas = 5.0
  /// After so long, seconds, the last velocity says nothing of the next.
  package var velocityLifetime = 10.0

  // MARK: - The track

  /// Sigma of a place per axis at least, metres: metre-level errors of code positions do not show in a receiver's own.
  package var leastSigma = 1.0
  /// But where the receiver reports less than `greatestCertainSigma`, which only carrier phase reaches, metres: such a place is not
  /// outvoted by others. Fixed solutions err by the datum of their corrections, up to half a metre (`AccuracyModel`).
  package var leastCertainSigma = 0.3
  /// See `leastCertainSigma`.
  package var greatestCertainSigma = 0.35
  /// Sigma of a told velocity per axis at least, m/s: what Doppler reaches standing still (research: 0.02 to 0.05).
  package var leastVelocitySigma = 0.05
  /// Sigma per axis of a velocity whose accuracy is not told, m/s, for a perfect place. The recorded receivers: half of all
  /// errors below 0.02 to 0.09.
  package var velocitySigma = 0.1
  /// And its growth with the place's sigma, 1/s: both come from the same satellites. RTKLIB's own ratio in Nagoya is 0.03.
  package var velocitySigmaShare = 0.05
  /// Slower than this, twice in a row, stands, m/s. `FixBuilder.slowestCourse`.
  package var standingSpeed = 0.3
  /// Density of the white acceleration, m²/s³: 1 m/s² from one second to the next. Textbook; 0.5 loses turns where there are
  /// no velocities, 2 gains nothing (validation).
  package var noise = 1.0
  /// The same while it stands.
  package var standingNoise = 0.01
  /// Degrees of freedom of the Student-t errors; 1 to 4 differ by 3 % in Nagoya.
  package var freedom = 3.0
  /// Rounds of reweighting; the third changes 1 %.
  package var rounds = 2
  /// How much less is believed of what left the window with each new node: variances grow by 10 %.
  package var forgetting = 0.1
  /// Variance that comes to the place with each second, m²/s: integrated velocities drift.
  package var drift = 0.3
  /// While it stands the satellites' reflections change within this time, seconds: places meanwhile are no new evidence.
  /// Standing for a minute 13 m off (Nagoya, 340 to 390 s) must not win over the drive before. 20 to 60 are alike.
  package var errorTime = 20.0
  /// When it moves reflections change within some wavelengths (0.19 m): a metre.
  package var errorLength = 1.0
  /// Nodes are so far apart at least, seconds: at 10 Hz neighbours share their errors. 1 Hz with its jitter passes.
  package var nodeSpacing = 0.75
  /// A velocity that nobody measured is told when its sigma is below this, m/s: a walk is told from standing.
  package var greatestVelocitySigma = 2.0
  /// Age of the lagged answer, seconds.
  package var lag = 5.0
  /// What a radius that is not told is taken for in a stream that jumps, metres: 4.6 m × HDOP 1 (`AccuracyModel`).
  package var assumedTrackRadius = 4.6
  /// So far from its origin the frame is left, metres.
  package var greatestOffset = 5000.0
  /// Farther than this no track leads, metres: begun anew.
  package var greatestJump = 100_000.0

  // MARK: - Coarse positions

  /// A coarse position bounds satellite fixes for so long, seconds.
  package var coarseLifetime = 30.0
  /// Outside so many radii of both a place is doubted; a true radius leaves 1 in 10,000 outside.
  package var coarseRadii = 3.0
  /// So long after the last satellite fix the track goes on by itself, where it is known better, seconds.
  package var satelliteLifetime = 30.0

  /// Of radii.
  package var radius = Radius()
  /// Of heights.
  package var height = Height()

  package init() {}

  /// The one that is used.
  package static let standard = Tuning()
}

extension Tuning {
  /// Constants of the height of a stream that jumps. Nagoya, single points every second: rms 17.7 m as told, 3.2 m.
  package struct Height: Hashable, Sendable {
    /// Slope of roads, root mean square, and how long one lasts, seconds: 3 % and 10 s are 0.4 m/s in a town, and 4 m.
    package var slope = 0.03
    /// See `slope`.
    package var slopeTime = 10.0
    /// Faster than this is no steeper, m/s.
    package var greatestSpeed = 40.0
    /// Where no speed is told, m/s.
    package var assumedSpeed = 14.0
    /// Variance of a height that stays, m²/s: the satellites' errors wander.
    package var wandering = 0.02
    /// Degrees of freedom of the Student-t errors, as in the plane.
    package var freedom = 3.0
    /// Vertical radius where none is told, metres: 3.9 m × VDOP 1.7 (`AccuracyModel`).
    package var assumedRadius = 6.6
    /// Share of the filter's own variance in the radius, as in the plane.
    package var ownVarianceShare = 0.5
    /// Share of the told radius: errors that no average takes out. Nagoya: 93 % inside, 0.3 % beyond three times the radius.
    package var toldShare = 0.5

    package init() {}
  }
}

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
