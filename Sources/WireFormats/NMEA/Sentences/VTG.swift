/// VTG, course and speed over ground: the form with unit letters (NMEA 0183 2.0 on), and the older one of four bare numbers
/// (NMEA 0183 4.11, section 8.3.98).
package struct VTG: Hashable, Sendable {
  package var courseMillidegrees: Int32?
  package var speedMilliknots: Int32?
  package var mode: PositionMode?
}
