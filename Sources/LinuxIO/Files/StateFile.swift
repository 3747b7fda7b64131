import Glibc

/// A small private file that is replaced atomically: even after a power failure it has either the old content or the
/// new.
package enum StateFile {
  /// The file's content; `nil` if there is no file. More than `maximumSize` bytes, or anything but a regular file, is an error.
  package static func read(_ path: String, maximumSize: Int) throws(SystemError) -> [UInt8]? {
    try read(path, in: AT_FDCWD, maximumSize: maximumSize)
  }

  /// The same for a file in the folder whose descriptor is `folder`.
  static func read(_ path: String, in folder: Int32, maximumSize: Int) throws(SystemError) -> [UInt8]? {
    let descriptor: OwnedDescriptor
    do throws(SystemError) {
      // NONBLOCK: a FIFO in its place must not block this process.
      let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
      descriptor = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe openat(folder, path, flags) })
    } catch {
      guard error.errno == ENOENT else { throw error }
      return nil
    }
    let fd = descriptor.rawValue
    let status = try FileStatus.of(fd)
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(operation: "read", errno: EINVAL) }
    return try Transfer.readAll(fd, maximumSize: maximumSize)
  }

  /// Whether other users than the owner may read or change the file; an absent one counts as private.
  package static func isReadableByOthers(_ path: String) -> Bool {
    (try? FileStatus.of(path)).map { $0.st_mode & 0o077 != 0 } ?? false
  }

  /// Replaces the file with `bytes`, readable by its owner only unless `isPublic`. A missing folder is created with the
  /// same permissions.
  ///
  /// - Parameter waitsForDisk: `false` for data that can be obtained again: the call does not wait for a slow card, and
  ///   a power failure within the next seconds may lose the new content, and on some file systems the old content, too.
  package static func write(_ path: String, _ bytes: [UInt8], waitsForDisk: Bool = true, isPublic: Bool = false)
    throws(SystemError)
  {
    let folder = PrivateFolder.parent(of: path)
    try PrivateFolder.make(folder, isPublic: isPublic)
    // The process ID in the name keeps two programs that write at the same time from mixing their content.
    let temporary = "\(path).\(getpid()).new"
    _ = unsafe unlink(temporary)
    do throws(SystemError) {
      try fill(temporary, bytes, waitsForDisk: waitsForDisk)
      if isPublic { try SystemCall.run("chmod") { unsafe chmod(temporary, 0o644) } }
      try SystemCall.run("rename") { unsafe rename(temporary, path) }
    } catch {
      _ = unsafe unlink(temporary)
      throw error
    }
    // Otherwise the name may still refer to the old file after a power failure.
    guard waitsForDisk else { return }
    try PrivateFolder.synchronize(folder)
  }

  private static func fill(_ path: String, _ bytes: [UInt8], waitsForDisk: Bool) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags, 0o600) })
    let fd = file.rawValue
    try Transfer.writeAll(fd, bytes[...])
    if waitsForDisk { try SystemCall.run("fsync") { fsync(fd) } }
  }
}

/// Limits the number of state files in a folder.
extension StateFile {
  /// Maximum number of directory entries examined.
  private static let maximumEntries = 4096

  /// Removes the file if it exists.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Keeps the file at `path` and at most `count` others of its folder, the most recently written ones, and removes the
  /// rest, including temporary files of a process that was killed while it wrote.
  package static func prune(around path: String, keeping count: Int) {
    let folder = PrivateFolder.parent(of: path)
    let kept = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let others = names(in: folder).filter { $0 != kept }
    guard others.count > count else { return }
    let byAge = others.compactMap { name -> (name: String, modified: timespec)? in
      guard let status = fileStatus("\(folder)/\(name)") else { return nil }
      return (name, status.st_mtim)
    }.sorted { ($0.modified.tv_sec, $0.modified.tv_nsec) > ($1.modified.tv_sec, $1.modified.tv_nsec) }
    for (name, _) in byAge.dropFirst(count) { remove("\(folder)/\(name)") }
  }

  /// The status of the file itself, even if it is a link; `nil` for a folder, or if there is no file.
  private static func fileStatus(_ path: String) -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
    return status
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < maximumEntries, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// Capacity of the file system at a path.
package struct FileSystemCapacity: Hashable, Sendable {
  /// Bytes that this process may still allocate.
  package let free: Int
  /// Total bytes.
  package let total: Int

  package init(free: Int, total: Int) {
    self.free = free
    self.total = total
  }

  /// Reads the capacity of the file system that contains `path` (statvfs(3)).
  package init(at path: String) throws(SystemError) {
    var status = statvfs()
    try SystemCall.run("statvfs") { unsafe statvfs(path, &status) }
    let size = Int(status.f_frsize)
    self.init(free: Int(status.f_bavail) * size, total: Int(status.f_blocks) * size)
  }

  /// The free fraction, 0…1.
  package var freeShare: Double { total > 0 ? Double(free) / Double(total) : 1 }
}
