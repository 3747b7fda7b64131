/// Every constant of learning and solving, with where it comes from.
///
/// "Simulation" is that of `Tests/TestSupport/WiFi`: drives through a real city's access points; the numbers were chosen on
/// seeds other than those that `make bench` reports. "Ichnaea" is Mozilla's location service, whose formulas are taken as facts.
package struct PositioningTuning: Hashable, Sendable {
  package var hearing = Hearing()
  package var learning = Learning()
  package var solving = Solving()

  package init() {}

  /// The one that is used.
  package static let standard = PositioningTuning()

  /// What of a track and of what is heard on it is learnt.
  package struct Hearing: Hashable, Sendable {
    /// A fix that is worse than this tells nothing, metres; Ichnaea.
    package var greatestRadius = 200.0
    /// Nor does one that is older or younger by so much, seconds; Ichnaea. A longer hole in a track is none to interpolate in.
    package var greatestAge = 20.0
    /// Nor a faster one, m/s; Ichnaea.
    package var greatestSpeed = 50.0
    /// What a signal is taken for that is not told, dBm: in the middle of those that are heard.
    package var assumedSignal = -80.0
    /// Signals are taken for no more and no less than these, dBm; Ichnaea has -100 to -10.
    package var signals = -100.0 ... -20.0
    /// Fixes that are kept, and the time between two of them at least, seconds: together more than `greatestAge`.
    package var fixes = 64
    package var fixSpacing = 0.5
    /// Sightings that wait for the next fix at most: eight scans of a city's 64.
    package var waiting = 512
    /// An access point is learnt of again from here on, metres from where it was learnt before …
    package var spacing = 10.0
    /// … or after this time, seconds: who parks for a night has not heard it at a thousand places.
    package var repetition = 600.0
    /// Access points of which that is known at most.
    package var remembered = 1024
  }

  /// What becomes of what was heard.
  package struct Learning: Hashable, Sendable {
    /// Farther from its place an access point is not heard, metres: in the research's town 95 % of sightings lie within 240 m.
    package var greatestRange = 500.0
    /// And within this it always may be, metres, however strong it is: what is known of it may be off by a street.
    package var leastRange = 100.0
    /// Hearings at another place after which it has moved there, on more than one day …
    package var hearingsToMove = 5
    /// … or so many on the first: at ten metres or ten minutes from each other.
    package var hearingsToMoveAtOnce = 12
    /// So many hearings elsewhere are no error of the fix; if it is then heard at home again, it travels.
    package var hearingsToDoubt = 2
    /// Days for which one that travels is not learnt of; Ichnaea: 48 hours.
    package var blockedDays = 2
    /// Days of age for each time that it may move or travel, beyond the first; Ichnaea: a month.
    package var daysPerMove = 30
    /// Days on which an address that nobody gave must have been heard at one place: phones make up another one each day.
    package var daysOfMadeUp = 3
    /// Received power at 1 m, dBm, as in `Solving`. Where all are 8 dB stronger or weaker than that, the median error of places is
    /// 21 m instead of 19 in the simulation.
    package var power = -36.0
    /// What a signal is off by, dB: shadows, as in `Solving`; of 5, 6, 7 and 8 the best in dense and in sparse lives together.
    package var shadowing = 6.0
    /// What the exponent is off by, as a share of it.
    package var exponentError = 0.15
    /// How much of the chance to be heard is taken out of a signal's likelihood. With 0, 36 % of the places of a town of forty drives are
    /// inside their radius, with 0.6 50 %, and its positions have 14 % more error at the 95th percentile; with 1 those of a city of a
    /// hundred drives have 8 % more.
    package var selection = 0.6
    /// Nobody is nearer to an access point, metres: storeys.
    package var leastDistance = 5.0
    /// Where it may be before its first hearing, metres per axis around that.
    package var firstDeviation = 300.0
    /// What is left of uncertainty after any number of hearings, metres per axis, so that it can still follow.
    package var leastDeviation = 5.0
    /// A hearing whose likelihood beside what is believed is so much below the best of both, as a logarithm, contradicts it: 3.5 deviations.
    package var greatestSurprise = 6.0
    /// The mean of where it was heard is of so many at most, so that it can still follow.
    package var rememberedHearings = 1000
    /// What no hearing tells of a place, metres of radius: shadows that are always there.
    package var radiusFloor = 15.0
    /// What is weaker is not heard, dBm, but where a driver tells the strongest of so many and more.
    package var threshold = -90.0
    package var fullScan = 64
    /// Exponents that there are, as in `Solving`.
    package var exponents = 2.0...4.0
    /// So many signals are assumed to have told the middle of these before any was heard.
    package var assumedSignals = 5.0
    /// What the scans before count beside a new one: of 0.8, 0.9 and 0.97 the best, ten scans.
    package var scanMemory = 0.9
    /// One signal tells no more than this, dB over the threshold: one's own router is beside one.
    package var greatestExcess = 40.0
  }

  /// From places to a position.
  package struct Solving: Hashable, Sendable {
    /// Sightings older than this are not used, seconds; a scan of both bands takes 4.6 s, and the kernel keeps them 30 s.
    package var greatestAge = 20.0
    /// Access points that are used at most, the strongest ones; beyond ten nothing is gained (Zandbergen 2012). A driver that tells
    /// so many has left out the weaker ones.
    package var greatestCount = 64
    /// Access points of one place are no farther from each other, metres; Ichnaea's clusters.
    package var greatestRange = 500.0
    /// Rounds of Weiszfeld's algorithm.
    package var medianRounds = 12
    /// Received power at 1 m, dBm, and its standard deviation, dB: 20 dBm less 40 dB of the first metre (Friis, 2.4 GHz) less a
    /// wall; antennas and makers differ by some 10 dB.
    package var power = -36.0
    package var powerDeviation = 8.0
    /// Path loss exponent and its standard deviation: 2 in the open, 4 between houses (Rappaport, Wireless Communications,
    /// table 4.2).
    package var exponent = 3.0
    package var exponentDeviation = 0.6
    /// The exponents that are tried.
    package var exponents = [2, 2.5, 3, 3.5, 4.0]
    /// What is weaker is not heard, dBm: 1 Mbit/s needs some -90 to -95.
    package var threshold = -90.0
    /// What a signal is off by, dB. Shadows of 6 (the same, section 4.9) and access points of unlike power, 4, are 7, but with 6 the
    /// 95th percentile is 5 % more in the simulation, and with 4 it is 3 % less: what fits badly is doubted anyway.
    package var shadowing = 5.0
    /// The same of a signal that is not told, dB, and what it is taken for, dBm.
    package var unknownSignal = -80.0
    package var unknownShadowing = 14.0
    /// Nobody is nearer to an access point, metres: storeys.
    package var leastDistance = 5.0
    /// Degrees of freedom of the Student-t errors; with 4 the 95th percentile is 2 % more.
    package var freedom = 8.0
    /// How fast one goes of whom nothing is known, m/s: of 4, 8 and 12 the best for 1.4 to 13 in the simulation.
    package var speed = 8.0
    /// Half the width of the grid beyond the access points' own scatter, metres.
    package var margin = 100.0
    /// Points of the first grid and of the second along each axis.
    package var coarsePoints = 17
    package var finePoints = 13
    /// Half the width of the second grid, in standard deviations of the first's answer.
    package var fineWidth = 3.0
    /// Share of the posterior's own radius in the answer's, as errors are not independent …
    package var radiusScale = 1.1
    /// … share of the places' own (their median), as those that were learnt on one street are all off to its side …
    package var placeShare = 0.2
    /// … and what is always there, metres: the scan itself takes 5 s. With these three alone 69 % are inside for learnt places, in three
    /// lives of the simulation, and 68 % for places that are off by themselves; their logarithmic score is within 0.01 of the best of
    /// 352 such triples.
    package var radiusFloor = 15.0
    /// Radii are at least this, metres, whatever the number of access points: those of a street are off in common, which no number of
    /// them averages out. On recorded scans the median error is 40 m with 2, with 4, and with 8 known access points, which is a 68 %
    /// radius of 51 m, while the model's own radius falls from 41 to 27 m. `GeolocateAnswer` has the same.
    package var leastRadius = 50.0
    /// And at most this.
    package var greatestRadius = 1000.0

    package init() {}
  }
}
