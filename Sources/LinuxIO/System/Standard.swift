internal import CLinux
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
  @discardableResult
  package static func write(_ bytes: [UInt8]) -> WriteOutcome { Stream.write(bytes, to: STDERR_FILENO) }

  /// Writes a line of at most `PIPE_BUF` bytes, or, where its reader is slow, nothing at all; whether it was written.
  package static func offer(_ bytes: [UInt8]) -> Bool {
    var wait = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard bytes.count <= Int(PIPE_BUF), unsafe poll(&wait, 1, 0) == 1 else { return false }
    return Stream.write(bytes, to: STDERR_FILENO) == .written
  }
}

/// What a descriptor is to a person.
package enum Terminal {
  /// Whether a person can sit at it.
  package static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }

  /// How many characters fit on it; `nil` where it does not say.
  package static func size(_ fd: Int32) -> (columns: Int, rows: Int)? {
    let size = clinux_window_size(fd)
    return size == 0 ? nil : (Int(size & 0xFFFF), Int(size >> 16))
  }
}

/// Writes the whole of something, also where the descriptor does not wait by itself.
package enum Stream {
  package static func write(_ bytes: [UInt8], to fd: Int32) -> WriteOutcome {
    BrokenPipeSignal.ignore()
    var rest = bytes[...]
    while !rest.isEmpty {
      if let failure = waitForReader(of: fd) { return .failed(failure.errno) }
      // What a pipe takes without waiting once it is writable (pipe(7)).
      switch Transfer.write(fd, rest.prefix(Int(PIPE_BUF))) {
      case .written(let count): rest = rest.dropFirst(count)
      // Someone we share the stream with has made it non-blocking, and was faster.
      case .wouldBlock: continue
      case .failed(let error): return error.errno == EPIPE ? .readerGone : .failed(error.errno)
      }
    }
    return .written
  }

  /// Waits until somebody reads. Signals that a loop takes in its turn end the process meanwhile, as they would any other: the
  /// loop has no turn while its thread waits here.
  private static func waitForReader(of fd: Int32) -> SystemError? {
    var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&wait, 1, 0) == 0 else { return nil }
    // Where nothing can be written at all, the write says so; waiting would never end.
    let flags = fcntl(fd, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { return nil }
    var signals = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, nil, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { _ = unsafe sigdelset(&signals, signal) }
    do throws(SystemError) {
      try SystemCall.run("ppoll") { unsafe ppoll(&wait, 1, nil, &signals) }
      return nil
    } catch {
      return error
    }
  }
}

/// The three streams that every program is given.
package enum StandardDescriptors {
  /// Puts something in the place of those that are closed, so that no file of ours becomes one of them. What is written to it
  /// fails.
  package static func reserve() {
    for fd in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(fd, F_GETFD) < 0 {
      // The lowest free number: this one.
      _ = unsafe open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

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
