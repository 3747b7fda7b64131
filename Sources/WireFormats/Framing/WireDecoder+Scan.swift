/// The search for frames in a span of bytes.
extension WireDecoder {
  /// What the search found at a position.
  enum Found {
    /// A frame or the remains of one; the search continues at this position.
    case upTo(Int)
    /// The end of the frame has not arrived.
    case incomplete
    /// No frame begins here.
    case nothing
  }

  /// Calls `body` with all frames in `bytes` from `start`; returns the position of the first incomplete frame.
  mutating func scan(_ bytes: Span<UInt8>, from start: Int, _ body: FrameBody) -> Int {
    var position = start
    let count = bytes.count
    while position < count {
      let found: Found
      switch bytes[position] {
      case UInt8(ascii: "$"), UInt8(ascii: "!"): found = line(bytes, at: position, body)
      case 0xB5: found = ubx(bytes, at: position, body)
      case 0xD3: found = rtcm(bytes, at: position)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        counters.frameBytes &+= 1
        found = .upTo(position &+ 1)
      default: found = .nothing
      }
      switch found {
      case .upTo(let next):
        checksumCredit = min(Self.maximumChecksumCredit, checksumCredit &+ (next &- position) &* Self.creditPerByte)
        position = next
      case .incomplete: return position
      case .nothing:
        counters.noiseBytes &+= 1
        checksumCredit = min(Self.maximumChecksumCredit, checksumCredit &+ Self.creditPerByte)
        position &+= 1
      }
    }
    return position
  }

  /// Scans a line from `$` or `!` to the checksum after its `*`.
  ///
  /// Processes eight bytes at a time while all of them are plain: digits, letters, commas, dots.
  private mutating func line(_ bytes: Span<UInt8>, at start: Int, _ body: FrameBody) -> Found {
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
      // The start of another line, a line ending or a control character ends a line without a checksum. Spaces and punctuation
      // belong to the line.
      guard byte >= 0x20, byte < 0x7F, byte != 0x24, byte != 0x21 else { return broken(upTo: position, from: start) }
      checksum ^= UInt64(byte)
      position &+= 1
    }
  }

  /// Counts the bytes of an invalid line as noise. The search examines the byte that ended the line again.
  private mutating func broken(upTo end: Int, from start: Int) -> Found {
    counters.checksumErrors &+= 1
    counters.noiseBytes &+= UInt64(end &- start)
    return .upTo(end)
  }

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

  /// Checks for a UBX frame: B5 62, class, identifier, length, payload, checksum (UBX-21048598, section 3.2).
  private mutating func ubx(_ bytes: Span<UInt8>, at start: Int, _ body: FrameBody) -> Found {
    let left = bytes.count &- start
    guard left > 1 else { return .incomplete }
    guard bytes[start &+ 1] == 0x62 else { return .nothing }
    guard left >= 6 else { return .incomplete }
    let length = Int(bytes[start &+ 4]) | Int(bytes[start &+ 5]) << 8
    guard length &+ 8 <= Self.maximumFrame else { return .nothing }
    guard length <= checksumCredit else { return .nothing }
    guard left >= length &+ 8 else { return .incomplete }
    let end = start &+ 6 &+ length
    var checksum = FletcherChecksum()
    for position in start &+ 2..<end { checksum.add(bytes[position]) }
    guard bytes[end] == checksum.a, bytes[end &+ 1] == checksum.b else {
      checksumCredit &-= length
      counters.checksumErrors &+= 1
      return .nothing
    }
    counters.validUBX &+= 1
    counters.frameBytes &+= UInt64(truncatingIfNeeded: length &+ 8)
    let frame = WireFrame.ubx(class: bytes[start &+ 2], id: bytes[start &+ 3], payload: start &+ 6..<end)
    count(body(bytes, frame, position))
    return .upTo(end &+ 2)
  }

  @inline(__always)
  private mutating func count(_ outcome: WireFrame.Outcome) {
    switch outcome {
    case .decoded: break
    case .malformed: counters.malformed &+= 1
    case .unknown: counters.unknown &+= 1
    }
  }

  /// Checks for an RTCM 3 frame: D3, six zero bits, ten bits of length, message, CRC-24Q (RTCM 10403.3, section 4.1). Skips
  /// it, because corrections that a receiver passes on contain nothing about the position of that receiver.
  private mutating func rtcm(_ bytes: Span<UInt8>, at start: Int) -> Found {
    let left = bytes.count &- start
    guard left > 1 else { return .incomplete }
    guard bytes[start &+ 1] & 0xFC == 0 else { return .nothing }
    guard left > 2 else { return .incomplete }
    let length = Int(bytes[start &+ 1]) << 8 | Int(bytes[start &+ 2])
    guard left >= length &+ 6 else { return .incomplete }
    let end = start &+ 3 &+ length
    var crc = CRC24Q()
    for position in start..<end { crc.add(bytes[position]) }
    let reported = UInt32(bytes[end]) << 16 | UInt32(bytes[end &+ 1]) << 8 | UInt32(bytes[end &+ 2])
    guard crc.value == reported else {
      counters.checksumErrors &+= 1
      return .nothing
    }
    counters.skippedRTCM &+= 1
    counters.frameBytes &+= UInt64(truncatingIfNeeded: length &+ 6)
    return .upTo(end &+ 3)
  }
}
