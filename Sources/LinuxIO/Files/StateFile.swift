import Glibc

/// A small private file that is always whole: the old content or the new, also after a power cut.
package enum StateFile {
  /// What the file holds; `nil` where there is none. More than `maximumSize` bytes, or something that is not a file, is
  /// an error.
  package static func read(_ path: String, maximumSize: Int) throws(SystemError) -> [UInt8]? {
    try read(path, in: AT_FDCWD, maximumSize: maximumSize)
  }

  /// The same of a file in the folder that `folder` is a descriptor of.
  static func read(_ path: String, in folder: Int32, maximumSize: Int) throws(SystemError) -> [UInt8]? {
    let descriptor: OwnedDescriptor
    do throws(SystemError) {
      // NONBLOCK: whoever puts a FIFO there must not make us wait.
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

  /// Replaces the file with `bytes`, readable by its owner only unless it is public, in a folder that is made where it does
  /// not exist, with the same rights.
  ///
  /// - Parameter waitsForDisk: `false` for what can be had again: nobody waits for a slow card, and a power cut within the
  ///   next seconds may cost the new content, on some file systems the old one, too.
  package static func write(_ path: String, _ bytes: [UInt8], waitsForDisk: Bool = true, isPublic: Bool = false)
    throws(SystemError)
  {
    let folder = PrivateFolder.parent(of: path)
    try PrivateFolder.make(folder, isPublic: isPublic)
    // A name of this process: two programs that write at a time must not mix their halves.
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
    // Without this the name may still mean the old file after a power cut.
    guard waitsForDisk else { return }
    try PrivateFolder.synchronize(folder)
  }

  private static func fill(_ path: String, _ bytes: [UInt8], waitsForDisk: Bool) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags, 0o600) })
    let fd = file.rawValue
    var rest = bytes[...]
    while !rest.isEmpty {
      switch Transfer.write(fd, rest) {
      case .written(let count): rest = rest.dropFirst(count)
      case .wouldBlock: throw SystemError(operation: "write", errno: EAGAIN)
      case .failed(let error): throw error
      }
    }
    if waitsForDisk { try SystemCall.run("fsync") { fsync(fd) } }
  }
}
