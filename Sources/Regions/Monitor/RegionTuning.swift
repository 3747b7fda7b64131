package import Geodesy

/// How certain a crossing has to be. Apple publishes no values except for the stay; the others are ours, found on simulated and
/// recorded drives (CrossingTests).
package struct RegionTuning: Sendable {
  /// The least distance of a fix beyond a border that counts as a crossing, whatever the fix's radius.
  package var leastMargin = Meters(3)
  /// The least distance beyond the border, in 68 % radii, at which a fix counts if the speed also indicates the crossing. With 0.8
  /// radii, some crossings are reported more than once; with 1.25, some are missed that went further than a radius (CrossingTests).
  package var margin = 1.0
  /// The same if no other evidence supports the crossing: 3 standard deviations.
  package var sureMargin = 2.0
  /// The share of the path from one side to the other that the speed has to account for.
  package var travelledShare = 0.5
  /// A device that is certainly beyond for this long has crossed, even if its speed does not show it (Documentation/Behavior.md,
  /// "Regions").
  package var stay: Duration = .seconds(20)
  /// If fixes are further apart than this, anything may have happened between them.
  package var gap: Duration = .seconds(5)
  /// A slower device counts as being at rest: a receiver's speed, meters per second, is never quite zero.
  package var stillSpeed = 0.3
  /// Nearer than `sureMargin`, this duration of fixes is needed to decide the side of a region whose state is unknown.
  package var settling: Duration = .seconds(5)
  /// The number of fixes remembered, at times twice as many: the minimum, and the maximum if positions are averaged over a long
  /// time.
  package var memory = 64...512
  /// Positions count as jumping if the variance of the jumps is this many times the variance that the radius implies. Then the
  /// receiver's own positions are averaged, because their errors are independent.
  package var jumping = 4.0
  /// The mean of the positions also has to be this many margins beyond a border.
  package var meanShare = 0.5
  /// How much a receiver's error wanders along a path computed from its speed: the variance, m², that it gains per second. Found on
  /// drives with noise (CrossingTests): 0.3 is worse, 0.01 hardly better and needs a longer memory.
  package var wander = 0.03
  /// The variance of the jumps is averaged over this many positions.
  package var varianceMemory = 30.0
  /// Positions older than this many averaging times have hardly any weight: e⁻⁵.
  package var reach = 5.0

  package init() {}
}
