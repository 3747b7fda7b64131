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

/// A position's two numbers as every format but NMEA writes them: degrees with 7 to 9 decimals (11 mm to 0.1 mm).
struct CoordinateText: Hashable, Sendable {
  let latitude: FixedDecimal
  let longitude: FixedDecimal
  /// The place that they tell.
  let coordinate: Coordinate

  /// The numbers, or `nil` where there is no such place. The meridian of 180° is told as −180°: GPX's schema has no other
  /// (`longitudeType`), and what rounds up to it belongs to it.
  init?(_ coordinate: Coordinate) {
    guard
      let checked = Coordinate(
        checkingLatitude: coordinate.latitude.degrees, longitude: coordinate.longitude.degrees)
    else { return nil }
    let scale = 1e9
    let isOnDateLine = (checked.longitude.degrees * scale).rounded(.toNearestOrAwayFromZero) >= 180 * scale
    guard let latitude = FixedDecimal(checked.latitude.degrees, decimals: 9, minimum: 7),
      let longitude = FixedDecimal(isOnDateLine ? -180 : checked.longitude.degrees, decimals: 9, minimum: 7)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.coordinate = isOnDateLine ? Coordinate(latitude: checked.latitude, longitude: Angle(degrees: -180)) : checked
  }
}
