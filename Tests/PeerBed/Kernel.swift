import Glibc
import LinuxIO

/// Functions and constants that Swift's module of the C library omits.
enum Kernel {
  static let newUsers: Int32 = 0x1000_0000
  static let newProcesses: Int32 = 0x2000_0000

  /// Returns the child's process ID in the parent, and 0 in the child. Only for a process without threads.
  static func fork() -> Int32 {
    typealias Function = @convention(c) () -> Int32
    return unsafe unsafeBitCast(symbol("fork"), to: Function.self)()
  }

  static func unshare(_ flags: Int32) {
    typealias Function = @convention(c) (Int32) -> Int32
    check(unsafe unsafeBitCast(symbol("unshare"), to: Function.self)(flags), "unshare")
  }

  /// A process that has changed its user may read its own files in /proc only after this call (PR_SET_DUMPABLE).
  static func makeDumpable() {
    typealias Function = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    check(unsafe unsafeBitCast(symbol("prctl"), to: Function.self)(4, 1, 0, 0, 0), "prctl")
  }

  static func check(_ result: Int32, _ what: String) {
    guard result < 0 else { return }
    Kernel.say("failed \(what) \(errno)")
    exit(71)
  }

  /// Prints a line for the parent process.
  static func say(_ line: String) { _ = StandardOutput.write(Array("\(line)\n".utf8)) }

  static func write(_ text: String, to path: String) {
    let fd = unsafe open(path, O_WRONLY | O_CLOEXEC)
    check(fd, path)
    let bytes = Array(text.utf8)
    check(unsafe Glibc.write(fd, bytes, bytes.count) == bytes.count ? 0 : -1, path)
    close(fd)
  }

  /// A socket that is not connected yet.
  static func makeSocket() -> Int32 {
    let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    check(fd, "socket")
    return fd
  }

  static func connect(_ fd: Int32, to path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (index, byte) in path.utf8.enumerated() where index < 107 { unsafe buffer[index] = byte }
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Glibc.connect(fd, $0, size) }
    }
    check(result, "connect")
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer {
    guard let symbol = unsafe dlsym(nil, name) else { exit(70) }
    return unsafe symbol
  }
}
