package import Geodesy

/// ZDA, time and date (NMEA 0183 4.11, section 8.3.107).
package struct ZDA: Hashable, Sendable {
  package var time: TimeOfDay?
  /// Two digits of a year, which some plotters send (Navico GoFree), are read as RMC's; `nil` also where the year is outside
  /// `TwoDigitDate.years`.
  package var date: CalendarDate?
}
