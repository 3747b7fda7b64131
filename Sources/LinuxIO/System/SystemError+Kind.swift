import Glibc

/// What a caller may want to know of an error's cause.
extension SystemError {
  /// Whether it failed because nothing of that name is there.
  package var isAbsence: Bool { errno == ENOENT }

  /// Whether connecting failed because nobody serves at that address: there is no such socket, or nobody listens at it.
  package var isNobodyServing: Bool { errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR }

  /// Whether a name is longer than the kernel takes, so that nobody can serve at it.
  package var isNameTooLong: Bool { errno == ENAMETOOLONG }

  /// Whether it failed because someone else holds a lock.
  package var isHeldByOther: Bool { errno == EWOULDBLOCK }

  /// Whether it failed because the file system may not be written.
  package var isReadOnly: Bool { errno == EROFS }

  /// Whether writing failed for what may pass by itself: the disk is full or read-only, or reports errors.
  package var isOfTheDisk: Bool { [ENOSPC, EDQUOT, EROFS, EIO].contains(errno) }

  /// Whether the disk itself failed.
  package var isDiskError: Bool { errno == EIO }

  /// Whether it failed because the file system, the quota or the allowed size is used up.
  package var isLackOfRoom: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }
}
