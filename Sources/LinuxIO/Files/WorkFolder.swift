import Glibc

/// A folder of its own for files that become one file: a private folder beside that file, which is locked by its process, so that
/// what a killed process left behind can be recognized and removed.
package struct WorkFolder: ~Copyable {
  package let path: String
  private let parent: String
  private let lock: OwnedDescriptor

  /// Followed by six characters.
  private static let prefix = ".import-"

  /// Creates a folder in `parent`, and removes folders there whose processes have ended.
  package init(in parent: String) throws(SystemError) {
    try Self.removeAbandoned(in: parent)
    let path = try PrivateFolder.makeTemporary(in: parent, prefix: Self.prefix)
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

  /// Copies a regular file of another folder, which may belong to an untrusted process, to a file that only this process writes.
  ///
  /// - Parameters:
  ///   - isPublic: whether other users can read it in this folder.
  ///   - largest: a larger file is an error, bytes.
  package func copy(
    _ file: String, from other: borrowing WorkFolder, isPublic: Bool, largest: Int
  ) throws(SystemError) {
    let (source, target) = ("\(other.path)/\(file)", "\(path)/\(file)")
    let reading = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let from = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(source, reading) })
    let (input, status) = (from.rawValue, try FileStatus.of(from.rawValue))
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(operation: "open", errno: EINVAL) }
    let writing = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let to = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(target, writing, 0o600) })
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var total = 0
    while true {
      let count = try SystemCall.run("read") { unsafe read(input, &buffer, buffer.count) }
      guard count > 0 else { break }
      total += count
      guard total <= largest else { throw SystemError(operation: "copy", errno: EFBIG) }
      try Transfer.writeAll(to.rawValue, buffer[..<count])
    }
    if isPublic {
      let (folder, copy) = (lock.rawValue, to.rawValue)
      try SystemCall.run("fchmod") { fchmod(folder, 0o755) }
      try SystemCall.run("fchmod") { fchmod(copy, 0o644) }
    }
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
    for name in try PrivateFolder.folders(in: parent) where isOwn(name) {
      let path = "\(parent)/\(name)"
      guard let folder = try? opened(path) else { continue }
      let fd = folder.rawValue
      if flock(fd, LOCK_EX | LOCK_NB) == 0 { remove(path) }
    }
  }

  private static func isOwn(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6
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
