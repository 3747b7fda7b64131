import LinuxIO

/// The destination of a capture: a file, or standard output for `-`. Accepts whole lines only.
final class CaptureOutput {
  /// Buffered lines are written once they exceed this number of bytes: a few epochs of a receiver with much output.
  private static let pieceLength = 16_384

  private let path: String
  /// `nil` for standard output.
  private var file: OutputFile?
  private var waiting: [UInt8] = []
  /// The number of bytes passed in so far, written or buffered.
  private(set) var length = 0

  init(path: String, replacing: Bool) throws(CaptureFileError) {
    self.path = path
    guard path != "-" else { return }
    do throws(SystemError) {
      file = try OutputFile(path: path, replacing: replacing)
    } catch {
      throw error.isExistence ? .exists(path: path) : .cannotCreate(path: path, errno: error.errno)
    }
  }

  /// Adds whole lines.
  func append(_ lines: [UInt8]) throws(CaptureFileError) {
    waiting += lines
    length += lines.count
    if waiting.count >= Self.pieceLength { try flush() }
  }

  /// Writes the buffered lines.
  func flush() throws(CaptureFileError) {
    guard !waiting.isEmpty else { return }
    defer { waiting.removeAll(keepingCapacity: true) }
    if file == nil {
      switch LinuxIO.StandardOutput.write(waiting) {
      case .written: return
      case .readerGone: throw .readerGone
      case .failed(let number): throw .cannotWrite(path: "The output", errno: number, kept: 0)
      }
    }
    do throws(SystemError) {
      try file?.append(waiting)
    } catch {
      throw .cannotWrite(path: path, errno: error.errno, kept: file?.length ?? 0)
    }
  }

  /// Writes the buffered lines and synchronizes the file to disk.
  func close() throws(CaptureFileError) {
    try flush()
    do throws(SystemError) {
      try file?.synchronize()
    } catch {
      throw .cannotWrite(path: path, errno: error.errno, kept: file?.length ?? 0)
    }
  }

  /// Discards the capture: deletes the file if this object created it.
  func discard() {
    waiting = []
    file?.discard()
  }
}

/// Why a capture cannot be written.
package enum CaptureFileError: Error, Hashable, Sendable {
  /// A file with that name exists; it may be a recording.
  case exists(path: String)
  case cannotCreate(path: String, errno: Int32)
  /// The file accepts no more data; the `kept` bytes already in it stay readable.
  case cannotWrite(path: String, errno: Int32, kept: Int)
  /// The program that read standard output has closed it.
  case readerGone
}
