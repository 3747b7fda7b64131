package import Geodesy

/// How sure a crossing has to be. Apple states no figures but for the stay; the others are ours, found on simulated and recorded
/// drives (CrossingTests).
package struct RegionTuning: Sendable {
  /// No border is crossed before a fix lies as far beyond it, whatever its radius.
  package var leastMargin = Meters(3)
  /// As many 68 % radii beyond the border a fix counts where the speed, too, says that the border was crossed: 1.9 standard
  /// deviations along one axis. With 1 radius, 11 of 45,000 crossings are told more than once; with this, none (CrossingTests).
  package var margin = 1.25
  /// And as many where nothing else speaks for it: 3 standard deviations.
  package var sureMargin = 2.0
  /// What the speed has to account for of the way from one side to the other.
  package var travelledShare = 0.5
  /// Whoever is surely beyond for so long is there, even if the speed knows nothing of it (behaviour-details.md §2.6).
  package var stay: Duration = .seconds(20)
  /// Between fixes further apart anything may have happened.
  package var gap: Duration = .seconds(5)
  /// What is slower stands still: a receiver's speed, metres per second, is never quite zero.
  package var stillSpeed = 0.3
  /// What a car on a motorway moves in a second, metres, where nobody knows how the machine moves.
  package var greatestSpeed = 40.0
  /// While a crossing is being made sure of, and while it is unknown where the device is.
  package var pace: (crossing: Duration, unknown: Duration) = (.seconds(1), .seconds(10))
  /// As many fixes are remembered, at least.
  package var memory = 64
  /// Positions are averaged over as many seconds as a speed wrong by this many metres per second is as wrong as they are.
  package var speedNoise = 0.3
  /// And a receiver's own speed is hardly wrong by more than this for long, metres per second.
  package var drift = 0.1
  /// But no longer, seconds, to either side.
  package var averaging: ClosedRange<Double> = 1...40

  package init() {}
}
