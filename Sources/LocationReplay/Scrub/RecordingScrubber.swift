/// Scrubs a whole recording of any kind: push any part of the file, write the output, call `finish` at the end.
package struct RecordingScrubber: Sendable {
  private enum Kind: Sendable {
    case capture(CaptureReader, CaptureScrubber, CaptureWriter)
    case plain(StreamScrubber, Anonymization)
  }

  private var kind: Kind
  private let comment: String
  private var hasBegun = false
  /// The error in a capture; there is no output after it.
  package private(set) var problem: CaptureError?

  /// A scrubber for a file of the given format; `nil` if the file is not a recording.
  /// - Parameter comment: the comment at the top of a capture.
  package init?(_ format: LogFormat, _ anonymization: Anonymization, comment: String) {
    self.comment = comment
    switch format {
    case .capture: kind = .capture(CaptureReader(), CaptureScrubber(anonymization), CaptureWriter())
    case .nmea, .ubx: kind = .plain(StreamScrubber(), anonymization)
    case .empty, .unknown: return nil
    }
  }

  /// The summary so far.
  package var tally: ScrubTally {
    switch kind {
    case .capture(_, let scrubber, _): scrubber.anonymization.tally
    case .plain(_, let anonymization): anonymization.tally
    }
  }

  /// Receives the next bytes of the file; returns those of the copy.
  package mutating func push(_ bytes: Span<UInt8>) -> [UInt8] {
    switch kind {
    case .plain(var stream, var anonymization):
      let output = stream.push(bytes, &anonymization)
      kind = .plain(stream, anonymization)
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

  /// Ends the file; returns the rest of the copy.
  package mutating func finish() -> [UInt8] {
    switch kind {
    case .plain(var stream, var anonymization):
      let output = stream.finish(&anonymization)
      kind = .plain(stream, anonymization)
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

/// Blanks bytes that may contain anything, but keeps their number and the separators.
enum Blank {
  /// For a number: keeps its point; writes zeros for digits and signs, and `X` for everything else.
  static func numeric(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"): UInt8(ascii: "0")
    case UInt8(ascii: "."): byte
    default: UInt8(ascii: "X")
    }
  }

  /// For a sentence's fields: keeps commas, points and spaces; writes zeros for digits and `X` for everything else.
  /// `marking`: writes `X` for digits too, so that no field can be read as a number.
  static func text(_ byte: UInt8, marking: Bool = false) -> UInt8 {
    switch byte {
    case 0x30...0x39: marking ? UInt8(ascii: "X") : UInt8(ascii: "0")
    case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: " "): byte
    default: UInt8(ascii: "X")
    }
  }

  /// For bytes outside of frames: as `text`, but also keeps everything that begins and ends lines, so that the number
  /// of false frame starts stays the same, and writes zero bytes for unprintable ones.
  static func noise(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "*"): byte
    case 0x20..<0x7F: text(byte)
    default: 0
    }
  }

  /// For a damaged binary frame: keeps only the characters that begin sentences.
  static func binary(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") ? byte : 0
  }
}
