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

  /// What a fix beside a sighting is worth.
  package struct Hearing: Hashable, Sendable {
    /// A fix with a radius up to here counts in full, metres; a worse one by their ratio; Ichnaea.
    package var fullRadius = 10.0
    /// And one that is worse than this not at all, metres; Ichnaea.
    package var greatestRadius = 200.0
    /// So old a fix counts in full, seconds; an older one by their ratio; Ichnaea.
    package var fullAge = 2.0
    /// And from here on not at all, seconds; Ichnaea. A longer hole in a track is none to interpolate in.
    package var greatestAge = 20.0
    /// So fast counts in full, m/s; faster by their ratio; Ichnaea.
    package var fullSpeed = 5.0
    /// And from here on not at all, m/s; Ichnaea.
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
    /// Its weight stays below, so that it can still follow; Ichnaea.
    package var greatestWeight = 10_000.0
    /// Least weight for a place to be told: one hearing at -80 dBm, 60 m wide, or its like.
    package var leastWeight = 0.15
    /// What is added to the seen scatter of the hearings, metres per axis, for so many hearings in all of them; by how many one
    /// is worth something by itself, as neighbours on one street share its distance; and how many of these there are at most.
    /// In the simulation 68 % of the places of 1, 2, 3, 4-5, 9-15, 31-70 hearings are within 272, 112, 86, 64, 51, 48 m.
    package var assumedScatter = 60.0
    package var assumedHearings = 2.0
    package var hearingsPerIndependent = 2.5
    package var greatestIndependent = 10.0
    /// What all hearings of one day share, metres: the side that one passed it on. Of those passed on one day 60 % were inside
    /// their radius without it, 64 % with it.
    package var sharedByDay = 100.0
    /// No place is known better, metres: it was heard from the street. 15 has 3 % more error at the 95th percentile.
    package var leastRadius = 30.0
  }

  /// From places to a position.
  package struct Solving: Hashable, Sendable {
    /// Sightings older than this are not used, seconds; a scan of both bands takes 4.6 s, and the kernel keeps them 30 s.
    package var greatestAge = 20.0
    /// Access points that are used at most, the strongest ones; beyond ten nothing is gained (Zandbergen 2012).
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
    /// What a signal is off by, dB: shadows of 6 (the same, section 4.9) and access points of unlike power, 4.
    package var shadowing = 7.0
    /// The same of a signal that is not told, dB, and what it is taken for, dBm.
    package var unknownSignal = -80.0
    package var unknownShadowing = 14.0
    /// Nobody is nearer to an access point, metres: storeys.
    package var leastDistance = 5.0
    /// Degrees of freedom of the Student-t errors.
    package var freedom = 4.0
    /// How fast one goes of whom nothing is known, m/s: of 4, 8 and 12 the best for 1.4 to 13 in the simulation.
    package var speed = 8.0
    /// Half the width of the grid beyond the access points' own scatter, metres.
    package var margin = 100.0
    /// Points of the first grid and of the second along each axis.
    package var coarsePoints = 17
    package var finePoints = 13
    /// Half the width of the second grid, in standard deviations of the first's answer.
    package var fineWidth = 3.0
    /// Share of the posterior's own radius in the answer's …
    package var radiusScale = 0.8
    /// … share of the places' own (their median), as those that were learnt on one street are all off to its side …
    package var placeShare = 0.69
    /// … and what is always there, metres: the scan itself takes 5 s. With these three 68 % are inside for learnt
    /// places, in three towns of the simulation, and 73 % for places that are off by themselves; their score (CRPS) is within 1 %
    /// of the least.
    package var radiusFloor = 10.0
    /// Radii are at least this, metres: nobody has shown a town's Wi-Fi to be better.
    package var leastRadius = 15.0
    /// And at most this.
    package var greatestRadius = 1000.0

    package init() {}
  }
}
