/// Finds the frames in what a receiver sends and decodes them: NMEA, UBX, RTCM 3 (skipped) and noise, in any mixture and cut
/// into chunks anywhere.
///
/// A frame that is cut off by the end of a chunk waits for the rest. No length is believed before the checksum: after a
/// frame that turns out wrong, the search goes on right behind its first byte, so that nothing that follows is lost.
package struct WireDecoder: Sendable {
  /// The longest frame that is waited for: a UBX payload of 8 KiB (NAV-SAT of 255 satellites has 3,068 bytes).
  package static let maximumFrame = 8192 + 8
  /// The longest NMEA line: NMEA 0183 says 82, one line in fifty is longer, PUBX,03 of 64 satellites has 1,700.
  package static let maximumLine = 4096

  /// Takes a frame, the bytes that it lies in, and the `position` of its end.
  typealias FrameBody = (Span<UInt8>, WireFrame, _ end: UInt64) -> WireFrame.Outcome

  /// What has come of the bytes so far.
  package internal(set) var counters = DecodeCounters()
  /// The beginning of a frame whose end has not come; its capacity never grows.
  private var pending: [UInt8] = []
  /// Bytes of checksums that may still be computed in vain. Each byte that is gone past earns some: heads of long frames
  /// that are none, one after the other, cost a bounded share of work instead of a checksum of 8 KiB for every six bytes.
  var checksumCredit = Self.maximumChecksumCredit
  package static let maximumChecksumCredit = 16 * Self.maximumFrame
  package static let creditPerByte = 16

  /// A decoder that has seen nothing.
  package init() { pending.reserveCapacity(2 * Self.maximumFrame) }

  /// Bytes of a frame that has begun and is not complete.
  package var pendingByteCount: Int { pending.count }

  /// Whether a frame has begun that is not complete.
  package var hasPendingBytes: Bool { !pending.isEmpty }

  /// Forgets a frame that has begun: the line was cut, or its speed has changed. The counters go on.
  package mutating func reset() {
    counters.noiseBytes &+= UInt64(pending.count)
    pending.removeAll(keepingCapacity: true)
  }

  /// How many bytes of all that came have been searched: to the end of the latest frame, while it is handed out.
  package var position: UInt64 { counters.frameBytes &+ counters.noiseBytes }

  /// Takes the next bytes and hands out the messages that they complete, in their order.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (WireMessage) -> Void) {
    search(bytes) { bytes, frame, _ in frame.decode(bytes, body) }
  }

  /// Takes the next bytes and hands out the frames that they complete, not decoded: the bytes that hold the frame, and the
  /// `position` of its end.
  package mutating func pushFrames(_ bytes: Span<UInt8>, _ body: (Span<UInt8>, WireFrame, _ end: UInt64) -> Void) {
    search(bytes) { bytes, frame, end in
      body(bytes, frame, end)
      return .decoded
    }
  }

  private mutating func search(_ bytes: Span<UInt8>, _ body: FrameBody) {
    var start = 0
    // What waits is completed with as little of the chunk as will do; then the chunk is decoded in place.
    while !pending.isEmpty, start < bytes.count {
      let waited = pending.count
      let piece = min(bytes.count - start, Self.pieceLength)
      for index in start..<start + piece { pending.append(bytes[index]) }
      start += piece
      // Taken out while it is scanned, so that nothing shares its storage and makes it copy.
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

  /// The line has been silent in the middle of a frame: what waits is none, and is searched for what it held back.
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

/// What a decoder has made of the bytes so far. Counts wrap around; nobody compares them across more than a minute.
package struct DecodeCounters: Hashable, Sendable {
  /// NMEA sentences with a right checksum, understood or not.
  package var validNMEA: UInt64 = 0
  /// UBX frames with a right checksum, understood or not.
  package var validUBX: UInt64 = 0
  /// RTCM 3 frames with a right CRC; they are skipped.
  package var skippedRTCM: UInt64 = 0
  /// Frames of known shape with a wrong or missing checksum.
  package var checksumErrors: UInt64 = 0
  /// Right checksum, but a field count, a field or a range that the type does not allow: changed nothing.
  package var malformed: UInt64 = 0
  /// Right checksum, a type that is not decoded.
  package var unknown: UInt64 = 0
  /// Bytes of frames with a right checksum, and ends of lines.
  package var frameBytes: UInt64 = 0
  /// Bytes that belong to no frame. With `frameBytes` and what waits, all bytes that came.
  package var noiseBytes: UInt64 = 0

  /// Nothing decoded.
  package init() {}

  /// Frames of any kind with a right checksum: proof that the speed is right.
  package var validFrames: UInt64 { validNMEA &+ validUBX &+ skippedRTCM }
}

/// Recognizes the times of a second, slower talker on the same line: they lie a few seconds behind the epoch in hand, and other
/// sentences go on with that one. A clock that was set back goes on from the earlier time instead.
package struct StaleTimes: Sendable {
  /// Stale times one after the other, each later than the one before, that make them the new present.
  package static let timesToAcceptStepBack = 3
  /// A talker that lies further behind repeats nothing that was just told: its clock is another, or was set.
  package static let longestLagSeconds: Int64 = 10

  private var latest: Int64?
  private var inARow = 0

  /// A filter that has seen nothing.
  package init() {}

  /// Whether a time that a message tells is stale.
  ///
  /// - Parameters:
  ///   - lag: how far it lies behind the present; zero or less: not at all.
  ///   - time: the time itself, in the unit of `second`; over midnight it may leap, which begins the count again.
  ///   - second: a second in the unit of both.
  package mutating func isStale(_ time: Int64, lag: Int64, second: Int64) -> Bool {
    guard lag > 0, lag <= Self.longestLagSeconds * second else {
      latest = nil
      inARow = 0
      return false
    }
    if let latest, time <= latest {
      // The same epoch again, or one further back, which a clock does not do.
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
