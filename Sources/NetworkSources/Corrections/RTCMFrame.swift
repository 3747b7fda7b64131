import WireFormats

/// One frame of RTCM 3 with a correct CRC: D3, six zero bits, ten bits of length, message, CRC-24Q (RTCM 10403.3, section 4).
package struct RTCMFrame: Hashable, Sendable {
  /// The longest frame, bytes: a message of 1023 bytes.
  package static let longest = 1023 + 6

  /// The whole frame.
  package let bytes: [UInt8]

  /// `bytes` must be a whole frame with a correct CRC.
  fileprivate init(checked bytes: [UInt8]) { self.bytes = bytes }

  /// The frame that `bytes` consist of; `nil` if they are not exactly one.
  package init?(_ bytes: [UInt8]) {
    var framer = RTCMFramer()
    var found: RTCMFrame?
    framer.push(bytes.span) { found = $0 }
    guard let found, found.bytes.count == bytes.count else { return nil }
    self = found
  }

  /// DF002, 0…4095; `nil` for a message of less than two bytes, which some casters send to keep the connection open.
  package var messageNumber: Int? { bits(at: 0, count: 12).map { Int($0) } }

  /// An unsigned number in the message, most significant bit first; `nil` if the message ends before it. `count` is at most 57.
  func bits(at start: Int, count: Int) -> UInt64? {
    let message = bytes.count - 6
    guard start >= 0, count > 0, start + count <= message * 8 else { return nil }
    var value: UInt64 = 0
    for index in start / 8...(start + count - 1) / 8 { value = value << 8 | UInt64(bytes[3 + index]) }
    let after = 7 - (start + count - 1) % 8
    return value >> UInt64(after) & ((1 << UInt64(count)) - 1)
  }

  /// A number in two's complement.
  func signedBits(at start: Int, count: Int) -> Int64? {
    bits(at: start, count: count).map { Int64(bitPattern: $0 << UInt64(64 - count)) >> Int64(64 - count) }
  }
}

/// Finds the frames of RTCM 3 in a stream, which may be divided into any pieces. Only length and CRC are read;
/// everything else is dropped and counted.
///
/// A length is not trusted before the CRC is checked: after a wrong CRC, the search resumes one byte after the start of
/// the rejected frame.
package struct RTCMFramer: Sendable {
  /// Frames with a correct CRC.
  package private(set) var frameCount: UInt64 = 0
  /// Bytes that belong to no frame.
  package private(set) var noiseCount: UInt64 = 0
  /// Bytes that look like a frame, with a wrong CRC.
  package private(set) var wrongChecksumCount: UInt64 = 0
  /// The beginning of an incomplete frame.
  private var pending: [UInt8] = []

  package init() {}

  /// The number of buffered bytes, less than `RTCMFrame.longest`.
  package var pendingByteCount: Int { pending.count }

  /// Drops an incomplete frame, because the connection was lost in the middle of it.
  package mutating func reset() {
    noiseCount &+= UInt64(pending.count)
    pending.removeAll(keepingCapacity: true)
  }

  /// Reads the next bytes, and calls `body` with each frame that they complete.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (RTCMFrame) -> Void) {
    var start = 0
    while start < bytes.count {
      let end = min(start + RTCMFrame.longest, bytes.count)
      for index in start..<end { pending.append(bytes[index]) }
      start = end
      scan(body)
    }
  }

  private mutating func scan(_ body: (RTCMFrame) -> Void) {
    var position = 0
    scanning: while position < pending.count {
      switch RTCMFraming.check(pending.span, at: position) {
      case .frame(let length):
        let frame = RTCMFrame(checked: Array(pending[position..<position + length]))
        frameCount &+= 1
        position += length
        body(frame)
        continue
      case .incomplete: break scanning
      case .wrongChecksum: wrongChecksumCount &+= 1
      case .nothing: break
      }
      noiseCount &+= 1
      position += 1
    }
    pending.removeSubrange(0..<position)
  }
}
