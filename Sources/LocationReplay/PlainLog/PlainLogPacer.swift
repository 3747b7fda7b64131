import WireFormats

/// Reconstructs the arrival times of a plain NMEA or UBX log from the times in its messages: push any part of the file,
/// pull chunks until there is none, call `finish` at its end.
///
/// An epoch's bytes arrive together, `latency` after the epoch; bytes without a time arrive with the epoch before them.
/// A time that goes back by more than three seconds, or jumps ahead by more than an hour, becomes a step of one second
/// (`EpochPacer`). Frames are found, not decoded: decoding is up to the consumer of the chunks. Holds at most
/// `longestChunk` bytes of an unfinished epoch besides the bytes pushed last.
package struct PlainLogPacer: Sendable {
  /// The size limit of a chunk; a longer epoch becomes several chunks of one time.
  package static let longestChunk = 4096

  private var decoder = WireDecoder()
  private var chunks: ChunkCutter

  /// A pacer at the beginning of a log.
  package init(latency: Duration = .milliseconds(100)) { chunks = ChunkCutter(latency: latency) }

  /// Receives the next bytes of the file.
  package mutating func push(_ bytes: ArraySlice<UInt8>) {
    chunks.append(bytes)
    Self.cut(bytes.span, &decoder, &chunks)
    chunks.cutNoise()
  }

  /// Accesses two members at once, which a closure that captures `self` may not do.
  private static func cut(_ bytes: Span<UInt8>, _ decoder: inout WireDecoder, _ chunks: inout ChunkCutter) {
    decoder.pushFrames(bytes) { bytes, frame, end in chunks.receive(frame.time(in: bytes), upTo: end) }
  }

  /// Ends the file: the remaining bytes become the last chunk.
  package mutating func finish() { chunks.finish() }

  /// The next chunk, or `nil` if it needs more bytes.
  package mutating func next() -> TimedBytes? { chunks.next() }
}

/// Splits a log into chunks of one epoch each, by the ends and the times of its frames.
private struct ChunkCutter: Sendable {
  private let latency: Duration
  private var pacer = EpochPacer()
  /// The current chunk and all bytes after it; bytes that are already split off are removed.
  private var bytes: [UInt8] = []
  /// The offset of `bytes` in the log.
  private var origin: UInt64 = 0
  /// The start of the current chunk in `bytes`, and the end of the bytes assigned to it; the rest belongs to the next
  /// frame.
  private var start = 0
  private var end = 0
  private var ready: [TimedBytes] = []
  /// The number of chunks in `ready` that were pulled.
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

  /// Handles the frame that ends at `position` of the log.
  mutating func receive(_ time: FrameTime?, upTo position: UInt64) {
    let frameEnd = Int(truncatingIfNeeded: position &- origin)
    takeLineEnd()
    cutNoise(upTo: frameEnd)
    if let time {
      let before = pacer.elapsed
      if pacer.receive(time) { flush(at: before) }
    }
    assign(upTo: frameEnd)
  }

  /// Limits the size of bytes that belong to no frame.
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

  /// A sentence is complete with its checksum; the line end that follows belongs to it.
  private mutating func takeLineEnd() {
    var limit = end
    while limit < bytes.count, bytes[limit] == UInt8(ascii: "\r") || bytes[limit] == UInt8(ascii: "\n") { limit += 1 }
    while limit - end > PlainLogPacer.longestChunk { assign(upTo: end + PlainLogPacer.longestChunk) }
    if limit > end { assign(upTo: limit) }
  }

  private mutating func cutNoise(upTo limit: Int) {
    while limit - end >= PlainLogPacer.longestChunk { assign(upTo: end + PlainLogPacer.longestChunk) }
  }

  /// Assigns the following bytes to the current epoch.
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
