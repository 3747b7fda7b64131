import Glibc

/// A system call that failed: the operation and the error number.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call or the step, for example `open` or `set line speed`.
  package let operation: String
  /// The kernel's error number.
  package let errno: Int32

  package init(operation: String, errno: Int32) {
    self.operation = operation
    self.errno = errno
  }

  /// Whether it failed because the name exists.
  package var isExistence: Bool { errno == EEXIST }
  /// Whether it failed because permission was denied.
  package var isPermission: Bool { errno == EACCES || errno == EPERM }

  /// Whether a retry may succeed soon.
  package var isBusy: Bool { errno == EAGAIN }

  /// `errno` if another process serves at that address.
  package static let addressInUse = EADDRINUSE
  /// `errno` values if permission was denied.
  package static let denials: Set<Int32> = [EACCES, EPERM]
  /// `errno` if something other than a regular file has the name.
  package static let notAFile = EINVAL
  /// `errno` if it does not exist.
  package static let noSuchThing = ENOENT
  /// The device does not give the data.
  package static let unreadable = EIO

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

/// The causes that callers distinguish.
extension SystemError {
  /// Whether it failed because the name does not exist.
  package var isAbsence: Bool { errno == ENOENT }

  /// Whether connecting failed because no process serves at that address: the socket does not exist, or no process listens at it.
  package var isNoServerListening: Bool { errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR }

  /// Whether this machine has no such network address, or not that family of addresses.
  package var isMissingAddress: Bool { errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT }

  /// Whether a name is too long for the kernel, so that no process can serve at it.
  package var isNameTooLong: Bool { errno == ENAMETOOLONG }

  /// Whether it failed because another process holds a lock.
  package var isHeldByOther: Bool { errno == EWOULDBLOCK }

  /// Whether it failed because the file system is read-only.
  package var isReadOnly: Bool { errno == EROFS }

  /// Whether writing failed for a possibly temporary reason: the disk is full or read-only, or reports errors.
  package var isOfTheDisk: Bool { [ENOSPC, EDQUOT, EROFS, EIO].contains(errno) }

  /// Whether the disk itself failed.
  package var isDiskError: Bool { errno == EIO }

  /// Whether it failed because the disk is full, or the user's share of it.
  package var isFullDisk: Bool { errno == ENOSPC || errno == EDQUOT }

  /// Whether it failed because the disk is full, or the quota or the file size limit is reached.
  package var isLackOfRoom: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }
}

/// The only place where interrupted system calls are repeated and `errno` is read.
enum SystemCall {
  /// Returns the result of `body`; throws its `errno` if the result is -1.
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

/// The kinds of system errors that end a program differently.
package enum SystemErrorKind: Hashable, Sendable {
  /// Another process uses it.
  case inUse
  /// Permission denied.
  case denied
  case other

  package init(_ errno: Int32) {
    self = errno == SystemError.addressInUse ? .inUse : SystemError.denials.contains(errno) ? .denied : .other
  }
}
