/// All constants of the estimator, with their sources. One tuning serves all receivers.
///
/// "Validation" is the set of `Fusion.docc/Validation.md`: recorded tracks and variants of them (thinned, cut, without columns,
/// filtered as a receiver would), and simulated tracks. No number was fitted to a single track alone; where one track
/// determined a number, its other half was checked, and the comment names the track.
package struct Tuning: Hashable, Sendable {
  // MARK: - Time

  /// How far a receiver's time may advance beyond the clock, seconds. A late receiver catches up in one step; the longest
  /// silence that is not reported as a gap is 10 s.
  package var greatestLead = 10.0
  /// Consecutive rejections, the last of which is accepted as the new time; as many as `PlausibilityCheck.jumpsToBelieve`.
  package var refusalsToBelieve = 3

  // MARK: - Is the input filtered?

  /// A step that takes this many times the usual time is a gap. Between 2 (a missed epoch) and 3.
  package var gap = 2.5
  /// Weight of a new step in the usual time.
  package var intervalShare = 0.05
  /// Longer residuals are cut to this length, meters: one spike of any size, there and back, leaves the covariance below
  /// `leastNoise` (6² / 60 = 0.6).
  package var greatestSurprise = 6.0
  /// The same without velocities, where a spike makes three residuals: 2 × 4² / 60 = 0.5.
  package var greatestBareSurprise = 4.0
  /// Weight of a new residual in the means: a minute at 1 Hz. Its 120 or so numbers determine the covariance to 1/√120 = 9 % of
  /// the variance.
  package var judgeShare = 1.0 / 60
  /// From this noise on, m² over both axes, filtering pays: 0.7 m per axis. Receivers that filter: ≤ 0.3 (validation, phones
  /// with 0.3 m of jitter, positions rounded to 0.001′ ≤ 0.8); single points in Nagoya: 1 to 9.
  package var leastNoise = 1.0
  /// Share of that noise down to which filtering continues: hysteresis.
  package var noiseToStay = 0.25
  /// Share of the variance that must be noise. White noise: 0.5; Nagoya: 0.35 to 0.45; receivers that filter: ≤ 0.1, and their noise is
  /// below `leastNoise`. With 0.2, errors of Hong Kong that last for some seconds were taken for a filter (even tenths: 5 % less rms
  /// than raw; 9 % with 0.12).
  package var ratioToBegin = 0.12
  /// The same to continue filtering: hysteresis.
  package var ratioToStay = 0.05

  // MARK: - Spikes of a filtered stream

  /// A position farther than this from the prediction, meters at 1 Hz, plus `spikeSigmas` of the previous position, is held
  /// back. No car brakes or turns by more than 9 m/s², which is 4.5 m in a second.
  package var leastSpike = 15.0
  /// The largest change of velocity of anything on the ground, m/s²: full braking on a dry road.
  package var greatestAcceleration = 9.0
  /// See `leastSpike`.
  package var spikeSigmas = 3.0
  /// The sigma counts up to this limit, meters: a receiver with poor accuracy opens the gate no further.
  package var greatestSpikeSigma = 33.0
  /// The most epochs that are held back in a row, however much they contradict each other; the same limit applies to
  /// velocities.
  package var greatestHold = 3
  /// A position is accepted if it agrees with the one held back before it: within this share of the limit, or all of it if no
  /// velocity is reported. A receiver that jumps and then stays has mostly corrected itself; each further epoch at the old
  /// position would be an epoch at the wrong one.
  package var repeatShare = 0.5
  /// Time constant with which positions pull the slow track of the velocities toward them, seconds. It is so long that an
  /// excursion of a quarter of a minute does not take the track with it, and so short that the drift of Doppler velocities (0.05
  /// m/s) does not add up.
  package var referenceTime = 60.0
  /// A position whose sigma is below this share of the last one's is not held back: it is more accurate than the track that
  /// contradicts it.
  package var certainShare = 0.2

  // MARK: - Wrong velocities

  /// A velocity that changed by more than `greatestAcceleration` plus this many sigmas of both is wrong, unless the positions
  /// moved with it.
  package var velocitySigmas = 5.0
  /// After this time, seconds, the last velocity does not constrain the next.
  package var velocityLifetime = 10.0

  // MARK: - The track

  /// Least sigma of a position per axis, meters: a receiver's own accuracy does not include meter-level errors of code
  /// positions.
  package var leastSigma = 1.0
  /// Least sigma if the receiver reports less than `greatestCertainSigma`, which only carrier phase reaches, meters: other
  /// positions cannot outvote such a position. The error of fixed solutions is the datum of their corrections, up to half a
  /// meter (`AccuracyModel`).
  package var leastCertainSigma = 0.3
  /// See `leastCertainSigma`.
  package var greatestCertainSigma = 0.35
  /// Least sigma of a reported velocity per axis, m/s: what Doppler reaches at standstill (research: 0.02 to 0.05).
  package var leastVelocitySigma = 0.05
  /// Sigma per axis of a velocity without a reported accuracy, m/s, at a perfect position. The recorded receivers: half of all
  /// errors are below 0.02 to 0.09.
  package var velocitySigma = 0.1
  /// Its growth with the position's sigma, 1/s: both come from the same satellites. RTKLIB's own ratio in Nagoya is 0.03.
  package var velocitySigmaShare = 0.05
  /// A speed below this, twice in a row, is standstill, m/s; the same value as `FixBuilder.slowestCourse`.
  package var standingSpeed = 0.3
  /// Density of the white acceleration, m²/s³: 1 m/s² from one second to the next. Textbook; 0.5 loses turns without
  /// velocities, 2 gains nothing (validation).
  package var noise = 1.0
  /// The same at standstill.
  package var standingNoise = 0.01
  /// Standard deviation of a vehicle's speed per axis, m/s: 7 m/s (25 km/h) in two dimensions, as in a town.
  package var usualSpeed = 5.0
  /// Evidence from which on a standstill is assumed without measured velocities: a ratio of 10 (natural logarithm), "strong"
  /// evidence (Jeffreys, Theory of Probability, 1961). Without noise, a walker at 1.5 m/s never reaches it, whatever the accuracy (at most
  /// 8.9). On the even tenths of Hong Kong, Pixel 5 and San Jose, the rms error is then 20, 19 and 10 % below raw (10, 13 and 7 % without
  /// the rule); with a ratio of 5, simulated cyclists (4.5 m/s) are held back.
  package var standstillEvidence = 2.303
  /// Standard deviation of the velocity that is then assumed, m/s per axis: a walker's speed, which positions with an error of 10 m
  /// do not distinguish from standstill within some seconds. With 0.5, simulated walkers are held back for longer.
  package var standstillSigma = 1.06
  /// The fewest nodes that can stand: three of them give no scatter to speak of.
  package var leastStandstillNodes = 4
  /// Nodes that are no longer assumed to stand when a standstill ends: a car covers 7 m in its first three seconds.
  package var departureNodes = 3
  /// Degrees of freedom of the Student-t errors; 1 to 4 differ by 3 % in Nagoya.
  package var freedom = 3.0
  /// Rounds of reweighting; the third changes 1 %.
  package var rounds = 2
  /// Growth of the variances of what left the window with each new node: 10 %.
  package var forgetting = 0.1
  /// Growth of the position's variance, m²/s: integrated velocities drift.
  package var drift = 0.3
  /// Time in which satellite reflections change at standstill, seconds: positions within this time are not new evidence. A
  /// minute of standstill with an error of 13 m (Nagoya, 340 to 390 s) must not outweigh the drive before. 20 to 60 give
  /// similar results.
  package var errorTime = 20.0
  /// Distance in which satellite reflections change in motion, meters: a few wavelengths (0.19 m).
  package var errorLength = 1.0
  /// Least time between nodes, seconds: at 10 Hz neighbors share their errors. 1 Hz with its jitter passes.
  package var nodeSpacing = 0.75
  /// A velocity that was not measured is reported when its sigma is below this, m/s: enough to distinguish walking from
  /// standing.
  package var greatestVelocitySigma = 2.0
  /// Age of the lagged estimate, seconds.
  package var lag = 5.0
  /// The radius assumed for a jumping stream that does not report one, meters: 4.6 m × HDOP 1 (`AccuracyModel`) …
  package var assumedTrackRadius = 4.6
  /// … or this share of its noise (`StreamNoise`), if that is more.
  package var assumedTrackNoiseShare = 0.7
  /// Distance from its origin at which the frame is replaced, meters.
  package var greatestOffset = 5000.0
  /// No track continues over a longer distance than this, meters: the estimator starts again.
  package var greatestJump = 100_000.0

  // MARK: - Coarse positions

  /// How long a coarse position bounds satellite fixes, seconds.
  package var coarseLifetime = 30.0
  /// A position more than this many radii of both away is doubted; a calibrated radius leaves 1 in 10,000 outside.
  package var coarseRadii = 3.0
  /// How long after the last satellite fix the track is extrapolated if it is more accurate than a coarse position, seconds.
  package var satelliteLifetime = 30.0

  /// Constants of offsets that coarse positions show.
  package var coarse = Coarse()
  /// Constants of radii.
  package var radius = Radius()
  /// Constants of heights.
  package var height = Height()

  package init() {}

  /// The tuning in use.
  package static let standard = Tuning()
}

