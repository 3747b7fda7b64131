import Glibc

/// What a caller may want to know of an error's cause.
extension SystemError {
  /// Whether it failed because nothing of that name is there.
  package var isAbsence: Bool { errno == ENOENT }

  /// Whether it failed because someone else holds a lock.
  package var isHeldByOther: Bool { errno == EWOULDBLOCK }

  /// Whether it failed because the file system may not be written.
  package var isReadOnly: Bool { errno == EROFS }

  /// Whether the disk itself failed.
  package var isDiskError: Bool { errno == EIO }

  /// Whether it failed because the file system, the quota or the allowed size is used up.
  package var isLackOfRoom: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }
}
