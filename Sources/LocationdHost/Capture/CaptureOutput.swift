import LinuxIO

/// Where a capture goes: a file, or standard output for `-`. Takes it in pieces of whole lines.
final class CaptureOutput {
  /// What waits to be written is written when it is more than this: a few epochs of a talkative receiver.
  private static let pieceLength = 16_384

  private let path: String
  /// `nil`: standard output.
  private var file: OutputFile?
  private var waiting: [UInt8] = []
  /// Bytes that were handed over, written or waiting.
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

  /// Takes whole lines.
  func append(_ lines: [UInt8]) throws(CaptureFileError) {
    waiting += lines
    length += lines.count
    if waiting.count >= Self.pieceLength { try flush() }
  }

  /// Writes what waits.
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

  /// Writes what waits and sees it on the disk.
  func close() throws(CaptureFileError) {
    try flush()
    do throws(SystemError) {
      try file?.synchronize()
    } catch {
      throw .cannotWrite(path: path, errno: error.errno, kept: file?.length ?? 0)
    }
  }

  /// Nothing came of it: takes the file away where it was made here.
  func discard() {
    waiting = []
    file?.discard()
  }
}
