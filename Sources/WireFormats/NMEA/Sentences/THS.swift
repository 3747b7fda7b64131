/// THS, true heading and its status (NMEA 0183 4.11, section 8.3.88).
package struct THS: Hashable, Sendable {
  /// 0…360,000, clockwise from true north.
  package var headingMillidegrees: Int32?
  /// `valid` is V ("data not valid") here.
  package var mode: PositionMode
}
