// Stub, replaced on merge by LinuxIO's.
import Glibc

/// What became of bytes for a standard stream.
package enum WriteResult: Hashable, Sendable {
  case written
  /// The other end of the pipe is closed.
  case readerGone
  case failed(errno: Int32)
}

package enum StandardOutput {
  package static func write(_ bytes: [UInt8]) -> WriteResult { writeAll(bytes, to: 1) }
}

package enum StandardError {
  @discardableResult package static func write(_ bytes: [UInt8]) -> WriteResult { writeAll(bytes, to: 2) }
}

package func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }

private let ignoringPipeSignal: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

private func writeAll(_ bytes: [UInt8], to fd: Int32) -> WriteResult {
  _ = ignoringPipeSignal
  var start = 0
  while start < bytes.count {
    let count = unsafe bytes[start...].withUnsafeBytes { unsafe Glibc.write(fd, $0.baseAddress, $0.count) }
    let error = errno
    if count > 0 {
      start += count
    } else if error == EPIPE {
      return .readerGone
    } else if error != EINTR {
      return .failed(errno: error)
    }
  }
  return .written
}
