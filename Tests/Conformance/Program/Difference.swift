/// What of an epoch differs between gpsd and us.
enum Difference: String, CaseIterable, Codable {
  /// gpsd reports an epoch that we do not.
  case missing
  /// We report an epoch with a fix that gpsd does not.
  case extra
  /// One has a fix and the other has none.
  case fix
  /// 2D or 3D.
  case mode
  case time
  case latitude
  case longitude
  case heightAboveEllipsoid
  case heightAboveMeanSeaLevel
  /// Which satellites are in view.
  case satellites
  case elevation
  case azimuth
  case signal
  /// How many satellites are used.
  case used
}
