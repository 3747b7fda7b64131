import Glibc

/// A folder of its own for files that become one file: a private folder beside that file, which is locked by its process, so that
/// what a killed process left behind can be recognized and removed.
package struct WorkFolder: ~Copyable {
  package let path: String
  private let parent: String
  private let lock: OwnedDescriptor

  private static let prefix = "locationd-"

  /// Creates a folder in `parent`, and removes folders there whose processes have ended.
  package init(in parent: String) throws(SystemError) {
    try Self.removeAbandoned(in: parent)
    let path = try PrivateFolder.makeTemporary(in: parent)
    let lock: OwnedDescriptor
    do throws(SystemError) {
      lock = try Self.locked(path)
    } catch {
      Self.remove(path)
      throw error
    }
    self.path = path
    self.parent = parent
    self.lock = lock
  }

  deinit { Self.remove(path) }

  /// Makes another user the owner.
  package func give(to user: UInt32) throws(SystemError) {
    let fd = lock.rawValue
    try SystemCall.run("fchown") { fchown(fd, user, user) }
  }

  /// Makes a regular file of the folder the file `name` of the folder around it, with this owner and mode, and waits until it is on
  /// disk.
  package func publish(_ file: String, as name: String, isPublic: Bool) throws(SystemError) {
    let source = "\(path)/\(file)"
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(source, flags) })
    let fd = owned.rawValue
    let status = try FileStatus.of(fd)
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(operation: "open", errno: EINVAL) }
    try SystemCall.run("fchown") { fchown(fd, geteuid(), getegid()) }
    try SystemCall.run("fchmod") { fchmod(fd, isPublic ? 0o644 : 0o600) }
    try SystemCall.run("fsync") { fsync(fd) }
    let target = "\(parent)/\(name)"
    try SystemCall.run("rename") { unsafe rename(source, target) }
    try PrivateFolder.synchronize(parent)
  }

  private static func removeAbandoned(in parent: String) throws(SystemError) {
    for name in try PrivateFolder.folders(in: parent) where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      guard let folder = try? opened(path) else { continue }
      let fd = folder.rawValue
      if flock(fd, LOCK_EX | LOCK_NB) == 0 { remove(path) }
    }
  }

  private static func opened(_ path: String) throws(SystemError) -> OwnedDescriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
  }

  private static func locked(_ path: String) throws(SystemError) -> OwnedDescriptor {
    let folder = try opened(path)
    let fd = folder.rawValue
    try SystemCall.run("flock") { flock(fd, LOCK_EX | LOCK_NB) }
    return folder
  }

  /// Removes the files in a folder, and the folder.
  private static func remove(_ path: String) {
    for file in (try? PrivateFolder.files(in: path)) ?? [] { StateFile.remove("\(path)/\(file.name)") }
    PrivateFolder.removeEmpty(path)
  }
}
