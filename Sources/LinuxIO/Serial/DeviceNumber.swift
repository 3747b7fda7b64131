import Glibc

/// Major and minor number of a character device: two nodes with the same number are one device, whatever they are called.
package struct DeviceNumber: Hashable, Sendable {
  package let rawValue: UInt64

  /// The device at a path; links are followed. `nil` if there is no character device. Opens nothing.
  package init?(ofNodeAt path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    rawValue = UInt64(status.st_rdev)
  }
}
