internal import CSystemd
import Glibc

/// A message of sd-bus, which is released when this value is destroyed.
///
/// Safe: the pointer is used only while the value lives, by the thread that owns the connection.
@safe struct OwnedMessage: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  /// Takes ownership of a message, which nothing else may release.
  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = unsafe pointer }

  deinit { unsafe csystemd_release(pointer) }
}

/// A connection of sd-bus, which is closed when this value is destroyed.
///
/// Safe: the pointer is used only while the value lives, by the thread that owns the connection.
@safe struct OwnedConnection: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  /// Connects to the system bus.
  init() throws(SystemBusError) {
    guard csystemd_load() >= 0 else { throw .noLibrary }
    var pointer: UnsafeMutableRawPointer?
    let result = unsafe csystemd_open_system(&pointer)
    guard result >= 0, let pointer = unsafe pointer else {
      throw .failed(operation: "connect to the bus", errno: -result)
    }
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe csystemd_close(pointer) }
}

/// Why the bus cannot be used.
package enum SystemBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libsystemd.so.0 is not installed.
  case noLibrary
  case failed(operation: String, errno: Int32)
  /// Another program owns the name.
  case nameTaken(String)
  /// A message has more or longer values than this program accepts.
  case tooLarge

  /// A clause in words.
  package var description: String {
    switch self {
    case .noLibrary: "libsystemd is not installed"
    case .failed(let operation, let number): "cannot \(operation): error \(number)"
    case .nameTaken(let name): "another program owns \(name)"
    case .tooLarge: "a message is too large"
    }
  }
}
