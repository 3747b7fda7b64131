import LinuxIO
import LocationReplay
package import LocationdClient

/// Writes a scrubbed copy of a capture, or of a plain NMEA or UBX log.
package enum ScrubbedCopy {
  /// Why there is no copy, or only a part of it.
  package enum Failure: Error, Hashable, Sendable {
    case input(HostError)
    case output(CaptureFileError)
    /// The recording is damaged; the copy contains everything before the damage.
    case damaged(reason: String)
    /// The copy would be the recording itself.
    case sameFile
  }

  /// Copies `input` to `path`; `-` is standard output.
  /// - Parameter comment: the text at the top of a capture.
  package static func write(
    of input: String, to path: String, replacing: Bool, _ choice: ScrubChoice, comment: String
  ) throws(Failure) -> ScrubReport {
    let file = try open(input)
    guard !CaptureRecording.isOneFile(path, input) else { throw .sameFile }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var count = try read(file, input, into: &buffer)
    let format = LogFormat.detect(buffer.span.extracting(0..<count))
    guard var scrubber = RecordingScrubber(format, choice.anonymization(), comment: comment) else {
      let reason = format == .empty ? "it is empty" : "its format is unknown"
      throw .input(.badFile(path: input, reason: reason))
    }
    let output = try output { () throws(CaptureFileError) in try CaptureOutput(path: path, replacing: replacing) }
    while count > 0, scrubber.problem == nil {
      let done = scrubber.push(buffer.span.extracting(0..<count))
      try Self.output { () throws(CaptureFileError) in try output.append(done) }
      count = try read(file, input, into: &buffer)
    }
    let rest = scrubber.finish()
    try Self.output { () throws(CaptureFileError) in
      try output.append(rest)
      try output.close()
    }
    if let problem = scrubber.problem { throw .damaged(reason: problem.description) }
    return ScrubReport(scrubber.tally)
  }

  private static func open(_ path: String) throws(Failure) -> InputFile {
    do throws(InputFileError) {
      return try InputFile(path: path)
    } catch {
      throw .input(HostError(error, path: path))
    }
  }

  private static func output<Value>(_ body: () throws(CaptureFileError) -> Value) throws(Failure) -> Value {
    do throws(CaptureFileError) {
      return try body()
    } catch {
      throw .output(error)
    }
  }

  private static func read(
    _ file: borrowing InputFile, _ path: String, into buffer: inout [UInt8]
  ) throws(Failure) -> Int {
    do throws(SystemError) {
      return try file.read(into: &buffer)
    } catch {
      throw .input(.badFile(path: path, reason: error.description))
    }
  }
}
