import Glibc

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
