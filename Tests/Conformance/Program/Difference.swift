/// The field of an epoch that differs between gpsd and this package.
enum Difference: String, CaseIterable, Codable {
  /// gpsd reports an epoch that this package does not report.
  case missing
  /// This package reports an epoch with a fix that gpsd does not report.
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
  /// The satellites in view.
  case satellites
  case elevation
  case azimuth
  case signal
  /// The number of satellites used.
  case used
}
