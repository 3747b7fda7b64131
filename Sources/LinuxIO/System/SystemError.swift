import Glibc

/// A system call that failed: which, and why.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call or the step, as `open` or `set line speed`.
  package let operation: String
  /// The kernel's error number.
  package let errno: Int32

  package init(operation: String, errno: Int32) {
    self.operation = operation
    self.errno = errno
  }

  /// Whether it failed because something of that name is there.
  package var isExistence: Bool { errno == EEXIST }
  /// Whether it failed because this user may not.
  package var isPermission: Bool { errno == EACCES || errno == EPERM }

  /// Whether it may work in a moment.
  package var isBusy: Bool { errno == EAGAIN }

  /// `errno` where another process serves at that address.
  package static let addressInUse = EADDRINUSE
  /// `errno` where this user may not.
  package static let denials: Set<Int32> = [EACCES, EPERM]
  /// `errno` where something else than a file stands in its place.
  package static let notAFile = EINVAL
  /// `errno` where there is no such thing.
  package static let noSuchThing = ENOENT

  /// "open: Permission denied".
  package var description: String { "\(operation): \(Self.text(of: errno))" }

  private static func text(of number: Int32) -> String {
    // `strerror`'s own buffer may be overwritten by another thread; `strerror_r` writes into ours or returns a constant.
    var buffer = [CChar](repeating: 0, count: 128)
    return unsafe buffer.withUnsafeMutableBufferPointer { pointer in
      guard let base = pointer.baseAddress, let text = unsafe strerror_r(number, base, pointer.count) else {
        return "error \(number)"
      }
      return unsafe String(cString: text)
    }
  }
}

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

/// The one place where calls that a signal interrupted are repeated and `errno` is read.
enum SystemCall {
  /// What `body` returns; its `errno` as an error where that is -1.
  @discardableResult
  static func run<R: FixedWidthInteger & SignedInteger>(
    _ operation: String, _ body: () -> R
  ) throws(SystemError) -> R {
    while true {
      let result = body()
      guard result == -1 else { return result }
      let number = errno
      guard number == EINTR else { throw SystemError(operation: operation, errno: number) }
    }
  }
}
