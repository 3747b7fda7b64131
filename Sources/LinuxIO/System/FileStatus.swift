import Glibc

/// What stands at a path or behind a descriptor.
enum FileStatus {
  /// At `path`, behind any links.
  static func of(_ path: String) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("stat") { unsafe stat(path, &status) }
    return status
  }

  /// Behind an open descriptor.
  static func of(_ descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("fstat") { unsafe fstat(descriptor, &status) }
    return status
  }
}
