package import Geodesy

/// VTG, course and speed over ground: the form with unit letters (since NMEA 0183 2.0), and the older one with four bare numbers
/// (NMEA 0183 4.11, section 8.3.98).
package struct VTG: Hashable, Sendable {
  package var courseMillidegrees: Int32?
  package var speedMilliknots: Int32?
  package var mode: PositionMode?
}

/// HDT, true heading of the vessel (NMEA 0183 4.11, section 8.3.45): the direction of the bow, not of the motion.
package struct HDT: Hashable, Sendable {
  /// 0…360,000, clockwise from true north.
  package var headingMillidegrees: Int32?
}

/// THS, true heading and its status (NMEA 0183 4.11, section 8.3.88).
package struct THS: Hashable, Sendable {
  /// 0…360,000, clockwise from true north.
  package var headingMillidegrees: Int32?
  /// `valid` is V ("data not valid") here.
  package var mode: PositionMode
}

/// ZDA, time and date (NMEA 0183 4.11, section 8.3.107).
package struct ZDA: Hashable, Sendable {
  package var time: TimeOfDay?
  /// A two-digit year, which some plotters send (Navico GoFree), has the same meaning as in RMC. `nil` if the date is missing or
  /// its year is outside `TwoDigitDate.years`.
  package var date: CalendarDate?
}

/// TXT, a text from the receiver (NMEA 0183 4.11, section 8.3.93).
package struct TXT: Hashable, Sendable {
  /// 0 error, 1 warning, 2 notice, 7 user, in the u-blox convention.
  package var severity: UInt8
  package var text: InlineText
}
