package import Geodesy

/// Both heights of a fix, each for the formats that mean it, with the one geoid in between where the receiver told one.
package struct FixHeights: Hashable, Sendable {
  /// Metres above mean sea level.
  package let aboveMeanSeaLevel: Double?
  /// Metres above the WGS 84 ellipsoid.
  package let aboveEllipsoid: Double?
  /// Metres of the geoid above the ellipsoid, where they stand behind `aboveMeanSeaLevel`: by the receiver's word, or the
  /// model's where that height was made of the other.
  package let separation: Double?
  /// Whether one height was made of the other by `Geoid`.
  package let isModelled: Bool

  /// The heights of `fix`; none where its height was held rather than solved.
  package init(_ fix: PositionFix) {
    let sea = fix.kind.hasHeight ? Self.number(fix.heightAboveMeanSeaLevel) : nil
    let ellipsoid = fix.kind.hasHeight ? Self.number(fix.heightAboveEllipsoid) : nil
    let undulation = Geoid.undulation(at: fix.coordinate)?.value
    switch (sea, ellipsoid, undulation) {
    case (let sea?, nil, let undulation?):
      (aboveMeanSeaLevel, aboveEllipsoid, separation, isModelled) = (sea, sea + undulation, nil, true)
    case (nil, let ellipsoid?, let undulation?):
      (aboveMeanSeaLevel, aboveEllipsoid, separation, isModelled) =
        (ellipsoid - undulation, ellipsoid, undulation, true)
    case (let sea?, let ellipsoid?, _):
      (aboveMeanSeaLevel, aboveEllipsoid, separation, isModelled) = (sea, ellipsoid, ellipsoid - sea, false)
    case (_, _, _):
      (aboveMeanSeaLevel, aboveEllipsoid, separation, isModelled) = (sea, ellipsoid, nil, false)
    }
  }

  private static func number(_ height: Meters?) -> Double? {
    height.flatMap { $0.value.magnitude <= FixedDecimal.bound ? $0.value : nil }
  }
}
