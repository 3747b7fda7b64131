import Glibc

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
