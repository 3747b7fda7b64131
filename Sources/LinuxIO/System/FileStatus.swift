import Glibc

/// What stands at a path or behind a descriptor.
package enum FileStatus {
  /// At `path`, behind any links.
  static func of(_ path: String) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("stat") { unsafe stat(path, &status) }
    return status
  }

  /// Fails where there is no folder at `path`.
  package static func expectFolder(_ path: String) throws(SystemError) {
    guard try of(path).st_mode & S_IFMT == S_IFDIR else { throw SystemError(operation: "stat", errno: ENOTDIR) }
  }

  /// Behind an open descriptor.
  static func of(_ descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("fstat") { unsafe fstat(descriptor, &status) }
    return status
  }
}
