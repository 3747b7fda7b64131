internal import CLinux
import Glibc

/// A program that this one has started, by a vector of arguments and never by a shell: what it prints is kept until it ends. It ends
/// with this value, at the latest.
package final class ChildProcess {
  /// How it ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// More of what it prints is not read.
  private static let longestOutput = 4096

  private let processID: pid_t
  private let output: OwnedDescriptor
  /// The process itself (pidfd_open(2)), readable when it has ended.
  private let process: OwnedDescriptor
  private var ending: Ending?
  private var isSignalled = false

  /// Starts it; it reads nothing, and its complaints go nowhere.
  ///
  /// - Parameters:
  ///   - program: is looked for in PATH; `ENOENT`: there is none.
  ///   - environment: `NAME=VALUE`; `nil`: this process's.
  package init(_ program: String, _ arguments: [String], environment: [String]? = nil) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.run("pipe") { unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) }
    output = OwnedDescriptor(rawValue: ends[0])
    let input = OwnedDescriptor(rawValue: ends[1])
    processID = try Self.spawn(program, arguments, input: nil, output: input.rawValue, environment: environment)
    do throws(SystemError) {
      let id = processID
      process = OwnedDescriptor(rawValue: try SystemCall.run("pidfd_open") { clinux_pidfd_open(id) })
    } catch {
      _ = Glibc.kill(processID, SIGKILL)
      _ = waitpid(processID, nil, 0)
      throw error
    }
  }

  deinit {
    // One that was sent a signal is ending; whoever ends first, it is waited for.
    guard ending == nil, !isSignalled else { return }
    _ = Glibc.kill(processID, SIGKILL)
    _ = waitpid(processID, nil, 0)
  }

  /// Readable when it has ended.
  package var descriptor: Int32 { process.rawValue }

  /// Sends it a signal; nothing once it has ended.
  package func send(_ signal: Int32) {
    // Until it is waited for its number is nobody else's.
    guard ending == nil else { return }
    isSignalled = true
    _ = Glibc.kill(processID, signal)
  }

  /// Ends it by a signal that it may not hear yet, so that it is sent again and again; after a second at the latest.
  package func end(by signal: Int32) {
    for _ in 0..<20 where ending == nil {
      send(signal)
      var wait = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&wait, 1, 50) == 1 { _ = finish() }
    }
    if ending == nil {
      send(SIGKILL)
      _ = finish()
    }
  }

  /// How it ended and what it printed; waits for it, where it has not ended.
  package func finish() -> (ending: Ending, output: [UInt8]) {
    if ending == nil {
      var status: Int32 = 0
      let waited = try? SystemCall.run("waitpid") { unsafe waitpid(processID, &status, 0) }
      // As in wait(2): the low seven bits are the signal.
      ending = waited == nil ? .killed(signal: SIGKILL) : Self.ending(status)
    }
    var buffer = [UInt8](repeating: 0, count: Self.longestOutput)
    guard case .bytes(let count) = Transfer.read(output.rawValue, into: &buffer) else {
      return (ending ?? .exited(0), [])
    }
    return (ending ?? .exited(0), Array(buffer[..<count]))
  }

  static func ending(_ status: Int32) -> Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// Starts a program in a group of its own, with nothing of this process but what is named here.
  ///
  /// - Parameters:
  ///   - name: what it sees as its own; `nil`: as it is called.
  ///   - input: what it reads; `nil`: nothing.
  ///   - output: what it writes to; `nil`: nothing.
  ///   - errors: where it complains; `nil`: nowhere.
  ///   - environment: `NAME=VALUE`; `nil`: this process's.
  ///   - folder: where it begins; `nil`: where this process is.
  ///   - hasSession: it has a session of its own too, and so no terminal.
  static func spawn(
    _ program: String, as name: String? = nil, _ arguments: [String], input: Int32?, output: Int32?,
    errors: Int32? = nil, environment: [String]? = nil, folder: String? = nil, hasSession: Bool = false
  ) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    let streams = [
      (input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY), (errors, STDERR_FILENO, O_WRONLY),
    ]
    for (descriptor, own, flags) in streams {
      if let descriptor {
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, own)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, own, "/dev/null", flags, 0)
      }
    }
    // What this process was handed with its start is not the child's.
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if let folder { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }
    // A loop has signals blocked and broken pipes ignored, which it would inherit; what is typed at the terminal is ours.
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    // The leader of a session is that of a group, and cannot become it again (setpgid(2)).
    let group = hasSession ? Self.newSession : POSIX_SPAWN_SETPGROUP
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var words = unsafe ([name ?? program] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe (environment ?? []).map { unsafe strdup($0) } + [nil]
    defer {
      unsafe words.forEach { unsafe free($0) }
      unsafe variables.forEach { unsafe free($0) }
    }
    var process: pid_t = 0
    let failure =
      environment == nil
      ? unsafe posix_spawnp(&process, program, &actions, &attributes, &words, environ)
      : unsafe posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
    guard failure == 0 else { throw SystemError(operation: "start \(program)", errno: failure) }
    return process
  }

  /// POSIX_SPAWN_SETSID (glibc 2.26, <spawn.h>), which is there for GNU programs alone.
  private static let newSession: Int32 = 0x80
}

/// A program that this one has started and talks with over a socket, which is the child's standard input. It ends with this value, at
/// the latest.
package final class SocketChild {
  private let processID: pid_t
  private var stream: UnixStream?
  private var isLeft = false

  /// Starts it as `ChildProcess` does; what it prints goes nowhere.
  ///
  /// - Parameters:
  ///   - name: what it sees as its own.
  ///   - sharesErrors: it complains where this process does.
  package init(
    _ program: String, as name: String, _ arguments: [String], sharesErrors: Bool = false
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try SystemCall.run("socketpair") { unsafe socketpair(AF_UNIX, type, 0, &ends) }
    let own = OwnedDescriptor(rawValue: ends[0])
    let other = OwnedDescriptor(rawValue: ends[1])
    processID = try ChildProcess.spawn(
      program, as: name, arguments, input: other.rawValue, output: nil,
      errors: sharesErrors ? STDERR_FILENO : nil)
    stream = UnixStream(own)
  }

  deinit {
    stream = nil
    guard !isLeft else { return }
    _ = Glibc.kill(processID, SIGKILL)
    _ = waitpid(processID, nil, 0)
  }

  /// Tells it to end (SIGTERM), and leaves that to it and to whoever minds the children of processes that have ended: this one ends too.
  package func leave() {
    stream = nil
    isLeft = true
    _ = Glibc.kill(processID, SIGTERM)
  }

  /// The way to it, once.
  package func takeStream() -> UnixStream? { stream.take() }
}
