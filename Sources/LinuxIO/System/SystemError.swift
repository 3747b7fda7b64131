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
