/// What kind of recording a file is, told from its beginning.
package enum LogFormat: Hashable, Sendable {
  /// Our own, with arrival times.
  case capture
  /// NMEA 0183 sentences as a receiver sent them, maybe with others' messages between.
  case nmea
  /// UBX messages as a receiver sent them.
  case ubx
  /// No byte at all.
  case empty
  /// Nothing that a receiver says.
  case unknown

  /// How many bytes `detect` wants at most: more than one epoch of a talkative receiver.
  package static let prefixLength = 16_384
}
