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

/// A date with two digits of the year.
package struct TwoDigitDate: Hashable, Sendable {
  /// 1…31.
  package var day: UInt8
  /// 1…12.
  package var month: UInt8
  /// 0…99.
  package var year: UInt8

  /// Years that two digits can stand for: GPS time begins in 1980. A receiver that tells another year is wrong.
  package static let years = 1980...2079

  /// The year that two digits stand for.
  package static func fullYear(_ twoDigits: Int) -> Int { twoDigits >= 80 ? 1900 + twoDigits : 2000 + twoDigits }

  /// The date with its full year.
  package var date: CalendarDate? {
    CalendarDate(year: Self.fullYear(Int(year)), month: Int(month), day: Int(day))
  }
}
