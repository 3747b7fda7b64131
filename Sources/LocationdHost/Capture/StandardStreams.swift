import LinuxIO

/// What became of bytes for a standard stream.
package enum WriteResult: Hashable, Sendable {
  case written
  /// The other end of the pipe is closed.
  case readerGone
  case failed(errno: Int32)

  init(_ outcome: WriteOutcome) {
    self =
      switch outcome {
      case .written: .written
      case .readerGone: .readerGone
      case .failed(let number): .failed(errno: number)
      }
  }
}

/// Where results go. The client's way to the streams: it has no descriptors of its own.
package enum StandardOutput {
  package static func write(_ bytes: [UInt8]) -> WriteResult { WriteResult(LinuxIO.StandardOutput.write(bytes)) }
}

/// Where everything goes that is no result.
package enum StandardError {
  @discardableResult
  package static func write(_ bytes: [UInt8]) -> WriteResult { WriteResult(LinuxIO.StandardError.write(bytes)) }

  /// Writes a line of at most 4096 bytes without waiting for a slow reader; whether it was written.
  package static func offer(_ bytes: [UInt8]) -> Bool { LinuxIO.StandardError.offer(bytes) }
}

/// To be called before anything is opened: see `StandardDescriptors`.
package func reserveStandardStreams() { StandardDescriptors.reserve() }

/// How many characters fit on a terminal; `nil` where it does not say.
package func terminalSize(_ fd: Int32) -> (columns: Int, rows: Int)? { Terminal.size(fd) }

/// Whether a descriptor is a terminal, and a person reads it.
package func isTerminal(_ fd: Int32) -> Bool { Terminal.isTerminal(fd) }
