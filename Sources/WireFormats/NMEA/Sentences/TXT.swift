/// TXT, a text from the receiver (NMEA 0183 4.11, section 8.3.93).
package struct TXT: Hashable, Sendable {
  /// 0 error, 1 warning, 2 notice, 7 user, by u-blox' habit.
  package var severity: UInt8
  package var text: InlineText
}
