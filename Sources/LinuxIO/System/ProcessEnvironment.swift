import Glibc

/// What this process was given: its environment variables, and whether it is the super-user.
package enum ProcessEnvironment {
  /// The value of a variable; `nil` where it is not set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The file that this process runs (proc(5), `exe`); `nil` where there is no /proc.
  package static var executable: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// This process's number.
  package static var processID: Int32 { getpid() }

  /// The user that this process acts as.
  package static var userID: UInt32 { geteuid() }

  package static var isRoot: Bool { geteuid() == 0 }

  /// Names this run of the machine (random(4), `boot_id`); `nil` where there is no /proc.
  package static var bootID: String? {
    guard let bytes = try? StateFile.read("/proc/sys/kernel/random/boot_id", maximumSize: 64) else { return nil }
    let text = bytes.prefix { $0 != 0x0A }
    return text.count == 36 ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Where a lock of a port may lie, best first: the folder that all users share.
  package static var lockFolders: [String] {
    ["/run/lock"] + [value("XDG_RUNTIME_DIR")].compactMap { $0 } + ["/tmp"]
  }
}
