import LinuxIO
import LocationdHost

/// A buffered file or standard output: collects pieces and writes many of them at a time.
struct BufferedFile: ~Copyable {
  private static let pieceLength = 65_536

  private let path: String
  /// `nil`: standard output.
  private var file: OutputFile?
  private var waiting: [UInt8] = []
  /// The number of bytes written to the file.
  private var written = 0

  /// - Parameter path: `nil`: standard output.
  init(path: String?, replacing: Bool) throws(FailureMessage) {
    self.path = path ?? "The output"
    guard let path else {
      file = nil
      return
    }
    do throws(SystemError) {
      file = try OutputFile(path: path, replacing: replacing)
    } catch {
      throw FailureMessage(
        error.isExistence ? .exists(path: path) : .cannotCreate(path: path, errno: error.errno))
    }
  }

  mutating func append(_ bytes: some Sequence<UInt8>) throws(FailureMessage) {
    waiting.append(contentsOf: bytes)
    if waiting.count >= Self.pieceLength { try flush() }
  }

  /// Writes the buffer, and syncs a file to disk.
  mutating func finish() throws(FailureMessage) {
    try flush()
    do throws(SystemError) {
      try file?.synchronize()
    } catch {
      throw failure(error)
    }
  }

  private mutating func flush() throws(FailureMessage) {
    defer { waiting.removeAll(keepingCapacity: true) }
    guard !waiting.isEmpty else { return }
    if file == nil {
      // `Results` has printed the reason; a closed pipe ends the command without a message.
      if let status = Results.write(waiting) { throw FailureMessage("", status) }
      return
    }
    do throws(SystemError) {
      try file?.append(waiting)
      written += waiting.count
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SystemError) -> FailureMessage {
    FailureMessage(CaptureFileError.cannotWrite(path: path, errno: error.errno, kept: written))
  }
}
