import Glibc

/// What is done to a file by its name.
package enum FileChange {
  /// Removes it; one that is not there is gone already.
  package static func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try SystemCall.run("unlink") { unsafe unlink(path) }
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// Gives it another name in the same file system; what had that name is gone.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    try SystemCall.run("rename") { unsafe Glibc.rename(path, other) }
  }

  /// Cuts it to `length` bytes.
  package static func cut(_ path: String, to length: Int) throws(SystemError) {
    try SystemCall.run("truncate") { unsafe truncate(path, length) }
  }

  /// Makes it, empty and for its owner only, where it is not there.
  package static func makePrivate(_ path: String) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    _ = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags, 0o600) })
  }
}
