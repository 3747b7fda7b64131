import WireFormats

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
