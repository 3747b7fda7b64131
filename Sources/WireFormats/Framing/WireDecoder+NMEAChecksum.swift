/// NMEA sentences: their ends and checksums.
extension WireDecoder {
  /// Scans a line from `$` or `!` to the checksum after its `*`.
  ///
  /// Processes eight bytes at a time while all of them are plain: digits, letters, commas, dots.
  mutating func line(_ bytes: Span<UInt8>, at start: Int, _ body: FrameBody) -> Found {
    let count = bytes.count
    let limit = min(count, start &+ Self.maximumLine)
    var position = start &+ 1
    var checksum: UInt64 = 0
    while true {
      while position &+ 8 <= limit {
        let word = bytes.word(at: position)
        let special = PlainBytes.marks(in: word)
        guard special == 0 else {
          let plain = special.trailingZeroBitCount >> 3
          // The lowest mark is the top bit of the first special byte; all bytes below that byte are plain.
          checksum ^= word & ((1 << UInt64(truncatingIfNeeded: plain &* 8)) &- 1)
          position &+= plain
          break
        }
        checksum ^= word
        position &+= 8
      }
      guard position < limit else {
        return limit < count || count &- start >= Self.maximumLine ? broken(upTo: position, from: start) : .incomplete
      }
      let byte = bytes[position]
      if byte == 0x2A {
        return sentence(bytes, start: start, star: position, checksum: PlainBytes.folded(checksum), body)
      }
      // The start of another line, and any byte that is not printable ASCII (a line ending, for example), end a line
      // without a checksum. Spaces and punctuation belong to the line.
      guard byte >= 0x20, byte < 0x7F, byte != 0x24, byte != 0x21 else { return broken(upTo: position, from: start) }
      checksum ^= UInt64(byte)
      position &+= 1
    }
  }

  /// Counts the bytes of an invalid line as noise. The search continues at `end`, which may be the start of a frame.
  private mutating func broken(upTo end: Int, from start: Int) -> Found {
    counters.checksumErrors &+= 1
    counters.noiseBytes &+= UInt64(end &- start)
    return .upTo(end)
  }

  /// Compares the two hexadecimal digits after `*` with the exclusive or of the bytes between `$` and `*` (NMEA 0183 4.11).
  private mutating func sentence(
    _ bytes: Span<UInt8>, start: Int, star: Int, checksum: UInt8, _ body: FrameBody
  ) -> Found {
    guard star &+ 2 < bytes.count else {
      // If the first byte cannot belong to a checksum, there is no need to wait for the second.
      guard star &+ 1 < bytes.count, HexDigit.value(of: bytes[star &+ 1]) == nil else { return .incomplete }
      return broken(upTo: star &+ 1, from: start)
    }
    guard let high = HexDigit.value(of: bytes[star &+ 1]), let low = HexDigit.value(of: bytes[star &+ 2]),
      high << 4 | low == checksum
    else { return broken(upTo: star &+ 1, from: start) }
    counters.validNMEA &+= 1
    counters.frameBytes &+= UInt64(truncatingIfNeeded: star &+ 3 &- start)
    count(body(bytes, .sentence(start: start &+ 1, end: star), position))
    return .upTo(star &+ 3)
  }
}
