import Glibc

/// How full the file system at a path is.
package struct FileSystemRoom: Hashable, Sendable {
  /// Bytes that this process may still take.
  package let free: Int
  /// Bytes in all.
  package let total: Int

  package init(free: Int, total: Int) {
    self.free = free
    self.total = total
  }

  /// That of the file system where `path` is (statvfs(3)).
  package init(at path: String) throws(SystemError) {
    var status = statvfs()
    try SystemCall.run("statvfs") { unsafe statvfs(path, &status) }
    let size = Int(status.f_frsize)
    self.init(free: Int(status.f_bavail) * size, total: Int(status.f_blocks) * size)
  }

  /// The free share, 0…1.
  package var freeShare: Double { total > 0 ? Double(free) / Double(total) : 1 }
}
