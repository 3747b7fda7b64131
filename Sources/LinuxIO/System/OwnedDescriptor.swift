import Glibc

/// An open file descriptor that closes when its owner goes.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The descriptor's number, valid as long as this value lives.
  package let rawValue: Int32

  /// Takes over `rawValue`, which nothing else may close.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  // Not repeated on EINTR: Linux has released the number by then, and another thread may have it already.
  deinit { _ = close(rawValue) }
}
