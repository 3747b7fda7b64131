import WireFormats

/// The kind of a recording, detected from its beginning.
package enum LogFormat: Hashable, Sendable {
  /// A capture, the format with arrival times.
  case capture
  /// NMEA 0183 sentences as a receiver sent them, possibly mixed with other protocols' messages.
  case nmea
  /// UBX messages as a receiver sent them.
  case ubx
  /// An empty file.
  case empty
  /// No output of a receiver.
  case unknown

  /// The most bytes that `detect` needs: more than one epoch of a receiver with much output.
  package static let prefixLength = 16_384
}

extension LogFormat {
  /// The format of a file that begins with `firstBytes`, of which at most `prefixLength` are examined. A capture is
  /// recognized by its first line, a log by the first frames with a correct checksum, regardless of the noise around
  /// them.
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

/// Bytes of a plain log with their reconstructed arrival time.
package struct TimedBytes: Hashable, Sendable {
  /// Time since the log's first epoch.
  package var arrival: Duration
  package var bytes: [UInt8]

  package init(arrival: Duration, bytes: [UInt8]) {
    self.arrival = arrival
    self.bytes = bytes
  }
}
