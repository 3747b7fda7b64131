import Glibc

/// What came of writing to a stream that a person or a script reads.
package enum WriteOutcome: Hashable, Sendable {
  case written
  /// The reader has gone, as `head` does: end quietly.
  case readerGone
  /// The kernel's error number.
  case failed(Int32)
}

/// The stream of results.
package enum StandardOutput {
  /// Writes all of `bytes`, waiting for the reader where it is slow.
  package static func write(_ bytes: [UInt8]) -> WriteOutcome { Stream.write(bytes, to: STDOUT_FILENO) }
}

/// The stream of messages to people.
package enum StandardError {
  /// Writes all of `bytes`, waiting for the reader where it is slow.
  package static func write(_ bytes: [UInt8]) -> WriteOutcome { Stream.write(bytes, to: STDERR_FILENO) }
}

/// What a descriptor is to a person.
package enum Terminal {
  /// Whether a person can sit at it.
  package static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }
}

/// Writes the whole of something, also where the descriptor does not wait by itself.
package enum Stream {
  package static func write(_ bytes: [UInt8], to fd: Int32) -> WriteOutcome {
    BrokenPipeSignal.ignore()
    var rest = bytes[...]
    while !rest.isEmpty {
      switch Transfer.write(fd, rest) {
      case .written(let count): rest = rest.dropFirst(count)
      // Someone we share the stream with has made it non-blocking.
      case .wouldBlock:
        var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
        do throws(SystemError) {
          try SystemCall.run("poll") { unsafe poll(&wait, 1, -1) }
        } catch {
          return .failed(error.errno)
        }
      case .failed(let error): return error.errno == EPIPE ? .readerGone : .failed(error.errno)
      }
    }
    return .written
  }
}
