internal import CLinux
import Glibc

/// The result of writing to a stream that a person or a script reads.
package enum WriteOutcome: Hashable, Sendable {
  case written
  /// The reader has closed the stream, as `head` does: exit without a message.
  case readerGone
  /// The kernel's error number.
  case failed(Int32)
}

/// Standard output, for results.
package enum StandardOutput {
  /// Writes all of `bytes`, blocking while the reader is slow.
  package static func write(_ bytes: [UInt8]) -> WriteOutcome { Stream.write(bytes, to: STDOUT_FILENO) }

  /// Whether a write would not block; `false` if the reader is slow, or if a user has stopped the terminal with Ctrl-S.
  package static var isReady: Bool {
    var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&wait, 1, 0) == 1
  }
}

/// Standard error, for messages to users.
package enum StandardError {
  /// Writes all of `bytes`, blocking while the reader is slow.
  @discardableResult
  package static func write(_ bytes: [UInt8]) -> WriteOutcome { Stream.write(bytes, to: STDERR_FILENO) }

  /// Writes a line of at most `PIPE_BUF` bytes, unless the reader is slow or the line is longer; returns whether the
  /// line was written.
  package static func offer(_ bytes: [UInt8]) -> Bool {
    var wait = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard bytes.count <= Int(PIPE_BUF), unsafe poll(&wait, 1, 0) == 1 else { return false }
    return Stream.write(bytes, to: STDERR_FILENO) == .written
  }
}

/// Writes all bytes, blocking even on a nonblocking descriptor.
package enum Stream {
  package static func write(_ bytes: [UInt8], to fd: Int32) -> WriteOutcome {
    BrokenPipeSignal.ignore()
    var rest = bytes[...]
    while !rest.isEmpty {
      if let failure = waitForReader(of: fd) { return .failed(failure.errno) }
      // A writable pipe accepts this amount without blocking (pipe(7)).
      switch Transfer.write(fd, rest.prefix(Int(PIPE_BUF))) {
      case .written(let count): rest = rest.dropFirst(count)
      // Another process that shares the stream has made it nonblocking, and has filled it in the meantime.
      case .wouldBlock: continue
      case .failed(let error): return error.errno == EPIPE ? .readerGone : .failed(error.errno)
      }
    }
    return .written
  }

  /// Waits until the stream is writable. Signals that the loop handles end the process during the wait, because the loop
  /// cannot handle them while its thread blocks here.
  private static func waitForReader(of fd: Int32) -> SystemError? {
    var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&wait, 1, 0) == 0 else { return nil }
    // If nothing can be written at all, the write reports that; waiting here would never end.
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

/// The three standard streams of a process.
package enum StandardDescriptors {
  /// Opens a placeholder for each closed standard stream, so that no other file gets its descriptor. Reading standard
  /// input, or writing to the other two, then fails.
  package static func reserve() {
    for fd in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(fd, F_GETFD) < 0 {
      // Opens the lowest free number, which is this one.
      _ = unsafe open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Standard input: a user's typing, or another program's output.
package enum StandardInput {
  package static let descriptor = STDIN_FILENO

  /// Reads available data; an event loop reports when there is some.
  package static func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(STDIN_FILENO, into: &buffer, hangUpIsEnd: true)
  }

  /// Drops unread typed input, including an incomplete line; does nothing if standard input is not a terminal.
  package static func dropTyped() { _ = tcflush(STDIN_FILENO, TCIFLUSH) }

  /// Reads to the end, at most `maximumSize` bytes (`EFBIG`).
  package static func read(maximumSize: Int) throws(SystemError) -> [UInt8] {
    try Transfer.readAll(STDIN_FILENO, maximumSize: maximumSize)
  }
}
