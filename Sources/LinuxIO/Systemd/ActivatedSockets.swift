import Glibc

/// The sockets that systemd, or a compatible program, has opened for this process (sd_listen_fds(3)).
package struct ActivatedSockets: ~Copyable {
  /// The first passed descriptor.
  private static let first: Int32 = 3
  /// Maximum number of descriptors; no service manager passes more.
  private static let most: Int32 = 64

  /// The first listening Unix socket; `nil` if none was passed.
  private var unix: UnixListener?
  /// The listening TCP sockets, by their names (FileDescriptorName=, systemd.socket(5)).
  package private(set) var tcp: [(name: String, listener: TCPListener)] = []

  /// Takes the passed listening sockets and closes all other passed descriptors. Call this once, before anything is
  /// opened, because it relies on descriptor numbers.
  package init() {
    guard let text = ProcessEnvironment.value("LISTEN_FDS"), let count = Int32(text), (1...Self.most).contains(count),
      let process = ProcessEnvironment.value("LISTEN_PID"), Int32(process) == getpid()
    else { return }
    let names = (ProcessEnvironment.value("LISTEN_FDNAMES") ?? "").split(
      separator: ":", omittingEmptySubsequences: false)
    // Child processes must not inherit these variables.
    for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    for index in 0..<count {
      let fd = Self.first + index
      switch Self.domain(ofListening: fd) {
      case AF_UNIX where unix == nil: unix = UnixListener(inherited: Self.taken(fd))
      case AF_INET, AF_INET6:
        let name = Int(index) < names.count ? String(names[Int(index)]) : ""
        tcp.append((name, TCPListener(inherited: Self.taken(fd))))
      default: close(fd)
      }
    }
  }

  /// The Unix socket of a program that needs no other; the same conditions as for `init`.
  package static func takeUnixAlone() -> UnixListener? {
    var sockets = ActivatedSockets()
    return sockets.takeUnix()
  }

  /// Passes on the Unix socket; `nil` if none was passed to this process, or if it was already taken.
  package mutating func takeUnix() -> UnixListener? { unix.take() }

  private static func taken(_ fd: Int32) -> OwnedDescriptor {
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    return OwnedDescriptor(rawValue: fd)
  }

  /// The address family of a listening stream socket.
  private static func domain(ofListening fd: Int32) -> Int32? {
    guard option(SO_ACCEPTCONN, of: fd) == 1, option(SO_TYPE, of: fd) == Int32(SOCK_STREAM.rawValue) else { return nil }
    return option(SO_DOMAIN, of: fd)
  }

  private static func option(_ name: Int32, of fd: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
