/// Reads a capture as its bytes come: push any part of the file, pull records until there is none, and say when the file
/// is at its end. Holds at most one unfinished line beside what was pushed last.
package struct CaptureReader: Sendable {
  private var buffer: [UInt8] = []
  /// Where the line to be read next begins in `buffer`.
  private var lineStart = 0
  /// Up to where `buffer` is known to hold no line end.
  private var searched = 0
  private var lineNumber = 0
  private var lines = CaptureLineDecoder()
  private var failure: CaptureError?

  /// A reader at the beginning of a file.
  package init() {}

  /// Whether a capture begins here.
  package static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= CaptureFormat.magic.count
      && CaptureFormat.magic.indices.allSatisfy { bytes[$0] == CaptureFormat.magic[$0] }
  }

  /// Takes the next bytes of the file.
  package mutating func push(_ bytes: Span<UInt8>) {
    guard failure == nil else { return }
    if lineStart > 0 {
      buffer.removeSubrange(..<lineStart)
      searched -= lineStart
      lineStart = 0
    }
    buffer.reserveCapacity(buffer.count + bytes.count)
    for index in bytes.indices { buffer.append(bytes[index]) }
  }

  /// The next record, or `nil` where it needs more bytes. After an error it throws the same again.
  package mutating func next() throws(CaptureError) -> CaptureRecord? {
    if let failure { throw failure }
    while let line = nextLine() {
      if line.count > CaptureFormat.maximumLineLength { throw fail(tooLong) }
      do throws(CaptureLineDecoder.Failure) {
        if let record = try lines.decode(line) { return record }
      } catch {
        throw fail(error.problem)
      }
    }
    if buffer.count - lineStart > CaptureFormat.maximumLineLength {
      lineNumber += 1
      // A file that is no capture at all may have no lines either.
      throw fail(lines.hasBegun ? tooLong : .notACapture(found: CaptureEscape.excerpt(buffer[lineStart...])))
    }
    return nil
  }

  /// Says that the file ends here, all records pulled; throws where it ends too early.
  package mutating func finish() throws(CaptureError) {
    if let failure { throw failure }
    guard lineStart == buffer.count, lines.hasBegun else {
      lineNumber += 1
      throw fail(
        lines.hasBegun || Self.couldBegin(buffer[lineStart...])
          ? .truncated : .notACapture(found: CaptureEscape.excerpt(buffer[lineStart...])))
    }
  }

  private var tooLong: CaptureError.Problem { .lineTooLong(limit: CaptureFormat.maximumLineLength) }

  /// Whether `bytes`, which are not empty, are the beginning of a first line.
  private static func couldBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && (bytes.starts(with: CaptureFormat.magic) || CaptureFormat.magic.starts(with: bytes))
  }

  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      return nil
    }
    var line = buffer[lineStart..<end]
    // The format writes no bare carriage return, so one here was put by a program that converts line ends.
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    lineStart = end + 1
    searched = lineStart
    lineNumber += 1
    return line
  }

  private mutating func fail(_ problem: CaptureError.Problem) -> CaptureError {
    let error = CaptureError(line: lineNumber, problem: problem)
    failure = error
    buffer = []
    lineStart = 0
    searched = 0
    return error
  }
}