extension Tuning {
  /// Constants of `SatelliteBias`, chosen on simulated drives (`CanyonDrive`, seeds 1 to 8 and 401 to 460): with these none of the 60
  /// drives under a good sky is changed by positions of Wi-Fi with an error of 33 m per axis, of which 5 % are 300 m off. More
  /// evidence of one position, or a lower threshold, bounds canyons better, and pulls good tracks: with 4 one of the 60.
  package struct Coarse: Hashable, Sendable {
    /// Error of satellites in a canyon, meters per axis: the recorded receivers' largest lasting errors are 60 to 150 m.
    package var canyon = 80.0
    /// Time in which such an error changes, seconds: 63 % of the excursions in Hong Kong and San Jose end within 20 to 40 s.
    package var canyonTime = 30.0
    /// Distance over which errors of coarse positions are alike, meters: the access points of one street.
    package var errorLength = 150.0
    /// Evidence at which an offset is removed: a likelihood ratio of 1,000.
    package var threshold = 7.0
    /// The most evidence that is kept, so that a few good coarse positions end the correction.
    package var greatestEvidence = 10.0
    /// The most evidence of one coarse position: two alone are never enough.
    package var greatestStep = 3.0
    /// Coarse positions farther from the satellites than this are of another place, meters: no receiver with a fix is so far off, but
    /// access points move with their owners.
    package var greatestDistance = 500.0
    /// Time after which an offset is the usual one, seconds: longer than an error in a canyon lasts.
    package var usualTime = 240.0
    /// Time over which the satellites' estimate is extrapolated to a coarse position, seconds.
    package var greatestExtrapolation = 3.0
    /// Evidence at which a drift against the velocities is removed: a likelihood ratio of 50, because the drift alone shows that
    /// the positions before it or after it are wrong. With 3, drives under a good sky with velocities off by 0.8 m/s for ten seconds
    /// at a time were pulled (7 of 120; with 4, 1 of 120).
    package var driftThreshold = 4.0
    /// Error of a drift, meters per axis: Doppler velocities drift by 0.05 m/s, for `usualTime`.
    package var driftSigma = 12.0
    /// Error of a drift as a share of it.
    package var driftShare = 0.25
    /// Greatest squared miss, in variances per axis: 99 % of a normal distribution in two dimensions.
    package var greatestMiss = 9.21
    /// Share of coarse positions that are of another place, because their access points moved.
    package var movedShare = 0.05
    /// Distance of such a position, meters per axis.
    package var movedMeters = 300.0
    /// Age of the last coarse position at which its evidence ends, seconds.
    package var lifetime = 30.0

    package init() {}
  }
}

