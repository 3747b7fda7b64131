package import WireFormats

/// Gives a plain NMEA or UBX log the arrival times that it has not kept, from the times that its messages tell: push any
/// part of the file, pull chunks until there is none, say when the file is at its end.
///
/// An epoch's bytes come together, `latency` after the epoch; bytes that tell no time come with the epoch before them.
/// A time that goes back or leaps by more than an hour is a step of one second. Holds at most an epoch's worth of
/// `longestChunk` bytes beside what was pushed last.
package struct PlainLogPacer: Sendable {
  /// A chunk is no longer than this; a longer epoch comes as several at one time.
  package static let longestChunk = 4096

  private let latency: Duration
  private var decoder = WireDecoder()
  private var pacer = EpochPacer()
  /// Bytes of the epoch in hand.
  private var chunk: [UInt8] = []
  /// Bytes since the last message: they belong to the next one.
  private var unassigned: [UInt8] = []
  private var ready: [TimedBytes] = []
  /// How many of `ready` were pulled.
  private var pulled = 0

  /// A pacer at the beginning of a log.
  package init(latency: Duration = .milliseconds(100)) { self.latency = latency }

  /// What the decoder has made of the log so far.
  package var counters: DecodeCounters { decoder.counters }

  /// Takes the next bytes of the file.
  package mutating func push(_ bytes: Span<UInt8>) {
    ready.removeSubrange(..<pulled)
    pulled = 0
    // One by one, so that it is known which byte completes a message.
    for index in bytes.indices {
      // A sentence is complete with its checksum; the line's end goes with it.
      var completes = unassigned.isEmpty && (bytes[index] == UInt8(ascii: "\r") || bytes[index] == UInt8(ascii: "\n"))
      unassigned.append(bytes[index])
      var begins: (milliseconds: Int64, clock: EpochPacer.Clock)?
      decoder.push(bytes.extracting(index..<(index + 1))) { message in
        completes = true
        begins = message.epochTime ?? begins
      }
      if let begins {
        let before = pacer.elapsed
        if pacer.take(begins.milliseconds, of: begins.clock) { flush(at: before) }
      }
      if completes || unassigned.count >= Self.longestChunk { assign() }
    }
  }

  /// Says that the file ends here: what is left becomes the last chunk.
  package mutating func finish() {
    assign()
    flush(at: pacer.elapsed)
  }

  /// The next chunk, or `nil` where it needs more bytes.
  package mutating func next() -> TimedBytes? {
    guard pulled < ready.count else { return nil }
    pulled += 1
    return ready[pulled - 1]
  }

  /// Puts the bytes since the last message to the epoch in hand.
  private mutating func assign() {
    if chunk.count + unassigned.count > Self.longestChunk { flush(at: pacer.elapsed) }
    chunk += unassigned
    unassigned.removeAll(keepingCapacity: true)
  }

  private mutating func flush(at elapsed: Duration) {
    guard !chunk.isEmpty else { return }
    ready.append(TimedBytes(arrival: elapsed + latency, bytes: chunk))
    chunk = []
  }
}
