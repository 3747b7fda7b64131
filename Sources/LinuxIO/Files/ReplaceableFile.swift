import Glibc

/// A file whose content was read and can be replaced atomically: readers see the old content or the new, never a
/// mixture. The file's mode, owner and times are preserved; extended attributes and other hard links are not.
package struct ReplaceableFile: Sendable {
  /// The file's content.
  package let bytes: [UInt8]
  /// Its path, with links resolved.
  private let path: String
  private let device: UInt
  private let node: UInt
  private let size: Int
  private let mode: mode_t
  private let owner: (user: uid_t, group: gid_t)
  private let accessed: timespec
  private let modified: timespec

  /// Reads the file at `path`, of at most `maximumSize` bytes.
  package init(path: String, maximumSize: Int) throws(InputFileError) {
    self.path = try Self.resolved(path)
    let file = try InputFile(path: self.path)
    do throws(SystemError) {
      let status = try FileStatus.of(self.path)
      device = UInt(status.st_dev)
      node = UInt(status.st_ino)
      size = Int(status.st_size)
      mode = status.st_mode & 0o7777
      owner = (status.st_uid, status.st_gid)
      (accessed, modified) = (status.st_atim, status.st_mtim)
      guard size <= maximumSize else { throw SystemError(operation: "read", errno: EFBIG) }
      var (content, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 256 * 1024))
      content.reserveCapacity(size)
      while true {
        let count = try file.read(into: &buffer)
        guard count > 0 else { break }
        content += buffer[..<count]
        guard content.count <= maximumSize else { throw SystemError(operation: "read", errno: EFBIG) }
      }
      bytes = content
    } catch {
      throw .system(error)
    }
  }

  /// Replaces the content. `ESTALE`: the file is no longer the one that was read; `EACCES`: the file is not writable,
  /// although its folder is. Ctrl-C takes effect after the replacement is complete.
  package func replace(with content: [UInt8]) throws(SystemError) {
    var (signals, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    try SystemCall.run("access") { unsafe access(path, W_OK) }
    let temporary = "\(path).\(getpid()).new"
    _ = unsafe unlink(temporary)
    do throws(SystemError) {
      try fill(temporary, content)
      let status = try FileStatus.of(path)
      let isSame =
        UInt(status.st_dev) == device && UInt(status.st_ino) == node && Int(status.st_size) == size
        && status.st_mtim.tv_sec == modified.tv_sec && status.st_mtim.tv_nsec == modified.tv_nsec
      guard isSame else { throw SystemError(operation: "rename", errno: ESTALE) }
      try SystemCall.run("rename") { unsafe rename(temporary, path) }
    } catch {
      _ = unsafe unlink(temporary)
      throw error
    }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let directory = OwnedDescriptor(
      rawValue: try SystemCall.run("open") { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    let fd = directory.rawValue
    try SystemCall.run("fsync") { fsync(fd) }
  }

  private func fill(_ temporary: String, _ content: [UInt8]) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(temporary, flags, 0o600) })
    let fd = file.rawValue
    try Transfer.writeAll(fd, content[...])
    let status = try FileStatus.of(fd)
    if status.st_uid != owner.user || status.st_gid != owner.group {
      try SystemCall.run("fchown") { fchown(fd, owner.user, owner.group) }
    }
    // After fchown, which clears set-user-ID bits.
    try SystemCall.run("fchmod") { fchmod(fd, mode) }
    let times = [accessed, modified]
    try SystemCall.run("futimens") { unsafe futimens(fd, times) }
    try SystemCall.run("fsync") { fsync(fd) }
  }

  private static func resolved(_ path: String) throws(InputFileError) -> String {
    do throws(SystemError) {
      return try RealPath.of(path)
    } catch {
      throw error.errno == ENOENT ? .doesNotExist : .system(error)
    }
  }
}
