package import Geodesy

/// A fix as it was handed over: what every format takes.
package struct LocatedFix: Hashable, Sendable {
  package var fix: PositionFix
  /// From the moment that the fix was true to its hand-over; `nil` of a fix in a track, which nobody waits for.
  package var age: Duration?
  /// Whether it was computed before it was asked for.
  package var isCached: Bool

  /// Whether it is as young as was asked for, so that it passes for the present though it is cached.
  package var isYoungEnough = false
  /// Whether it has the accuracy that was asked for; `nil`: none was.
  package var isAccuracyMet: Bool?

  package init(_ fix: PositionFix, age: Duration?, isCached: Bool = false) {
    self.fix = fix
    self.age = age
    self.isCached = isCached
  }

  /// Both heights, for the formats that mean one of them.
  package var heights: FixHeights { FixHeights(fix) }

  /// Metres above mean sea level, by the receiver's word; never of a fix whose height was held rather than solved.
  package var altitude: Double? { fix.kind.hasHeight ? fix.heightAboveMeanSeaLevel?.value : nil }
  /// Metres above the WGS 84 ellipsoid, under the same rule.
  package var ellipsoidalAltitude: Double? { fix.kind.hasHeight ? fix.heightAboveEllipsoid?.value : nil }
  /// Metres of the geoid above the ellipsoid, under the same rule.
  package var geoidSeparation: Double? { fix.kind.hasHeight ? fix.geoidSeparation?.value : nil }
  /// Metres, 68 %, under the same rule.
  package var verticalAccuracy: Double? { fix.kind.hasHeight ? fix.verticalRadius68?.value : nil }
}
