import Glibc

/// A file with a secret or a certificate, by a path that came from somebody else.
package enum CredentialFile {
  /// The content of a regular file.
  ///
  /// A path that somebody else chose must not lead to files of this process: `EACCES` for everything in `folder`, however the path leads
  /// there, and for files of the kernel.
  ///
  /// - Parameters:
  ///   - folder: the folder of this process's own files.
  ///   - isSecret: whether the file has to belong to this process's user, or to root, and to be readable by its owner only.
  ///   - maximumSize: bytes; more are an error.
  package static func read(
    _ path: String, outside folder: String, isSecret: Bool, maximumSize: Int
  ) throws(SystemError) -> [UInt8] {
    // NONBLOCK: a FIFO in its place must not block this process.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
    let fd = file.rawValue
    let status = try FileStatus.of(fd)
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(operation: "read", errno: EINVAL) }
    let isPrivate = (status.st_uid == geteuid() || status.st_uid == 0) && status.st_mode & 0o077 == 0
    // The descriptor, and not the path, which may lead elsewhere by now.
    guard isPrivate || !isSecret, let real = try? RealPath.of("/proc/self/fd/\(fd)") else {
      throw SystemError(operation: "open", errno: EACCES)
    }
    for closed in [try? RealPath.of(folder), "/proc", "/sys"] {
      if let closed, real.utf8.starts(with: "\(closed)/".utf8) { throw SystemError(operation: "open", errno: EACCES) }
    }
    return try Transfer.readAll(fd, maximumSize: maximumSize)
  }
}
