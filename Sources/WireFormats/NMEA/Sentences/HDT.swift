/// HDT, true heading of the vessel (NMEA 0183 4.11, section 8.3.45): where the bow points, not where it goes.
package struct HDT: Hashable, Sendable {
  /// 0…360,000, clockwise from true north.
  package var headingMillidegrees: Int32?
}