extension Tuning {
  /// Constants of the height of a stream that jumps. Nagoya, single points every second: rms 17.7 m as reported, 3.2 m
  /// filtered.
  package struct Height: Hashable, Sendable {
    /// Slope of roads, root mean square, and how long one lasts, seconds: 3 % and 10 s give 0.4 m/s in a town, and 4 m.
    package var slope = 0.03
    /// See `slope`.
    package var slopeTime = 10.0
    /// Beyond this speed slopes are not steeper, m/s.
    package var greatestSpeed = 40.0
    /// Speed assumed if none is reported, m/s.
    package var assumedSpeed = 14.0
    /// Growth of the variance of a constant height, m²/s: the satellites' errors wander.
    package var wandering = 0.02
    /// Degrees of freedom of the Student-t errors, as in the plane.
    package var freedom = 3.0
    /// Vertical radius if none is reported, meters: 3.9 m × VDOP 1.7 (`AccuracyModel`).
    package var assumedRadius = 6.6
    /// Share of the filter's own variance in the radius, as in the plane.
    package var ownVarianceShare = 0.5
    /// Share of the reported radius: errors that averaging does not remove. Nagoya: 93 % inside, 0.3 % beyond three times the
    /// radius.
    package var reportedShare = 0.5

    package init() {}
  }
}

