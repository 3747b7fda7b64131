internal import CLinux
import Glibc

/// The kind of device at a path, determined without opening it, because opening has side effects on some devices.
enum DeviceKind: Hashable {
  /// A terminal line: a UART, a USB adapter.
  case terminal
  /// The other end of a `PseudoTerminal`.
  case pseudoTerminal
  /// The kernel's own GNSS subsystem (`/dev/gnss0`): receiver bytes without line settings.
  case gnss
  /// A character device that sysfs does not show, as in some containers.
  case unknown

  init(_ status: stat) throws(SerialPortError) {
    switch status.st_mode & S_IFMT {
    case S_IFCHR: break
    case S_IFDIR: throw .isDirectory
    case S_IFREG: throw .isRegularFile
    case S_IFIFO: throw .isFIFO
    default: throw .isNotSerialPort
    }
    let major = clinux_major(UInt64(status.st_rdev))
    let minor = clinux_minor(UInt64(status.st_rdev))
    // Linux, admin-guide/devices.rst: 4:0-63 are virtual consoles, 5:0-2 are tty, console and ptmx; 136-143 are Unix98
    // pseudo-terminals, which sysfs does not list.
    switch (major, minor) {
    case (4, 0..<64), (5, 0...2): throw .isNotSerialPort
    case (136...143, _): self = .pseudoTerminal
    default:
      switch Self.subsystem(major: major, minor: minor) {
      case "tty": self = .terminal
      case "gnss": self = .gnss
      case nil: self = .unknown
      default: throw .isNotSerialPort
      }
    }
  }

  private static func subsystem(major: UInt32, minor: UInt32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let base = unsafe base else { return -1 }
      return unsafe readlink("/sys/dev/char/\(major):\(minor)/subsystem", base, bytes.count)
    }
    guard count > 0 else { return nil }
    let name = buffer[..<count].split(separator: UInt8(ascii: "/")).last ?? []
    return String(decoding: name, as: UTF8.self)
  }
}
