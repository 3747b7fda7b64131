import Glibc

/// What a person types, or another program says.
package enum StandardInput {
  package static let descriptor = STDIN_FILENO

  /// Reads what is there; an event loop says when.
  package static func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(STDIN_FILENO, into: &buffer, hangUpIsEnd: true)
  }

  /// Drops what has been typed and not read yet, a line that is not whole included; does nothing where it is no terminal.
  package static func dropTyped() { _ = tcflush(STDIN_FILENO, TCIFLUSH) }

  /// All of it, at most `maximumSize` bytes (`EFBIG`).
  package static func read(maximumSize: Int) throws(SystemError) -> [UInt8] {
    try Transfer.readAll(STDIN_FILENO, maximumSize: maximumSize)
  }
}
