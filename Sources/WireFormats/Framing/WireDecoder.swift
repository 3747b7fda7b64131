/// Finds and decodes the frames in a receiver's byte stream: NMEA, UBX, RTCM 3 (skipped) and noise, in any mixture and cut
/// into chunks anywhere.
///
/// The decoder buffers a frame that the end of a chunk cuts off until the rest arrives. It trusts no length field before
/// the checksum: the search resumes one byte after the start of a UBX or RTCM frame with a wrong checksum, and at the end
/// of an NMEA line with one, so that no later frame is lost.
package struct WireDecoder: Sendable {
  /// The longest frame that the decoder buffers, in bytes: a UBX payload of 8 KiB (NAV-SAT of 255 satellites has 3,068 bytes).
  package static let maximumFrame = 8192 + 8
  /// The longest NMEA line, in bytes. NMEA 0183 allows 82, one line in fifty is longer, and PUBX,03 with 64 satellites has 1,700.
  package static let maximumLine = 4096

  /// Receives the bytes that contain a frame, the frame, and the `position` of its end.
  typealias FrameBody = (Span<UInt8>, WireFrame, _ end: UInt64) -> WireFrame.Outcome

  /// Totals over all bytes so far.
  package internal(set) var counters = DecodeCounters()
  /// The beginning of an incomplete frame. The capacity of this array never grows.
  private var pending: [UInt8] = []
  /// The remaining budget for wrong UBX checksums, in bytes. Every byte that the search passes adds `creditPerByte`. A
  /// series of false headers of long frames therefore costs a bounded amount of work instead of a checksum over 8 KiB for
  /// every six bytes.
  var checksumCredit = Self.maximumChecksumCredit
  package static let maximumChecksumCredit = 16 * Self.maximumFrame
  package static let creditPerByte = 16

  /// A decoder without input so far.
  package init() { pending.reserveCapacity(2 * Self.maximumFrame) }

  /// The number of buffered bytes of an incomplete frame.
  package var pendingByteCount: Int { pending.count }

  /// Whether an incomplete frame is buffered.
  package var hasPendingBytes: Bool { !pending.isEmpty }

  /// Discards an incomplete frame after the line was interrupted or its baud rate changed. Keeps the counters.
  package mutating func reset() {
    counters.noiseBytes &+= UInt64(pending.count)
    pending.removeAll(keepingCapacity: true)
  }

  /// The number of bytes searched so far. During a callback this is the end of the frame that is being delivered.
  package var position: UInt64 { counters.frameBytes &+ counters.noiseBytes }

  /// Processes the next bytes and calls `body` with each message that they complete, in order.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (WireMessage) -> Void) {
    search(bytes) { bytes, frame, _ in frame.decode(bytes, body) }
  }

  /// The same, with the `position` of the end of the frame that contains the message.
  package mutating func push(_ bytes: Span<UInt8>, withEnds body: (WireMessage, _ end: UInt64) -> Void) {
    search(bytes) { bytes, frame, end in frame.decode(bytes) { body($0, end) } }
  }

  /// Processes the next bytes and calls `body` with each frame that they complete, not decoded: the bytes that contain the
  /// frame, the frame, and the `position` of its end.
  package mutating func pushFrames(_ bytes: Span<UInt8>, _ body: (Span<UInt8>, WireFrame, _ end: UInt64) -> Void) {
    search(bytes) { bytes, frame, end in
      body(bytes, frame, end)
      return .decoded
    }
  }

  private mutating func search(_ bytes: Span<UInt8>, _ body: FrameBody) {
    var start = 0
    // Completes the buffered frame with as little of the chunk as possible, then decodes the rest of the chunk in place.
    while !pending.isEmpty, start < bytes.count {
      let waited = pending.count
      let piece = min(bytes.count - start, Self.pieceLength)
      for index in start..<start + piece { pending.append(bytes[index]) }
      start += piece
      // Moves the buffer out during the scan, so that no second reference to its storage forces a copy.
      var waiting: [UInt8] = []
      swap(&waiting, &pending)
      let consumed = scan(waiting.span, from: 0, body)
      if consumed >= waited {
        start -= waiting.count - consumed
        waiting.removeAll(keepingCapacity: true)
      } else {
        waiting.removeSubrange(0..<consumed)
      }
      swap(&waiting, &pending)
    }
    guard start < bytes.count else { return }
    let consumed = scan(bytes, from: start, body)
    for index in consumed..<bytes.count { pending.append(bytes[index]) }
  }

  /// Rejects the incomplete frame after the line was silent in the middle of it, and searches the buffered bytes for the frames
  /// that they contain.
  package mutating func resynchronize(_ body: (WireMessage) -> Void) {
    while !pending.isEmpty {
      counters.noiseBytes &+= 1
      var waiting: [UInt8] = []
      swap(&waiting, &pending)
      let consumed = scan(waiting.span, from: 1) { bytes, frame, _ in frame.decode(bytes, body) }
      waiting.removeSubrange(0..<consumed)
      swap(&waiting, &pending)
    }
  }

  private static let pieceLength = 128
}

