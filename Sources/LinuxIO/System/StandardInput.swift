import Glibc

/// What a person types, or another program says.
package enum StandardInput {
  package static let descriptor = STDIN_FILENO

  /// Reads what is there; an event loop says when.
  package static func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(STDIN_FILENO, into: &buffer, hangUpIsEnd: true)
  }

  /// All of it, at most `maximumSize` bytes (`EFBIG`).
  package static func read(maximumSize: Int) throws(SystemError) -> [UInt8] {
    try Transfer.readAll(STDIN_FILENO, maximumSize: maximumSize)
  }
}
