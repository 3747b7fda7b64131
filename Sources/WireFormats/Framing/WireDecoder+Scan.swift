/// The search for frames in a stretch of bytes.
extension WireDecoder {
  /// What a place in the bytes turned out to be.
  enum Found {
    /// A frame, or what is left of one: go on here.
    case upTo(Int)
    /// The frame's end is not there yet.
    case incomplete
    /// No frame begins here.
    case nothing
  }

  /// Decodes all frames in `bytes` from `start`; returns where the unfinished rest begins.
  mutating func scan(_ bytes: Span<UInt8>, from start: Int, _ body: (WireMessage) -> Void) -> Int {
    var position = start
    let count = bytes.count
    while position < count {
      let found: Found
      switch bytes[position] {
      case UInt8(ascii: "$"), UInt8(ascii: "!"): found = line(bytes, at: position, body)
      case 0xB5: found = ubx(bytes, at: position, body)
      case 0xD3: found = rtcm(bytes, at: position)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"): found = .upTo(position &+ 1)
      default: found = .nothing
      }
      switch found {
      case .upTo(let next): position = next
      case .incomplete: return position
      case .nothing:
        counters.noiseBytes &+= 1
        position &+= 1
      }
    }
    return position
  }

  /// A line from `$` or `!` to the checksum behind its `*`.
  private mutating func line(_ bytes: Span<UInt8>, at start: Int, _ body: (WireMessage) -> Void) -> Found {
    let count = bytes.count
    var position = start &+ 1
    var checksum: UInt8 = 0
    var commaCount = 0
    while position < count {
      let byte = bytes[position]
      if byte > 0x2C {
        // Digits, letters, dot and minus: most of all bytes.
        guard byte < 0x7F else { return broken(upTo: position, from: start) }
        checksum ^= byte
      } else if byte == 0x2C {
        if commaCount < SentenceFields.maximumCommas { commas[commaCount] = UInt16(truncatingIfNeeded: position &- start) }
        commaCount &+= 1
        checksum ^= byte
      } else if byte == 0x2A {
        return sentence(bytes, start: start, star: position, checksum: checksum, commaCount: commaCount, body)
      } else {
        // Blank and marks belong to a line; its beginning, its end and controls end it without a checksum.
        guard byte >= 0x20, byte != 0x24, byte != 0x21 else { return broken(upTo: position, from: start) }
        checksum ^= byte
      }
      position &+= 1
      guard position &- start <= Self.maximumLine else { return broken(upTo: position, from: start) }
    }
    return .incomplete
  }

  /// A line that is none: its bytes are noise, and what ended it is looked at again.
  private mutating func broken(upTo end: Int, from start: Int) -> Found {
    counters.checksumErrors &+= 1
    counters.noiseBytes &+= UInt64(end &- start)
    return .upTo(end)
  }

  private mutating func sentence(
    _ bytes: Span<UInt8>, start: Int, star: Int, checksum: UInt8, commaCount: Int, _ body: (WireMessage) -> Void
  ) -> Found {
    guard star &+ 2 < bytes.count else {
      // A byte that cannot be a checksum's need not wait for the next.
      if star &+ 1 < bytes.count, HexDigit.value(of: bytes[star &+ 1]) == nil { return broken(upTo: star &+ 1, from: start) }
      return .incomplete
    }
    guard let high = HexDigit.value(of: bytes[star &+ 1]), let low = HexDigit.value(of: bytes[star &+ 2]),
      high << 4 | low == checksum
    else { return broken(upTo: star &+ 1, from: start) }
    counters.validNMEA &+= 1
    decode(bytes, start: start &+ 1, end: star, commaCount: commaCount, body)
    return .upTo(star &+ 3)
  }

  private mutating func decode(
    _ bytes: Span<UInt8>, start: Int, end: Int, commaCount: Int, _ body: (WireMessage) -> Void
  ) {
    guard commaCount <= SentenceFields.maximumCommas else {
      guard var list = PUBXSatelliteList(bytes, start: start, end: end) else {
        counters.malformed &+= 1
        return
      }
      if !list.read({ body(.nmea(.pubxSatellite($0), from: .gps)) }) { counters.malformed &+= 1 }
      return
    }
    var fields = SentenceFields(bytes, start: start, end: end, commas: commas, commaCount: commaCount)
    guard let message = SentenceDecoder.decode(&fields) else {
      counters.malformed &+= 1
      return
    }
    if case .nmea(.unknown, _) = message {
      if var list = PUBXSatelliteList(bytes, start: start, end: end) {
        if !list.read({ body(.nmea(.pubxSatellite($0), from: .gps)) }) { counters.malformed &+= 1 }
        return
      }
      counters.unknown &+= 1
    }
    body(message)
  }

  /// A UBX frame: B5 62, class, identifier, length, payload, checksum (UBX-21048598, section 3.2).
  private mutating func ubx(_ bytes: Span<UInt8>, at start: Int, _ body: (WireMessage) -> Void) -> Found {
    let left = bytes.count &- start
    guard left > 1 else { return .incomplete }
    guard bytes[start &+ 1] == 0x62 else { return .nothing }
    guard left >= 6 else { return .incomplete }
    let length = Int(bytes[start &+ 4]) | Int(bytes[start &+ 5]) << 8
    guard length &+ 8 <= Self.maximumFrame else { return .nothing }
    guard left >= length &+ 8 else { return .incomplete }
    let end = start &+ 6 &+ length
    var checksum = FletcherChecksum()
    for position in start &+ 2..<end { checksum.add(bytes[position]) }
    guard bytes[end] == checksum.a, bytes[end &+ 1] == checksum.b else {
      counters.checksumErrors &+= 1
      return .nothing
    }
    counters.validUBX &+= 1
    let payload = bytes.extracting(start &+ 6..<end)
    switch UBXDecoder.decode(class: bytes[start &+ 2], id: bytes[start &+ 3], payload, { body(.ubx($0)) }) {
    case .decoded: break
    case .malformed: counters.malformed &+= 1
    case .unknown: counters.unknown &+= 1
    }
    return .upTo(end &+ 2)
  }

  /// An RTCM 3 frame: D3, six zero bits, ten bits of length, message, CRC-24Q (RTCM 10403.3, section 4.1). Corrections
  /// that a receiver passes on say nothing about where it is: they are skipped.
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
    let told = UInt32(bytes[end]) << 16 | UInt32(bytes[end &+ 1]) << 8 | UInt32(bytes[end &+ 2])
    guard crc.value == told else {
      counters.checksumErrors &+= 1
      return .nothing
    }
    counters.skippedRTCM &+= 1
    return .upTo(end &+ 3)
  }
}
