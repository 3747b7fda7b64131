/// Every constant of learning and solving, with its source.
///
/// "Simulation" is the one in `Tests/TestSupport/WiFi`: drives through a real city's access points; the numbers were chosen on
/// seeds other than those that `make bench` reports. "Ichnaea" is Mozilla's location service, whose formulas are taken as facts.
package struct PositioningTuning: Hashable, Sendable {
  package var observing = Observing()
  package var learning = Learning()
  package var solving = Solving()

  package init() {}

  /// The values that the service uses.
  package static let standard = PositioningTuning()

  /// Which parts of a track, and which observations on it, are learned from.
  package struct Observing: Hashable, Sendable {
    /// Greatest 68 % radius of a fix to learn from, meters; Ichnaea.
    package var greatestRadius = 200.0
    /// Greatest time between an observation and a fix, seconds; Ichnaea. A longer gap in a track is not interpolated.
    package var greatestAge = 20.0
    /// Greatest speed of a fix to learn from, m/s; Ichnaea.
    package var greatestSpeed = 50.0
    /// Assumed signal where the driver reports none, dBm: the middle of the received range.
    package var assumedSignal = -80.0
    /// Signals are clamped to this range, dBm; Ichnaea has -100 to -10.
    package var signals = -100.0 ... -20.0
    /// Number of fixes kept, and the least time between two of them, seconds: together they span more than `greatestAge`.
    package var fixes = 64
    package var fixSpacing = 0.5
    /// Greatest number of observations that wait for the next fix: eight scans of a city's 64.
    package var waiting = 512
    /// An access point is learned again at this distance from where it was last learned, meters …
    package var spacing = 10.0
    /// … or after this time, seconds, so that a machine parked for a night does not add a thousand observations at one
    /// place.
    package var repetition = 600.0
    /// Greatest number of access points whose last learned place is remembered.
    package var remembered = 1024
  }

  /// How observations update the record of an access point.
  package struct Learning: Hashable, Sendable {
    /// Greatest distance between an access point and its observation, meters: in the town of the measurements, 95 % of
    /// the observations lie within 240 m.
    package var greatestRange = 500.0
    /// An observation within this distance is always plausible, meters, however strong it is: the estimate may be off by a
    /// street.
    package var leastRange = 100.0
    /// Observations at another place after which the access point has moved there, if they are of more than one day …
    package var observationsToMove = 5
    /// … or if all are of the first day: ten meters or ten minutes apart.
    package var observationsToMoveAtOnce = 12
    /// This many observations elsewhere are not an error of the fix; if the access point is then received at home again, it
    /// travels.
    package var observationsToDoubt = 2
    /// Days for which a traveling access point is not learned; Ichnaea: 48 hours.
    package var blockedDays = 2
    /// Days of age for each time that it may move or travel, beyond the first; Ichnaea: a month.
    package var daysPerMove = 30
    /// Days on which a locally administered address must be received at one place: phones make up another one each day.
    package var daysOfMadeUp = 3
    /// Received power at 1 m, dBm, as in `Solving`. If all access points are 8 dB stronger or weaker than that, the median error
    /// of their positions is 21 m instead of 19 m in the simulation.
    package var power = -36.0
    /// Standard deviation of a signal, dB: shadowing, as in `Solving`; the best of 5, 6, 7 and 8 for dense and sparse simulated
    /// lives together.
    package var shadowing = 6.0
    /// Error of the path loss exponent, as a share of it.
    package var exponentError = 0.15
    /// How much of the probability of reception is divided out of a signal's likelihood. With 0, 36 % of the access points in a
    /// town of forty drives lie inside their radius; with 0.6, 50 % do, and the 95th percentile of the position error there is 14 %
    /// larger; with 1, that in a city of a hundred drives is 8 % larger.
    package var selection = 0.6
    /// Least distance to an access point, meters: the floors of a building.
    package var leastDistance = 5.0
    /// Standard deviation of the prior, meters per axis around the first observation.
    package var firstDeviation = 300.0
    /// Standard deviation that remains after any number of observations, meters per axis, so that the estimate can still
    /// follow.
    package var leastDeviation = 5.0
    /// An observation contradicts the estimate if their joint log likelihood is this far below the best of both: 3.5 deviations.
    package var greatestSurprise = 6.0
    /// Greatest number of observations in the mean of their places, so that it can still follow.
    package var rememberedObservations = 1000
    /// Position error that observations do not reveal, meters of radius: permanent shadowing, and what all access points of a street
    /// have in common because they were received from that street only. On recorded drives (half of the minutes of one learned, the
    /// other half located), with 45 m 77, 74 and 69 % of the errors are inside the radius of a position from 1, 2 and 4 known access
    /// points and more; with 15 m, which simulated lives show, 64, 58 and 52 %.
    package var radiusFloor = 45.0
    /// Weaker signals are not received, dBm. A driver that reports `fullScan` or more access points, the strongest ones, has a
    /// higher threshold.
    package var threshold = -90.0
    package var fullScan = 64
    /// Range of path loss exponents, as in `Solving`.
    package var exponents = 2.0...4.0
    /// Weight of the prior: this many signals are assumed to have shown the middle of `exponents` before the first scan.
    package var assumedSignals = 5.0
    /// Weight of the earlier scans relative to a new one: the best of 0.8, 0.9 and 0.97; ten scans.
    package var scanMemory = 0.9
    /// Greatest excess of one signal over the threshold, dB: the user's own router is close by.
    package var greatestExcess = 40.0
  }

  /// From access point positions to a position of the machine.
  package struct Solving: Hashable, Sendable {
    /// Older observations are not used, seconds; a scan of both bands takes 4.6 s, and the kernel keeps them 30 s.
    package var greatestAge = 20.0
    /// Greatest number of access points used, the strongest ones; more than ten improve nothing (Zandbergen 2012). A driver that
    /// reports this many has left out the weaker ones.
    package var greatestCount = 64
    /// Greatest distance between two access points of one place, meters; Ichnaea's clusters.
    package var greatestRange = 500.0
    /// Rounds of Weiszfeld's algorithm.
    package var medianRounds = 12
    /// Received power at 1 m, dBm, and its standard deviation, dB: 20 dBm less 40 dB of the first meter (Friis, 2.4 GHz) less a
    /// wall; antennas and makers differ by some 10 dB.
    package var power = -36.0
    package var powerDeviation = 8.0
    /// Path loss exponent and its standard deviation: 2 in the open, 4 between houses (Rappaport, Wireless Communications,
    /// table 4.2).
    package var exponent = 3.0
    package var exponentDeviation = 0.6
    /// The exponents that the solver tries.
    package var exponents = [2, 2.5, 3, 3.5, 4.0]
    /// Weaker signals are not received, dBm: 1 Mbit/s needs some -90 to -95.
    package var threshold = -90.0
    /// Standard deviation of a signal, dB. Shadowing of 6 (Rappaport, section 4.9) and differing transmit powers, 4, give 7, but
    /// with 6 the 95th percentile is 5 % larger in the simulation, and with 4 it is 3 % smaller: the heavy tails already discount
    /// what fits badly.
    package var shadowing = 5.0
    /// Assumed signal where the driver reports none, dBm, and its standard deviation, dB.
    package var unknownSignal = -80.0
    package var unknownShadowing = 14.0
    /// The least distance to an access point that is assumed, meters: it may be on another floor.
    package var leastDistance = 5.0
    /// Degrees of freedom of the Student-t errors; with 4 the 95th percentile is 2 % larger.
    package var freedom = 8.0
    /// Assumed speed where it is unknown, m/s: the best of 4, 8 and 12 for speeds of 1.4 to 13 in the simulation.
    package var speed = 8.0
    /// Half the width of the grid beyond the access points' own scatter, meters.
    package var margin = 100.0
    /// Points of the first grid and of the second along each axis.
    package var coarsePoints = 17
    package var finePoints = 13
    /// Half the width of the second grid, in standard deviations of the first grid's answer.
    package var fineWidth = 3.0
    /// The factor of the posterior's own radius in the answer's: more than 1 because errors are not independent …
    package var radiusScale = 1.1
    /// … share of the access points' own radii (their median): the access points of a street share most of their errors, and no
    /// number of them averages these out. If errors of 15 m per axis are the same over 100 m and 5 % have moved, 67 to 72 % of the
    /// simulated positions are inside, with any number of access points; with a share of 0.2, 50 % …
    package var placeShare = 0.9
    /// … and a constant part, meters: the scan itself takes 5 s.
    package var radiusFloor = 10.0
    /// Least radius, meters.
    package var leastRadius = 20.0
    /// Greatest radius, meters.
    package var greatestRadius = 1000.0

    package init() {}
  }
}
