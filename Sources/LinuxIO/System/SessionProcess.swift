internal import CLinux
import Glibc

/// A program in a session of its own, with nothing of this process: what it leaves behind in its group ends with it, and all of them
/// with this value, at the latest.
package final class SessionProcess {
  package let processID: Int32
  /// The process itself (pidfd_open(2)), readable when it has ended.
  private let process: OwnedDescriptor
  private var isOver = false

  /// - Parameters:
  ///   - program: a path.
  ///   - environment: `NAME=VALUE`, all of it.
  ///   - folder: where it begins.
  ///   - input: all that it reads. It need not: nobody waits for that.
  ///
  /// What it prints goes where this process complains.
  package init(
    _ program: String, _ arguments: [String], environment: [String], folder: String, input: [UInt8]
  ) throws(SystemError) {
    let memory = OwnedDescriptor(
      rawValue: try SystemCall.run("memfd_create") { unsafe memfd_create("event", UInt32(MFD_CLOEXEC)) })
    let fd = memory.rawValue
    var rest = input[...]
    while !rest.isEmpty {
      switch Transfer.write(fd, rest) {
      case .written(let count): rest = rest.dropFirst(count)
      case .wouldBlock: throw SystemError(operation: "write", errno: EAGAIN)
      case .failed(let error): throw error
      }
    }
    try SystemCall.run("lseek") { lseek(fd, 0, SEEK_SET) }
    let id = try ChildProcess.spawn(
      program, arguments, input: fd, output: STDERR_FILENO, errors: STDERR_FILENO, environment: environment,
      folder: folder, hasSession: true)
    do throws(SystemError) {
      process = OwnedDescriptor(rawValue: try SystemCall.run("pidfd_open") { clinux_pidfd_open(id) })
    } catch {
      _ = Glibc.kill(-id, SIGKILL)
      _ = waitpid(id, nil, 0)
      throw error
    }
    processID = id
  }

  deinit { if !isOver { _ = finish() } }

  /// Readable when it has ended.
  package var descriptor: Int32 { process.rawValue }

  /// Sends it and its group a signal; nothing once it has ended.
  package func send(_ signal: Int32) {
    // Until it is waited for, its number and its group's are nobody else's.
    guard !isOver else { return }
    _ = Glibc.kill(-processID, signal)
  }

  /// How it ended; ends it, where it has not, and what is left of its group.
  package func finish() -> ChildProcess.Ending {
    send(SIGKILL)
    isOver = true
    var status: Int32 = 0
    let waited = try? SystemCall.run("waitpid") { unsafe waitpid(processID, &status, 0) }
    return waited == nil ? .killed(signal: SIGKILL) : ChildProcess.ending(status)
  }
}

/// The bus of a person's desktop session.
package enum SessionBus {
  /// Whether there is one to be found (D-Bus specification, "Well-known Message Bus Instances"; systemd's user bus).
  package static var isNamed: Bool {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return true }
    guard let folder = ProcessEnvironment.value("XDG_RUNTIME_DIR"), !folder.isEmpty else { return false }
    return (try? FileStatus.of("\(folder)/bus")) != nil
  }

  /// Where a user's bus is, for `DBUS_SESSION_BUS_ADDRESS`, also where this process was started by no session: as the environment says,
  /// else as systemd lays it (systemd.exec(5), XDG_RUNTIME_DIR). `nil`: there is none.
  package static func address(ofUser userID: UInt32) -> String? {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    let path = "/run/user/\(userID)/bus"
    return (try? FileStatus.of(path)) == nil ? nil : "unix:path=\(path)"
  }
}

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
