package import Geodesy

/// How sure a crossing has to be. Apple states no figures but for the stay; the others are ours, found on simulated and recorded
/// drives (CrossingTests).
package struct RegionTuning: Sendable {
  /// No border is crossed before a fix lies as far beyond it, whatever its radius.
  package var leastMargin = Meters(3)
  /// As many 68 % radii beyond the border a fix counts where the speed, too, says that the border was crossed. With 0.8 radii, some
  /// crossings are told more than once; with 1.25, some are missed that went further than a radius (CrossingTests).
  package var margin = 1.0
  /// And as many where nothing else speaks for it: 3 standard deviations.
  package var sureMargin = 2.0
  /// What the speed has to account for of the way from one side to the other.
  package var travelledShare = 0.5
  /// Whoever is surely beyond for so long is there, even if the speed knows nothing of it (Documentation/Behavior.md, "Regions").
  package var stay: Duration = .seconds(20)
  /// Between fixes further apart anything may have happened.
  package var gap: Duration = .seconds(5)
  /// What is slower stands still: a receiver's speed, metres per second, is never quite zero.
  package var stillSpeed = 0.3
  /// Nearer than `sureMargin` it takes the fixes of so long to say on which side the device is, of which nothing is known yet.
  package var settling: Duration = .seconds(5)
  /// As many fixes are remembered, and at times twice as many: the least, and the most where positions are averaged over long.
  package var memory = 64...512
  /// Positions jump from one to the next where the variance of that is so many times the one that the radius tells: then those that
  /// the receiver itself told are averaged, as each is wrong by itself.
  package var jumping = 4.0
  /// And their mean has to be so many margins beyond a border, too.
  package var meanShare = 0.5
  /// How far a receiver's error wanders along a way that its speed tells: variance, m², that it gains in a second. Found on drives
  /// with noise (CrossingTests): 0.3 is worse, 0.01 hardly better and takes a longer memory.
  package var wander = 0.03
  /// The variance of what positions jump by is that of as many of them.
  package var varianceMemory = 30.0
  /// Of those further away than so many times what they are averaged over, nothing is left: e⁻⁵.
  package var reach = 5.0

  package init() {}
}
