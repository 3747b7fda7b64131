import Geodesy
import LinuxIO
package import Replay

/// A capture that is being written of what the service hears.
package final class CaptureRecording {
  /// Where it ends by itself.
  package struct Limits: Hashable, Sendable {
    /// The longest time from its beginning to its last record.
    package var duration: Duration?
    /// The most bytes of the file.
    package var size: Int?

    /// No limits.
    package init() {}
  }

  /// Called once, when a limit is reached (`nil`) or the capture cannot be written.
  package var onEnd: ((CaptureFileError?) -> Void)?
  /// Bytes that receivers sent, as far as they were recorded.
  package private(set) var bytesHeard = 0

  private let output: CaptureOutput
  private let limits: Limits
  private var writer = CaptureWriter()
  private var scrubber: CaptureScrubber?
  private var isOver = false

  /// Begins a capture at `path`; `-` is standard output.
  /// - Parameters:
  ///   - scrub: set where the track is to be moved elsewhere before it is written.
  ///   - comment: what is said at its top.
  package init(
    path: String, replacing: Bool, limits: Limits, scrub: ScrubChoice?, comment: String
  ) throws(CaptureFileError) {
    output = try CaptureOutput(path: path, replacing: replacing)
    self.limits = limits
    scrubber = scrub.map { CaptureScrubber($0.disguise()) }
    try output.append(writer.comment(comment))
  }

  /// Whether what is to be written would replace what is to be read.
  package static func isOneFile(_ output: String, _ input: String) -> Bool {
    output != "-" && InputFile.isOne(output, input)
  }

  /// Bytes of the capture itself.
  package var length: Int { output.length }

  /// Takes what was heard.
  package func take(_ record: CaptureRecord) {
    guard !isOver else { return }
    if let duration = limits.duration, record.arrival > duration { return end(nil) }
    if case .bytes(let bytes) = record.event { bytesHeard += bytes.count }
    write(scrubber?.push(record) ?? [record])
  }

  /// Writes what waits, so that little is lost should the power fail. Nothing is written before something was heard: a file
  /// that is to be replaced stays what it was.
  package func flush() {
    guard !isOver, bytesHeard > 0 else { return }
    do throws(CaptureFileError) {
      try output.flush()
    } catch {
      end(error)
    }
  }

  /// Completes the file; an error where that fails, `nil` also where it was over before.
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

  /// Takes the file away again where nothing was heard.
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