/// The totals of a decoder. Counts wrap around.
package struct DecodeCounters: Hashable, Sendable {
  /// NMEA sentences with a correct checksum, decoded or not.
  package var validNMEA: UInt64 = 0
  /// UBX frames with a correct checksum, decoded or not.
  package var validUBX: UInt64 = 0
  /// RTCM 3 frames with a correct CRC; the decoder skips them.
  package var skippedRTCM: UInt64 = 0
  /// Frames of known shape with a wrong or missing checksum.
  package var checksumErrors: UInt64 = 0
  /// Frames with a correct checksum, but with a field count, a field or a range that the type does not allow. They have no effect.
  package var malformed: UInt64 = 0
  /// Frames with a correct checksum, of a type that this module does not decode.
  package var unknown: UInt64 = 0
  /// Bytes of frames with a correct checksum, and line endings.
  package var frameBytes: UInt64 = 0
  /// Bytes that belong to no frame. This count, `frameBytes` and the buffered bytes add up to all bytes received.
  package var noiseBytes: UInt64 = 0

  /// All counts zero.
  package init() {}

  /// Frames of any kind with a correct checksum: proof that the baud rate is correct.
  package var validFrames: UInt64 { validNMEA &+ validUBX &+ skippedRTCM }
}

/// Recognizes the times of a second, slower talker on the same line: they lie a few seconds behind the current epoch,
/// while other sentences continue that epoch. A clock that was set back differs: all its times continue from the earlier
/// one.
package struct StaleTimes: Sendable {
  /// The number of consecutive stale times, each later than the one before, the last of which becomes the current time.
  package static let timesToAcceptStepBack = 3
  /// Seconds. A talker that lags more than this does not repeat the current epoch: it has another clock, or its clock was set.
  package static let longestLagSeconds: Int64 = 10

  private var latest: Int64?
  private var inARow = 0

  /// A filter without input so far.
  package init() {}

  /// Whether the time in a message is stale.
  ///
  /// - Parameters:
  ///   - lag: how far the time lies behind the current time, in the unit of `second`; not behind if zero or less.
  ///   - time: the time itself, in the unit of `second`. It may jump at midnight, which restarts the count.
  ///   - second: the length of one second in the unit of `lag` and `time`.
  package mutating func isStale(_ time: Int64, lag: Int64, second: Int64) -> Bool {
    guard lag > 0, lag <= Self.longestLagSeconds * second else {
      latest = nil
      inARow = 0
      return false
    }
    if let latest, time <= latest {
      // The same epoch does not count again. An earlier one restarts the count, because a clock that was set back runs forward.
      if time < latest { inARow = 1 }
    } else {
      inARow += 1
    }
    latest = time
    guard inARow >= Self.timesToAcceptStepBack else { return true }
    latest = nil
    inARow = 0
    return false
  }
}
