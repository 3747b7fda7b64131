internal import CLinux
import Glibc

/// A child process, started with an argument vector and never by a shell. Its output is kept until it exits. It is
/// killed when this value is destroyed, unless it has exited or was sent a signal before.
package final class ChildProcess {
  /// How it exited.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Maximum number of bytes read from its output.
  private static let longestOutput = 4096

  private let processID: pid_t
  private let output: OwnedDescriptor
  /// Its pidfd (pidfd_open(2)), readable when it has exited.
  private let process: OwnedDescriptor
  private var ending: Ending?
  private var isSignalled = false

  /// Starts it; its standard input is empty, and its standard error is discarded.
  ///
  /// - Parameters:
  ///   - program: searched for in PATH; `ENOENT`: not found.
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
    // A process that was sent a signal exits by itself.
    guard ending == nil, !isSignalled else { return }
    _ = Glibc.kill(processID, SIGKILL)
    _ = waitpid(processID, nil, 0)
  }

  /// Readable when it has exited.
  package var descriptor: Int32 { process.rawValue }

  /// It is not killed when this value is destroyed.
  package func leaveRunning() { isSignalled = true }

  /// Sends it a signal; does nothing once it has exited.
  package func send(_ signal: Int32) {
    // Its process ID cannot be reused until it is waited for.
    guard ending == nil else { return }
    isSignalled = true
    _ = Glibc.kill(processID, signal)
  }

  /// Ends the process by a signal, sent repeatedly because the process may not handle it yet; kills it after a second.
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

  /// How it exited and its output; waits for it if it still runs.
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

  /// Starts a program in a process group of its own; it inherits nothing but what is named here.
  ///
  /// - Parameters:
  ///   - name: its `argv[0]`; `nil`: the program's name.
  ///   - input: its standard input; `nil`: empty.
  ///   - output: its standard output; `nil`: discarded.
  ///   - errors: its standard error; `nil`: discarded.
  ///   - environment: `NAME=VALUE`; `nil`: this process's.
  ///   - folder: its working directory; `nil`: this process's.
  ///   - hasSession: gives it its own session, too, and so no terminal.
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
    // The child must not inherit the other descriptors of this process.
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if let folder { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }
    // The child would inherit the loop's blocked signals and the ignored SIGPIPE. Its own process group keeps the
    // terminal's signals from it.
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    // A session leader already leads a process group and cannot be made a leader again (setpgid(2)).
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

  /// POSIX_SPAWN_SETSID (glibc 2.26, <spawn.h>), which is defined only with _GNU_SOURCE.
  private static let newSession: Int32 = 0x80
}

/// A child process that communicates over a socket, which is its standard input. It is killed when this value is
/// destroyed, unless `leave` was called.
package final class SocketChild {
  private let processID: pid_t
  private var stream: UnixStream?
  private var isLeft = false

  /// Starts it as `ChildProcess` does; its standard output is discarded.
  ///
  /// - Parameters:
  ///   - name: its `argv[0]`.
  ///   - sharesErrors: it uses this process's standard error.
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

  /// Sends the child SIGTERM and does not wait, because this process exits too: the reaper of orphaned processes waits
  /// for the child.
  package func leave() {
    stream = nil
    isLeft = true
    _ = Glibc.kill(processID, SIGTERM)
  }

  /// The socket to the child; `nil` after the first call.
  package func takeStream() -> UnixStream? { stream.take() }
}
