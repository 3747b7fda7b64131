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

  /// Whether the operation failed because the name exists.
  package var isExistence: Bool { errno == EEXIST }
  /// Whether the operation failed because permission was denied.
  package var isPermission: Bool { errno == EACCES || errno == EPERM }

  /// Whether a retry may succeed soon.
  package var isBusy: Bool { errno == EAGAIN }

  /// `errno` if another process serves at an address.
  package static let addressInUse = EADDRINUSE
  /// `errno` values if permission was denied.
  package static let denials: Set<Int32> = [EACCES, EPERM]
  /// `errno` if something other than a regular file has the name.
  package static let notAFile = EINVAL
  /// `errno` if a file or a folder does not exist.
  package static let noSuchThing = ENOENT
  /// `errno` if a file is a symbolic link that is not followed.
  package static let symbolicLink = ELOOP
  /// `errno` if the file system is full.
  package static let noSpace = ENOSPC
  /// `errno` if a device does not deliver its data.
  package static let unreadable = EIO

  /// "open: Permission denied".
  package var description: String { "\(operation): \(Self.text(of: errno))" }

  private static func text(of number: Int32) -> String {
    // Another thread may overwrite `strerror`'s own buffer; `strerror_r` writes to `buffer` or returns a constant.
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
  /// Whether the operation failed because the name does not exist.
  package var isAbsence: Bool { errno == ENOENT }

  /// Whether connecting failed because no process serves at that address: the socket does not exist, or no process listens at it.
  package var isNoServerListening: Bool { errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR }

  /// Whether this machine has no such network address, or not that family of addresses.
  package var isMissingAddress: Bool { errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT }

  /// Whether a name is too long for the kernel, so that no process can serve at it.
  package var isNameTooLong: Bool { errno == ENAMETOOLONG }

  /// Whether the operation failed because another process holds a lock.
  package var isHeldByOther: Bool { errno == EWOULDBLOCK }

  /// Whether the operation failed because the file system is read-only.
  package var isReadOnly: Bool { errno == EROFS }

  /// Whether writing failed for a possibly temporary reason: the disk is full or read-only, or reports errors.
  package var isOfTheDisk: Bool { [ENOSPC, EDQUOT, EROFS, EIO].contains(errno) }

  /// Whether the disk itself failed.
  package var isDiskError: Bool { errno == EIO }

  /// Whether the operation failed because the disk is full, or the user's quota is used up.
  package var isFullDisk: Bool { errno == ENOSPC || errno == EDQUOT }

  /// Whether the operation failed because the disk is full, or the quota or the file size limit is reached.
  package var isLackOfRoom: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }
}

/// Runs system calls: repeats interrupted ones, and converts `errno` to an error.
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

/// The kinds of system errors for which a program has different exit statuses.
package enum SystemErrorKind: Hashable, Sendable {
  /// Another process serves at the address.
  case inUse
  /// Permission denied.
  case denied
  case other

  package init(_ errno: Int32) {
    self = errno == SystemError.addressInUse ? .inUse : SystemError.denials.contains(errno) ? .denied : .other
  }
}
