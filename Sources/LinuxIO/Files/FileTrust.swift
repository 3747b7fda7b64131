import Glibc

/// Who could have changed a file.
package enum FileTrust {
  /// Whether only root and this user can have written a file: nobody else owns it or may write to it.
  package static func isOwn(_ path: String) -> Bool {
    guard let status = try? FileStatus.of(path) else { return false }
    return (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
  }
}
