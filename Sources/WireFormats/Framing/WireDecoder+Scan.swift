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

  /// Calls `body` with all frames in `bytes` from `start`; returns the position of the first incomplete frame, or the
  /// end of the bytes.
  mutating func scan(_ bytes: Span<UInt8>, from start: Int, _ body: FrameBody) -> Int {
    var position = start
    let count = bytes.count
    while position < count {
      let found: Found
      switch bytes[position] {
      case UInt8(ascii: "$"), UInt8(ascii: "!"): found = line(bytes, at: position, body)
      case 0xB5: found = ubx(bytes, at: position, body)
      case RTCMFraming.preamble: found = rtcm(bytes, at: position)
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
  mutating func count(_ outcome: WireFrame.Outcome) {
    switch outcome {
    case .decoded: break
    case .malformed: counters.malformed &+= 1
    case .unknown: counters.unknown &+= 1
    }
  }

  /// Skips an RTCM 3 frame, because corrections that a receiver passes on contain nothing about the position of that receiver.
  private mutating func rtcm(_ bytes: Span<UInt8>, at start: Int) -> Found {
    switch RTCMFraming.check(bytes, at: start) {
    case .frame(let length):
      counters.skippedRTCM &+= 1
      counters.frameBytes &+= UInt64(truncatingIfNeeded: length)
      return .upTo(start &+ length)
    case .incomplete: return .incomplete
    case .nothing: return .nothing
    case .wrongChecksum:
      counters.checksumErrors &+= 1
      return .nothing
    }
  }
}
