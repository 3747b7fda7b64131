package import Geodesy

/// RMC, recommended minimum: time, date, position, motion (NMEA 0183 4.11, section 8.3.72).
package struct RMC: Hashable, Sendable {
  package var time: TimeOfDay?
  /// Day of the month, month and two digits of the year, as told.
  package var date: TwoDigitDate?
  /// Status A; V means "no valid fix".
  package var isValid: Bool
  /// 1e-9 degrees, north positive.
  package var latitudeNanodegrees: Int64?
  /// 1e-9 degrees, east positive.
  package var longitudeNanodegrees: Int64?
  /// Digits behind the point of the coordinates' minutes.
  package var coordinateDecimals: UInt8 = 0
  package var speedMilliknots: Int32?
  /// 0…360,000, clockwise from true north.
  package var courseMillidegrees: Int32?
  /// From 2.3 on.
  package var mode: PositionMode?
  /// Navigational status S, C, U or V, from 4.1 on; V is all that receivers without integrity monitoring say.
  package var navigationalStatus: UInt8?
}

/// A date with two digits of the year (ddmmyy).
package struct TwoDigitDate: Hashable, Sendable {
  /// 1…31.
  package var day: UInt8
  /// 1…12.
  package var month: UInt8
  /// 0…99.
  package var year: UInt8
}
