import WireFormats

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

extension LogFormat {
  /// What `firstBytes` begin, at most `prefixLength` of them looked at. A capture is told by its first line, a log by the
  /// first frames with a right checksum, whatever noise is around them.
  package static func detect(_ firstBytes: Span<UInt8>) -> LogFormat {
    guard !firstBytes.isEmpty else { return .empty }
    let prefix = firstBytes.extracting(0..<min(firstBytes.count, prefixLength))
    if CaptureReader.isBeginning(prefix) { return .capture }
    var decoder = WireDecoder()
    decoder.push(prefix) { _ in }
    let counters = decoder.counters
    if counters.validNMEA == 0, counters.validUBX == 0 { return .unknown }
    return counters.validUBX > counters.validNMEA ? .ubx : .nmea
  }
}

/// Bytes of a plain log with the time at which they would have come.
package struct TimedBytes: Hashable, Sendable {
  /// Time since the log's first epoch.
  package var arrival: Duration
  package var bytes: [UInt8]

  package init(arrival: Duration, bytes: [UInt8]) {
    self.arrival = arrival
    self.bytes = bytes
  }
}
