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
