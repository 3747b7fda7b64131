import Glibc

/// The sockets that systemd, or a compatible program, has opened for this process (sd_listen_fds(3)).
package enum ActivatedSockets {
  /// The first passed descriptor.
  private static let first: Int32 = 3
  /// Maximum number of descriptors; no service manager passes more.
  private static let most: Int32 = 64

  /// Returns the first listening Unix socket and closes the others; `nil` if none was passed to this process. Call this
  /// once, before anything is opened, because it relies on descriptor numbers.
  package static func take() -> UnixListener? {
    guard let text = ProcessEnvironment.value("LISTEN_FDS"), let count = Int32(text), (1...most).contains(count),
      let process = ProcessEnvironment.value("LISTEN_PID"), Int32(process) == getpid()
    else { return nil }
    // Child processes must not inherit these variables.
    for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    var found: Int32?
    for fd in first..<first + count {
      if found == nil, isListeningUnixSocket(fd) { found = fd } else { close(fd) }
    }
    guard let found else { return nil }
    _ = fcntl(found, F_SETFD, FD_CLOEXEC)
    _ = fcntl(found, F_SETFL, fcntl(found, F_GETFL) | O_NONBLOCK)
    return UnixListener(inherited: OwnedDescriptor(rawValue: found))
  }

  private static func isListeningUnixSocket(_ fd: Int32) -> Bool {
    option(SO_DOMAIN, of: fd) == AF_UNIX && option(SO_ACCEPTCONN, of: fd) == 1
      && option(SO_TYPE, of: fd) == Int32(SOCK_STREAM.rawValue)
  }

  private static func option(_ name: Int32, of fd: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
