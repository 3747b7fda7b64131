import Geodesy
import LinuxIO
package import LocationReplay

/// Writes a capture of the data that the service receives.
package final class CaptureRecording {
  /// The limits at which the capture ends by itself.
  package struct Limits: Hashable, Sendable {
    /// The maximum time from the start to the last record.
    package var duration: Duration?
    /// The maximum file size in bytes.
    package var size: Int?

    /// No limits.
    package init() {}
  }

  /// Called once, when a limit is reached (`nil`) or when the capture cannot be written.
  package var onEnd: ((CaptureFileError?) -> Void)?
  /// The number of recorded bytes that receivers sent.
  package private(set) var bytesReceived = 0

  private let output: CaptureOutput
  private let limits: Limits
  private var writer = CaptureWriter()
  private var scrubber: CaptureScrubber?
  private var isOver = false

  /// Starts a capture at `path`; `-` is standard output.
  /// - Parameters:
  ///   - scrub: if set, the track is moved elsewhere before it is written.
  ///   - comment: the text at the top of the file.
  package init(
    path: String, replacing: Bool, limits: Limits, scrub: ScrubChoice?, comment: String
  ) throws(CaptureFileError) {
    output = try CaptureOutput(path: path, replacing: replacing)
    self.limits = limits
    scrubber = scrub.map { CaptureScrubber($0.anonymization()) }
    try output.append(writer.comment(comment))
  }

  /// Whether the output would overwrite the input file.
  package static func isOneFile(_ output: String, _ input: String) -> Bool {
    output != "-" && InputFile.isOne(output, input)
  }

  /// The size of the capture itself, in bytes.
  package var length: Int { output.length }

  /// Adds a record of received data.
  package func add(_ record: CaptureRecord) {
    guard !isOver else { return }
    if let duration = limits.duration, record.arrival > duration { return end(nil) }
    if case .bytes(let bytes) = record.event { bytesReceived += bytes.count }
    write(scrubber?.push(record) ?? [record])
  }

  /// Writes buffered records, so that a power failure loses little. Nothing is written before the first received data:
  /// until then, a file to be replaced is left unchanged.
  package func flush() {
    guard !isOver, bytesReceived > 0 else { return }
    do throws(CaptureFileError) {
      try output.flush()
    } catch {
      end(error)
    }
  }

  /// Completes the file; returns the error if that fails, otherwise `nil`, also if the capture had already ended.
  package func finish() -> CaptureFileError? {
    guard !isOver else { return nil }
    if let rest = scrubber?.finish() { write(rest) }
    guard !isOver else { return nil }
    isOver = true
    do throws(CaptureFileError) {
      try output.close()
      return nil
    } catch {
      return error
    }
  }

  /// Discards the capture, for example because no data was received: deletes the file if this object created it.
  package func discard() {
    isOver = true
    output.discard()
  }

  private func write(_ records: [CaptureRecord]) {
    for record in records {
      let lines = writer.encode(record)
      if let size = limits.size, output.length + lines.count > size { return end(nil) }
      do throws(CaptureFileError) {
        try output.append(lines)
      } catch {
        return end(error)
      }
    }
  }

  private func end(_ failure: CaptureFileError?) {
    guard !isOver else { return }
    isOver = true
    guard failure == nil else {
      onEnd?(failure)
      return
    }
    do throws(CaptureFileError) {
      try output.close()
      onEnd?(nil)
    } catch {
      onEnd?(error)
    }
  }
}
