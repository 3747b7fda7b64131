import LinuxIO

/// Reads a segment from its beginning to its end, in pieces of any size.
struct SegmentInput: ~Copyable {
  private let file: InputFile
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  private var unread = 0..<0

  init(path: String) throws(InputFileError) { self.init(try InputFile(path: path)) }

  private init(_ file: consuming InputFile) { self.file = file }

  /// The next `count` bytes, at most 64 KiB; fewer at the end of the file.
  mutating func read(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if unread.isEmpty {
        unread = 0..<(try file.read(into: &buffer))
        if unread.isEmpty { break }
      }
      let step = unread.prefix(count - bytes.count)
      bytes += buffer[step]
      unread = step.upperBound..<unread.upperBound
    }
    return bytes
  }
}