extension Tuning {
  /// Constants of the 68 % radii.
  ///
  /// A track's errors are not independent samples (1,100 fixes in Nagoya are worth some tens), so none of these constants is
  /// the optimum of a fit. The form is a sum of squares of three parts: a share of the filter's own error, the recent revisions
  /// of its estimates, and the error that all satellites have in common and averaging does not remove, which is `assumed`. The
  /// shares are round numbers, the same for Nagoya, its thinned and cut variants, and simulated canyons; see
  /// `Fusion.docc/Radius.md`.
  package struct Radius: Hashable, Sendable {
    /// Shares of the parts.
    package struct Shares: Hashable, Sendable {
      /// Share of the filter's own radius: the receiver's sigmas, from which it is derived, already contain what averaging does
      /// not remove.
      package var own: Double
      /// Share of the recent revisions of estimates.
      package var revision: Double
      /// Share of the filter's own sigma of the speed: determined separately in Nagoya and on the filtered tracks without
      /// velocities.
      package var speed: Double
    }

    /// The shares that apply.
    func shares(hasVelocity: Bool) -> Shares { hasVelocity ? withVelocity : withoutVelocity }

    /// For streams with measured velocities.
    package var withVelocity = Shares(own: 0.3, revision: 1, speed: 0.4)
    /// For streams without measured velocities. Positions do not predict where an accelerating car goes, and only the
    /// positions could show an error that lasts, so a track is hardly more accurate than its positions. Fitted to the
    /// even tenths of two of Hong Kong, Pixel 5 and Nagoya, leaving out the third, `own` is 1.2 to 1.5 and `revision`
    /// 0.8.
    package var withoutVelocity = Shares(own: 1.2, revision: 1.2, speed: 0.8)
    /// Radius of a position without any reported accuracy, in a stream that its receiver has filtered, meters: 68 % of the
    /// 11,000 fixes of five phones, a u-blox F9K and a u-blox M8 lie within 1.75 m of survey-grade truth (their percentiles,
    /// pooled by their number). It is also the part of a track's error that averaging does not remove (the satellites' own
    /// errors and the atmosphere), unless the receiver claims to be better; in quiet minutes of Nagoya 68 % lie within 1.8 m.
    package var assumed = 1.75
    /// Share of the receiver's radii that averaging does not remove either; it replaces `assumed` if it is more. Under an
    /// obstructed sky reflections last for a minute, which no filter detects. In simulated canyons it is 0.5 if the lasting
    /// errors are 0.7 to 1 of the white ones, and 0.3 if they are a quarter. With 0.35 Nagoya's radii are unchanged, from 0.4 on
    /// they are too wide.
    package var lasting = 0.35
    /// The same at a standstill that is assumed from the positions alone: reflections do not change as long as the antenna stands, so
    /// nothing averages out. On the even tenths of Hong Kong and Pixel 5, 1 has 62 and 73 % of the errors inside, 0.35 has 42 and 68 %.
    package var lastingAtStandstill = 1.0
    /// `assumed` for a receiver that reports only a dilution, as a share of the radius that `AccuracyModel` derives from it: 1.75
    /// m of 4.6 m at HDOP 1. Used for autonomous solutions; the errors of others do not follow their dilution.
    package var calmShare = 0.38
    /// The same for differential solutions: 1.75 m of 2.3 m.
    package var calmDifferentialShare = 0.76
    /// Radius per meter of noise (`StreamNoise`) if the receiver reports no accuracy: lasting reflections are as large as
    /// changing ones. On the even tenths of Hong Kong, Pixel 5, comma2k19, San Jose and Nagoya, 1.2 to 1.4 leave 63 to 92 %
    /// inside for the first three, and at most 5.7 % beyond three radii for all but San Jose.
    package var noiseShare = 1.3
    /// The same for the track's estimate: reflections that last for longer than the track are not averaged out. With 1, 7 % of the
    /// errors in San Jose are beyond three radii, with 1.4, 1 % (even tenths); with 1.4, 95 % of those of the Pixel 5 without its
    /// accuracies are inside.
    package var trackNoiseShare = 1.3
    /// The same at a standstill that is assumed from the positions alone: what changes from one position to the next averages out there,
    /// what lasts does not. On the even tenths of the Pixel 5 without its accuracies, 94 % are inside with 1.3, 91 % with 1.1, 89 % with 1;
    /// in San Jose 2.8 % are beyond three radii with 1.3 and with 1.1, 3.4 % with 1.
    package var standstillNoiseShare = 1.1
    /// Memory of the noise, seconds; 20 to 60 give similar results.
    package var noiseTime = 40.0
    /// Longer residuals are cut to this length, meters.
    package var greatestNoise = 50.0
    /// Share of the newest residual that counts at once.
    package var newestNoiseShare = 0.5
    /// How long a stream without an accuracy must be observed before its noise alone determines its radius, seconds: until then
    /// a part of the radius that was assumed without evidence remains.
    package var settlingTime = 10.0
    /// Error of a reported speed without a reported accuracy, m/s: 68 % of the recorded receivers' errors are within 0.05
    /// (F9K), 0.06 (Nagoya) and 0.11 (comma2k19, mostly its timing).
    package var speed = 0.04
    /// Increase of that error with the position's sigma, 1/s.
    package var speedShare = 0.015
    /// Density of the acceleration while a track is extrapolated, m²/s³: 68 % of the errors after 10 s are 38 m in the F9K's
    /// suburb, 24 m in Nagoya, 21 m on the highway; 34 m with this value.
    package var coastNoise = 1.5
    /// Time constant with which an extrapolated velocity fades, seconds: of 8, 15, 30 and ∞ the best from 10 s on in the F9K's
    /// suburb and in Nagoya, at 4 and 2 m/s on average.
    package var coastTime = 30.0
    /// Time constant for each meter per second of speed, s²/m: on the highway, at 18 m/s, ∞ is the best; fast roads are
    /// straight.
    package var coastTimePerSpeed = 4.0
    /// Share of the distance lost to this fading that adds to the radius.
    package var coastLoss = 0.5
    /// Share of the distance to a held-back position: if that position was right, the error is at most three radii.
    package var held = 0.35

    package init() {}
  }
}
