package import Geodesy

/// A fix as delivered: the input of every format.
package struct LocatedFix: Hashable, Sendable {
  package var fix: PositionFix
  /// From the time of the fix to its delivery; `nil` for a fix in a track, which has no delivery.
  package var age: Duration?
  /// Whether the fix was computed before it was requested.
  package var isCached: Bool

  /// Whether the fix is as recent as requested, so that it counts as current although it is cached.
  package var isYoungEnough = false
  /// Whether the fix has the requested accuracy; `nil`: none was requested.
  package var isAccuracyMet: Bool?
  /// The notations in which text and JSON write the position, as requested by the user. Without any, text has degrees. JSON has degrees
  /// anyway.
  package var notations: [CoordinateStyle] = []
  /// The place in a few words, for the formats that have room for it; `nil`: not wanted, or not known.
  package var place: String?

  package init(_ fix: PositionFix, age: Duration?, isCached: Bool = false) {
    self.fix = fix
    self.age = age
    self.isCached = isCached
  }

  /// Both heights, for the formats that use one of them.
  package var heights: FixHeights { FixHeights(fix) }

  /// Meters above mean sea level, from the receiver; `nil` for a fix whose height was held rather than solved.
  package var altitude: Double? { fix.kind.hasHeight ? fix.heightAboveMeanSeaLevel?.value : nil }
  /// Meters above the WGS 84 ellipsoid, under the same rule.
  package var ellipsoidalAltitude: Double? { fix.kind.hasHeight ? fix.heightAboveEllipsoid?.value : nil }
  /// Meters of the geoid above the ellipsoid, under the same rule.
  package var geoidSeparation: Double? { fix.kind.hasHeight ? fix.geoidSeparation?.value : nil }
  /// Meters, 68 %, under the same rule.
  package var verticalAccuracy: Double? { fix.kind.hasHeight ? fix.verticalRadius68?.value : nil }
}

/// Both heights of a fix, for the formats that use one of them or both; a missing height is computed with the geoid
/// model.
package struct FixHeights: Hashable, Sendable {
  /// Meters above mean sea level.
  package let aboveMeanSeaLevel: Double?
  /// Meters above the WGS 84 ellipsoid.
  package let aboveEllipsoid: Double?
  /// Meters of the geoid above the ellipsoid, if `aboveMeanSeaLevel` is based on it: the difference of the two heights
  /// if both are known, or from the model if `aboveMeanSeaLevel` was computed from the other height.
  package let separation: Double?
  /// Whether one height was computed from the other by `Geoid`.
  package let isModelled: Bool

  /// The heights of `fix`; empty if its height was held rather than solved.
  package init(_ fix: PositionFix) {
    self.init(
      fix.kind.hasHeight ? fix.heightAboveMeanSeaLevel : nil, fix.kind.hasHeight ? fix.heightAboveEllipsoid : nil,
      at: fix.coordinate)
  }

  /// The heights of a note.
  package init(_ note: TrackNote) {
    self.init(note.heightAboveMeanSeaLevel, note.heightAboveEllipsoid, at: note.coordinate)
  }

  private init(_ seaLevel: Meters?, _ ellipsoidal: Meters?, at coordinate: Coordinate) {
    let (sea, ellipsoid) = (Self.number(seaLevel), Self.number(ellipsoidal))
    let undulation = Geoid.undulation(at: coordinate)?.value
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

/// A position's two numbers as in every format except NMEA: degrees with 7 to 9 decimals (11 mm to 0.1 mm).
struct CoordinateText: Hashable, Sendable {
  let latitude: FixedDecimal
  let longitude: FixedDecimal
  /// The coordinate that the two numbers represent.
  let coordinate: Coordinate

  /// The numbers, or `nil` if the position is invalid. The meridian of 180° is written as −180°: GPX's schema allows only that
  /// (`longitudeType`), and values that round up to 180° become −180° too.
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
