import Glibc
import Synchronization

/// The name of a Unix socket: a path, or after `@` a name of the kernel's own (unix(7)).
package struct UnixAddress: Hashable, Sendable {
  package let path: String

  /// Bytes of a path that the kernel takes, without the NUL after it.
  package static let longestPath = 107

  package init(path: String) throws(SystemError) {
    guard !path.isEmpty, path.utf8.count <= Self.longestPath, !path.utf8.contains(0) else {
      throw SystemError(operation: "name socket", errno: path.isEmpty ? ENOENT : ENAMETOOLONG)
    }
    self.path = path
  }

  /// Whether this user may not even see whether something is there.
  package var isHidden: Bool {
    do throws(SystemError) {
      _ = try FileStatus.of(path)
      return false
    } catch {
      return error.isPermission
    }
  }

  /// Calls `body` with the address as the kernel takes it.
  func with<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isAbstract = path.hasPrefix("@")
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
      if isAbstract { unsafe buffer[0] = 0 }
    }
    // The whole name counts of an abstract one, and the NUL after a path.
    let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(length)) }
    }
  }
}

/// A Unix socket that others connect to. One that was made here has a lock beside it, so that a name left behind by a
/// process that was killed can be told from one that is served; it goes with this value.
package struct UnixListener: ~Copyable {
  private let owned: OwnedDescriptor
  private let lock: LockFile?
  private let path: String?

  /// Who may connect: the rights on the socket's file, and its group.
  package struct Access: Hashable, Sendable {
    package var mode: UInt32
    package var groupID: UInt32?

    package init(mode: UInt32, groupID: UInt32? = nil) {
      self.mode = mode
      self.groupID = groupID
    }
  }

  /// Who may connect to the service: everybody to the system's, which tells apart who may know; to one of a user's own, that user.
  package static func access(isRoot: Bool) -> Access { Access(mode: isRoot ? 0o666 : 0o600) }

  /// How many this process has made.
  private static let made = Atomic<UInt64>(0)
  /// Connections that wait to be accepted; the kernel takes its own bound (net.core.somaxconn) where that is lower.
  /// As many as systemd asks for: a short queue is filled by a few clients that connect and close in a loop.
  private static let backlog: Int32 = 4096

  /// Listens at a path, in a folder that is made where it does not exist. `EADDRINUSE`: another process serves it.
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
    // Made under another name: nobody sees it before it listens, with its rights.
    let making = try UnixAddress(path: Self.temporary(path))
    _ = unsafe unlink(making.path)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(AF_UNIX, type, 0) })
    let fd = owned.rawValue
    do throws(SystemError) {
      // Until the rights are given it is its maker's alone: Linux gives the name those of the socket (net/unix/af_unix.c, unix_bind).
      // The mask of rights is the whole process's, and other threads make files meanwhile.
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

  /// A socket that whoever started this process listens on already.
  package init(inherited descriptor: consuming OwnedDescriptor) {
    owned = descriptor
    lock = nil
    path = nil
  }

  deinit {
    // Before the lock goes with its file: the name is still ours.
    if let path { _ = unsafe unlink(path) }
  }

  package var descriptor: Int32 { owned.rawValue }

  /// The next connection; `nil` where none waits, or it has gone already.
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

  /// What is no socket is nobody's remainder, and stays.
  private static func checkReplaceable(_ path: String) throws(SystemError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(operation: "listen", errno: EEXIST) }
    // One without our lock: served by systemd, or by something that is not ours.
    guard let address = try? UnixAddress(path: path), (try? UnixStream(connectingTo: address)) == nil else {
      throw SystemError(operation: "listen", errno: EADDRINUSE)
    }
  }

  private static func temporary(_ path: String) -> String {
    // Beside it, and no longer than a socket's name may be. Two may be made at once in one folder.
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
