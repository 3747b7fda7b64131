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
