import Glibc

/// The sockets that systemd, or who does as it does, has opened for this process (sd_listen_fds(3)).
package enum ActivatedSockets {
  /// The first descriptor that is handed over.
  private static let first: Int32 = 3
  /// More than anybody hands over.
  private static let most: Int32 = 64

  /// Takes the first listening Unix socket; the others are closed. To be called once, before anything is opened: what it
  /// finds is a matter of numbers. `nil`: none was handed over to this process.
  package static func take() -> UnixListener? {
    guard let text = ProcessEnvironment.value("LISTEN_FDS"), let count = Int32(text), (1...most).contains(count),
      let process = ProcessEnvironment.value("LISTEN_PID"), Int32(process) == getpid()
    else { return nil }
    // A process that we start is not meant.
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
