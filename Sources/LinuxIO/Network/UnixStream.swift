import Glibc

/// A connected, nonblocking Unix stream socket.
package struct UnixStream: ~Copyable {
  private let owned: OwnedDescriptor

  init(_ owned: consuming OwnedDescriptor) { self.owned = owned }

  /// Connects to the process that listens at `address`; fails at once if none does.
  package init(connectingTo address: UnixAddress) throws(SystemError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(AF_UNIX, type, 0) })
    let fd = owned.rawValue
    try SystemCall.run("connect") {
      unsafe address.with { unsafe connect(fd, __CONST_SOCKADDR_ARG(__sockaddr__: $0), $1) }
    }
    self.owned = owned
  }

  /// The socket that the parent process passed as standard input; `nil` if standard input is not a connected Unix
  /// stream socket. Call this once.
  package static func standardInput() -> UnixStream? {
    func option(_ name: Int32) -> Int32? {
      var (value, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
      return unsafe getsockopt(STDIN_FILENO, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
    guard option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN) == 0
    else { return nil }
    _ = fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK)
    return UnixStream(OwnedDescriptor(rawValue: STDIN_FILENO))
  }

  package var descriptor: Int32 { owned.rawValue }

  /// Whether the peer has closed the connection, so that no answer can reach it; earlier data from it may still be unread.
  package var isHungUp: Bool {
    var connection = pollfd(fd: owned.rawValue, events: 0, revents: 0)
    return unsafe poll(&connection, 1, 0) == 1 && connection.revents & Int16(POLLHUP) != 0
  }

  package func read(into buffer: inout [UInt8]) -> ReadResult { Transfer.read(owned.rawValue, into: &buffer) }

  /// Writes; if the peer has closed the connection, that is an error, and SIGPIPE is not raised.
  package func write(_ bytes: ArraySlice<UInt8>) -> WriteResult { Transfer.send(owned.rawValue, bytes) }

  /// Limits the kernel's send buffer, bytes, for a peer that reads slowly: data in the buffer can no longer be
  /// replaced.
  package func limitSendBuffer(_ bytes: Int) {
    var size = Int32(clamping: bytes)
    // If this fails, the kernel keeps its default.
    _ = unsafe setsockopt(owned.rawValue, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The credentials of the peer when it connected; `nil` if the kernel does not report them.
  package var peer: PeerCredentials? {
    var credentials = ucred()
    var size = socklen_t(MemoryLayout<ucred>.size)
    guard unsafe getsockopt(owned.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, credentials.pid > 0
    else { return nil }
    return PeerCredentials(processID: credentials.pid, userID: credentials.uid, groupID: credentials.gid)
  }
}

/// The process at the other end of a Unix socket.
package struct PeerCredentials: Hashable, Sendable {
  package var processID: Int32
  package var userID: UInt32
  package var groupID: UInt32

  package init(processID: Int32, userID: UInt32, groupID: UInt32) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
  }
}
