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
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      switch Transfer.read(STDIN_FILENO, into: &buffer) {
      case .bytes(let count):
        bytes += buffer[..<count]
        guard bytes.count <= maximumSize else { throw SystemError(operation: "read", errno: EFBIG) }
      case .endOfFile: return bytes
      case .wouldBlock: throw SystemError(operation: "read", errno: EAGAIN)
      case .failed(let error): throw error
      }
    }
  }
}
