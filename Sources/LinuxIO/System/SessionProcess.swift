internal import CLinux
import Glibc

/// A program in its own session, which inherits only standard error from this process. When it exits, the rest of its
/// process group is killed; the program and its group are killed at the latest when this value is destroyed.
package final class SessionProcess {
  package let processID: Int32
  /// Its pidfd (pidfd_open(2)), readable when it has exited.
  private let process: OwnedDescriptor
  private var isOver = false

  /// - Parameters:
  ///   - program: a path.
  ///   - environment: `NAME=VALUE`, the complete environment.
  ///   - folder: its working directory.
  ///   - input: its complete standard input. The program need not read it, and this call does not wait until it does.
  ///
  /// Its output goes to this process's standard error.
  package init(
    _ program: String, _ arguments: [String], environment: [String], folder: String, input: [UInt8]
  ) throws(SystemError) {
    let memory = OwnedDescriptor(
      rawValue: try SystemCall.run("memfd_create") { unsafe memfd_create("event", UInt32(MFD_CLOEXEC)) })
    let fd = memory.rawValue
    try Transfer.writeAll(fd, input[...])
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

  /// Readable when it has exited.
  package var descriptor: Int32 { process.rawValue }

  /// Sends a signal to the program and its process group; does nothing after `finish`.
  package func send(_ signal: Int32) {
    // The process ID, which is also the group's ID, cannot be reused until the process is waited for.
    guard !isOver else { return }
    _ = Glibc.kill(-processID, signal)
  }

  /// Kills the program if it still runs, and the rest of its group; returns how the program exited.
  package func finish() -> ChildProcess.Ending {
    send(SIGKILL)
    isOver = true
    var status: Int32 = 0
    let waited = try? SystemCall.run("waitpid") { unsafe waitpid(processID, &status, 0) }
    return waited == nil ? .killed(signal: SIGKILL) : ChildProcess.ending(status)
  }
}

/// The D-Bus session bus of a user.
package enum SessionBus {
  /// Whether its address is known (D-Bus specification, "Well-known Message Bus Instances"; systemd's user bus).
  package static var isNamed: Bool {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return true }
    guard let folder = ProcessEnvironment.value("XDG_RUNTIME_DIR"), !folder.isEmpty else { return false }
    return (try? FileStatus.of("\(folder)/bus")) != nil
  }

  /// The address of a user's bus for `DBUS_SESSION_BUS_ADDRESS`, even if no session started this process: from the
  /// environment, otherwise systemd's default (systemd.exec(5), XDG_RUNTIME_DIR). `nil` if there is none.
  package static func address(ofUser userID: UInt32) -> String? {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    let path = "/run/user/\(userID)/bus"
    return (try? FileStatus.of(path)) == nil ? nil : "unix:path=\(path)"
  }
}

/// This process's environment variables, IDs and executable.
package enum ProcessEnvironment {
  /// The value of a variable; `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// All variables, as `NAME=VALUE`. Call this before other threads run.
  package static var variables: [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      unsafe variables.append(String(cString: entry))
      unsafe next = next.successor()
    }
    return variables
  }

  /// The first argument of this process that is not valid UTF-8, and its number from 1 on; `nil` if there is none. In
  /// `CommandLine.arguments`, U+FFFD replaces invalid bytes, so that such an argument is not the text or the path that
  /// the user gave.
  package static var invalidArgument: (number: Int, repaired: String)? {
    // In nearly all runs this check suffices.
    guard CommandLine.arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return nil }
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: argument) == nil
      else {
        continue
      }
      return (index, unsafe String(cString: argument))
    }
    return nil
  }

  /// The executable of this process (proc(5), `exe`); `nil` if there is no /proc.
  package static var executable: String? { SymbolicLink.target(of: "/proc/self/exe") }

  package static var processID: Int32 { getpid() }

  /// This process's effective user ID.
  package static var userID: UInt32 { geteuid() }

  package static var isRoot: Bool { geteuid() == 0 }

  /// Identifies the current boot (random(4), `boot_id`); `nil` if there is no /proc.
  package static var bootID: String? {
    guard let bytes = try? StateFile.read("/proc/sys/kernel/random/boot_id", maximumSize: 64) else { return nil }
    let text = bytes.prefix { $0 != 0x0A }
    return text.count == 36 ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Folders for port locks, the best first: the one that all users share.
  package static var lockFolders: [String] {
    ["/run/lock"] + [value("XDG_RUNTIME_DIR")].compactMap { $0 } + ["/tmp"]
  }
}
