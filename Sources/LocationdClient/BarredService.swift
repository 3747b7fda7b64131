package import LinuxIO

/// A service may be there, and this process cannot reach it: that is final, and no other is tried in its place.
package struct BarredService: Error, Hashable, Sendable {
  /// Its socket.
  package let path: String
  /// What the kernel said.
  package let operation: String
  package let errno: Int32

  /// Whether this user may not speak to it; anything else may pass.
  package var isForbidden: Bool { cause.isPermission }
  package var cause: SystemError { SystemError(operation: operation, errno: errno) }
}
