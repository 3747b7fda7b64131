package import Geodesy

/// ZDA, time and date (NMEA 0183 4.11, section 8.3.107).
package struct ZDA: Hashable, Sendable {
  package var time: TimeOfDay?
  package var date: CalendarDate?
}
