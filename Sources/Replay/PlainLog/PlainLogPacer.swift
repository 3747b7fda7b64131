import WireFormats

/// Gives a plain NMEA or UBX log the arrival times that it has not kept, from the times in its messages: push any part of
/// the file, pull chunks until there is none, call `finish` at its end.
///
/// An epoch's bytes come together, `latency` after the epoch; bytes that give no time come with the epoch before them.
/// A time that goes back or leaps by more than an hour is a step of one second. Frames are found, not decoded: who takes
/// the chunks decodes them. Holds at most an epoch's worth of `longestChunk` bytes beside what was pushed last.
package struct PlainLogPacer: Sendable {
  /// A chunk is no longer than this; a longer epoch comes as several at one time.
  package static let longestChunk = 4096

  private var decoder = WireDecoder()
  private var chunks: ChunkCutter

  /// A pacer at the beginning of a log.
  package init(latency: Duration = .milliseconds(100)) { chunks = ChunkCutter(latency: latency) }

  /// Takes the next bytes of the file.
  package mutating func push(_ bytes: ArraySlice<UInt8>) {
    chunks.append(bytes)
    Self.cut(bytes.span, &decoder, &chunks)
    chunks.cutNoise()
  }

  /// Two members at once, which a closure over `self` may not touch.
  private static func cut(_ bytes: Span<UInt8>, _ decoder: inout WireDecoder, _ chunks: inout ChunkCutter) {
    decoder.pushFrames(bytes) { bytes, frame, end in chunks.take(frame.time(in: bytes), upTo: end) }
  }

  /// Says that the file ends here: what is left becomes the last chunk.
  package mutating func finish() { chunks.finish() }

  /// The next chunk, or `nil` if it needs more bytes.
  package mutating func next() -> TimedBytes? { chunks.next() }
}

/// Cuts a log into chunks of one epoch each, by the ends and the times of its frames.
private struct ChunkCutter: Sendable {
  private let latency: Duration
  private var pacer = EpochPacer()
  /// The chunk in hand and all that follows it, behind bytes that are cut already.
  private var bytes: [UInt8] = []
  /// Where `bytes` begins in the log.
  private var origin: UInt64 = 0
  /// Where the chunk in hand begins in `bytes`, and where what is assigned to it ends: what follows belongs to the next frame.
  private var start = 0
  private var end = 0
  private var ready: [TimedBytes] = []
  /// How many of `ready` were pulled.
  private var pulled = 0

  init(latency: Duration) { self.latency = latency }

  mutating func append(_ new: ArraySlice<UInt8>) {
    ready.removeSubrange(..<pulled)
    pulled = 0
    bytes.removeSubrange(..<start)
    origin &+= UInt64(start)
    end -= start
    start = 0
    bytes += new
  }

  /// Takes the frame that ends at `position` of the log.
  mutating func take(_ time: FrameTime?, upTo position: UInt64) {
    let frameEnd = Int(truncatingIfNeeded: position &- origin)
    takeLineEnd()
    cutNoise(upTo: frameEnd)
    if let time {
      let before = pacer.elapsed
      if pacer.take(time) { flush(at: before) }
    }
    assign(upTo: frameEnd)
  }

  /// Keeps bounded what belongs to no frame.
  mutating func cutNoise() {
    takeLineEnd()
    cutNoise(upTo: bytes.count)
  }

  mutating func finish() {
    cutNoise()
    assign(upTo: bytes.count)
    flush(at: pacer.elapsed)
  }

  mutating func next() -> TimedBytes? {
    guard pulled < ready.count else { return nil }
    pulled += 1
    return ready[pulled - 1]
  }

  /// A sentence is complete with its checksum; the line's end goes with it.
  private mutating func takeLineEnd() {
    while end < bytes.count, bytes[end] == UInt8(ascii: "\r") || bytes[end] == UInt8(ascii: "\n") {
      assign(upTo: end + 1)
    }
  }

  private mutating func cutNoise(upTo limit: Int) {
    while limit - end >= PlainLogPacer.longestChunk { assign(upTo: end + PlainLogPacer.longestChunk) }
  }

  /// Puts what comes next to the epoch in hand.
  private mutating func assign(upTo limit: Int) {
    if limit - start > PlainLogPacer.longestChunk { flush(at: pacer.elapsed) }
    end = limit
  }

  private mutating func flush(at elapsed: Duration) {
    guard end > start else { return }
    ready.append(TimedBytes(arrival: elapsed + latency, bytes: Array(bytes[start..<end])))
    start = end
  }
}
