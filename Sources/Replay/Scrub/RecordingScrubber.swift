/// Scrubs a whole recording, whichever kind it is: push any part of the file, write what comes out, say when it is at its end.
package struct RecordingScrubber: Sendable {
  private enum Kind: Sendable {
    case capture(CaptureReader, CaptureScrubber, CaptureWriter)
    case plain(StreamScrubber, Disguise)
  }

  private var kind: Kind
  private let comment: String
  private var hasBegun = false
  /// What is wrong with a capture; nothing behind that place comes out.
  package private(set) var problem: CaptureError?

  /// A scrubber for a file that begins as `format` says; `nil` where that is no recording.
  /// - Parameter comment: what is said at the top of a capture.
  package init?(_ format: LogFormat, _ disguise: Disguise, comment: String) {
    self.comment = comment
    switch format {
    case .capture: kind = .capture(CaptureReader(), CaptureScrubber(disguise), CaptureWriter())
    case .nmea, .ubx: kind = .plain(StreamScrubber(), disguise)
    case .empty, .unknown: return nil
    }
  }

  /// What was done so far.
  package var tally: ScrubTally {
    switch kind {
    case .capture(_, let scrubber, _): scrubber.disguise.tally
    case .plain(_, let disguise): disguise.tally
    }
  }

  /// Takes the next bytes of the file, gives those of the copy.
  package mutating func push(_ bytes: Span<UInt8>) -> [UInt8] {
    switch kind {
    case .plain(var stream, var disguise):
      let output = stream.push(bytes, &disguise)
      kind = .plain(stream, disguise)
      return output
    case .capture(var reader, var scrubber, var writer):
      var output = begin(&writer)
      reader.push(bytes)
      do throws(CaptureError) {
        while let record = try reader.next() {
          for record in scrubber.push(record) { output += writer.encode(record) }
        }
      } catch {
        problem = error
      }
      kind = .capture(reader, scrubber, writer)
      return output
    }
  }

  /// Says that the file ends here; gives the rest of the copy.
  package mutating func finish() -> [UInt8] {
    switch kind {
    case .plain(var stream, var disguise):
      let output = stream.finish(&disguise)
      kind = .plain(stream, disguise)
      return output
    case .capture(var reader, var scrubber, var writer):
      var output = begin(&writer)
      do throws(CaptureError) {
        try reader.finish()
      } catch {
        problem = problem ?? error
      }
      for record in scrubber.finish() { output += writer.encode(record) }
      kind = .capture(reader, scrubber, writer)
      return output
    }
  }

  private mutating func begin(_ writer: inout CaptureWriter) -> [UInt8] {
    guard !hasBegun else { return [] }
    hasBegun = true
    return writer.comment(comment)
  }
}
