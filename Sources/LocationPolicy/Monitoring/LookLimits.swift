package import Geodesy

/// How often it is looked where the machine is for those who only want to hear what happens. All of these are ours: Apple states
/// that a region's event may come minutes late (Documentation/Behavior.md, "Regions").
package struct LookLimits: Sendable {
  /// From one look to the next where the machine stands still, as far as anybody can tell: it may set out at any moment.
  package var still: Duration = .seconds(180)
  /// While it moves and its way is of interest, as for visits.
  package var travelling: Duration = .seconds(30)
  /// A rest that would be shorter saves nothing: receivers take some seconds to come back.
  package var shortestRest: Duration = .seconds(30)
  /// And none is longer.
  package var longestRest: Duration = .seconds(1800)
  /// A look that has found a position, if not a good one, ends after this,
  package var settling: Duration = .seconds(30)
  /// and one that has found none after this; then each rest is twice the one before.
  package var patience: Duration = .seconds(60)
  package var longestRestAfterNothing: Duration = .seconds(900)
  /// A crossing that cannot be made sure of for so long is left to the next look: who stands on a border does not keep satellites on.
  package var doubt: Duration = .seconds(90)
  /// Whoever is within reach of one place for so long stands still.
  package var stillness: Duration = .seconds(120)
  package var reach = Meters(50)
  /// Metres per second: nobody who stands still is as fast.
  package var leastSpeed = 1.5
  /// What a car on a motorway moves in a second, metres, where nobody knows how the machine moves.
  package var greatestSpeed = 40.0
  /// A look is good enough with the radius that the nearest border leaves room for, within these.
  package var sufficient: ClosedRange<Meters> = Meters(20)...Meters(150)

  package init() {}
}
