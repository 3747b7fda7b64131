import Glibc
import Synchronization

/// The address of a Unix socket: a path, or after `@` an abstract name (unix(7)).
package struct UnixAddress: Hashable, Sendable {
  package let path: String

  /// Maximum length of a path in bytes, without the terminating NUL.
  package static let longestPath = 107

  package init(path: String) throws(SystemError) {
    guard !path.isEmpty, path.utf8.count <= Self.longestPath, !path.utf8.contains(0) else {
      throw SystemError(operation: "name socket", errno: path.isEmpty ? ENOENT : ENAMETOOLONG)
    }
    self.path = path
  }

  /// Whether this user lacks the permission to see whether the socket exists.
  package var isHidden: Bool {
    do throws(SystemError) {
      _ = try FileStatus.of(path)
      return false
    } catch {
      return error.isPermission
    }
  }

  /// Calls `body` with the address in the kernel's form.
  func with<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isAbstract = path.hasPrefix("@")
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
      if isAbstract { unsafe buffer[0] = 0 }
    }
    // An abstract name's length covers the name only; a path's includes the NUL.
    let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(length)) }
    }
  }
}

/// A listening Unix socket. A socket created here has a lock file beside it, which distinguishes the stale socket of a
/// killed process from one in use. The socket's name and the lock end with this value.
package struct UnixListener: ~Copyable {
  private let owned: OwnedDescriptor
  private let lock: LockFile?
  private let path: String?

  /// The permissions and the group of the socket's file.
  package struct Access: Hashable, Sendable {
    package var mode: UInt32
    package var groupID: UInt32?

    package init(mode: UInt32, groupID: UInt32? = nil) {
      self.mode = mode
      self.groupID = groupID
    }
  }

  /// Permissions of the service's socket: every user may connect to the system's socket, because the service authorizes
  /// its clients; only its owner may connect to a user's own socket.
  package static func access(isRoot: Bool) -> Access { Access(mode: isRoot ? 0o666 : 0o600) }

  /// Number of sockets created by this process.
  private static let made = Atomic<UInt64>(0)
  /// Maximum number of connections that wait to be accepted; the kernel applies its own limit (net.core.somaxconn) if
  /// that is lower. The same value as systemd's: a few clients that connect and close in a loop would fill a short
  /// queue.
  private static let backlog: Int32 = 4096

  /// Listens at a path, whose folder is created if it does not exist. `EADDRINUSE`: another process listens there.
  package init(at path: String, _ access: Access) throws(SystemError) {
    _ = try UnixAddress(path: path)
    guard path.hasPrefix("/") else { throw SystemError(operation: "name socket", errno: EINVAL) }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try Self.makeFolder(String(path[..<slash]))
    }
    let lock = try LockFile(path: path + ".lock")
    guard try lock.lock() else { throw SystemError(operation: "listen", errno: EADDRINUSE) }
    lock.writeProcess()
    try Self.checkReplaceable(path)
    // Created under a temporary name, so that clients see it only when it listens and has its permissions.
    let making = try UnixAddress(path: Self.temporary(path))
    _ = unsafe unlink(making.path)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(AF_UNIX, type, 0) })
    let fd = owned.rawValue
    do throws(SystemError) {
      // The file has access for its owner only until `chmod`: Linux gives it the socket's mode (net/unix/af_unix.c,
      // unix_bind). The umask cannot be used, because it applies to the whole process and other threads create files.
      try SystemCall.run("fchmod") { fchmod(fd, 0o600) }
      try SystemCall.run("bind") {
        unsafe making.with { unsafe bind(fd, __CONST_SOCKADDR_ARG(__sockaddr__: $0), $1) }
      }
      if let group = access.groupID { try SystemCall.run("chown") { unsafe chown(making.path, uid_t.max, group) } }
      try SystemCall.run("chmod") { unsafe chmod(making.path, access.mode) }
      try SystemCall.run("listen") { listen(fd, Self.backlog) }
      try SystemCall.run("rename") { unsafe rename(making.path, path) }
    } catch {
      _ = unsafe unlink(making.path)
      throw error
    }
    self.owned = owned
    self.lock = consume lock
    self.path = path
  }

  /// A socket on which the parent process already listens.
  package init(inherited descriptor: consuming OwnedDescriptor) {
    owned = descriptor
    lock = nil
    path = nil
  }

  deinit {
    // While the lock is still held, so that the name is certainly this process's.
    if let path { _ = unsafe unlink(path) }
  }

  package var descriptor: Int32 { owned.rawValue }

  /// The next connection; `nil` if none waits, or the client has disconnected already.
  package func accept() throws(SystemError) -> UnixStream? {
    let fd = owned.rawValue
    do throws(SystemError) {
      let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let accepted = try SystemCall.run("accept") { unsafe accept4(fd, __SOCKADDR_ARG(__sockaddr__: nil), nil, flags) }
      return UnixStream(OwnedDescriptor(rawValue: accepted))
    } catch {
      if error.errno == EAGAIN || error.errno == ECONNABORTED { return nil }
      throw error
    }
  }

  /// Throws unless the path is free or holds a stale socket; anything but a socket is left in place.
  private static func checkReplaceable(_ path: String) throws(SystemError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(operation: "listen", errno: EEXIST) }
    // A socket without this program's lock: systemd or another program listens on it.
    guard let address = try? UnixAddress(path: path), (try? UnixStream(connectingTo: address)) == nil else {
      throw SystemError(operation: "listen", errno: EADDRINUSE)
    }
  }

  private static func temporary(_ path: String) -> String {
    // In the same folder, and within the maximum length of a socket's path. The counter distinguishes two sockets in
    // one folder.
    let name = ".\(getpid()).\(made.wrappingAdd(1, ordering: .relaxed).newValue)"
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }

  private static func makeFolder(_ folder: String) throws(SystemError) {
    do throws(SystemError) {
      try SystemCall.run("mkdir") { unsafe mkdir(folder, 0o755) }
    } catch {
      guard error.errno != EEXIST else { return }
      throw error
    }
  }
}
