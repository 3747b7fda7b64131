import Geodesy
import Glibc
import LinuxIO
import Testing

/// Waits until `fd` can be read (or has hung up); returns `false` after half a minute, so that a defect cannot hang the run.
func waitReadable(_ fd: Int32) -> Bool {
  var state = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&state, 1, 30_000) == 1
}

extension EventLoop {
  /// Runs until `stop`, and fails instead of hanging if that never comes.
  func runGuarded() throws {
    let limit = schedule(at: MonotonicClock.now() + .seconds(30)) { [unowned self] in
      Issue.record("the loop was not stopped")
      stop()
    }
    try run()
    cancel(limit)
  }
}

/// A pipe whose ends do not block.
struct Pipe: ~Copyable {
  let reader: OwnedDescriptor
  let writer: OwnedDescriptor

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe2(&ends, O_NONBLOCK | O_CLOEXEC) == 0)
    reader = OwnedDescriptor(rawValue: ends[0])
    writer = OwnedDescriptor(rawValue: ends[1])
  }

  func send(_ byte: UInt8 = 0) {
    var byte = byte
    #expect(unsafe write(writer.rawValue, &byte, 1) == 1)
  }
}

/// A pipe that can be an element of a list.
final class SharedPipe {
  let ends: Pipe
  init() throws { ends = try Pipe() }
}

/// A receiver that can be unplugged inside a callback.
final class PluggedTerminal {
  private var terminal: PseudoTerminal?
  let path: String

  init() throws {
    let terminal = try PseudoTerminal()
    path = terminal.path
    self.terminal = consume terminal
  }

  func unplug() { terminal = nil }
}

/// A folder that is removed with this value.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    var template = Array("/tmp/linuxio-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    path = unsafe template.withUnsafeBytes { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  deinit { try? Child(["/bin/rm", "-rf", path]).wait() }
}

/// A child process.
struct Child {
  let pid: Int32

  init(_ arguments: [String]) throws {
    var pid: pid_t = 0
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    let failure = unsafe posix_spawn(&pid, arguments[0], nil, nil, &words, environ)
    try #require(failure == 0)
    self.pid = pid
  }

  func kill(_ signal: Int32) { _ = Glibc.kill(pid, signal) }

  func wait() {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) == -1, errno == EINTR {}
  }

  /// Waits for its end; returns whether it succeeded.
  func succeeds() -> Bool {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) == -1, errno == EINTR {}
    return status == 0
  }
}

/// Calls a function of the C library that Swift's module does not export, with a user or group ID, for the calling thread only.
func callByName(_ name: String, _ argument: UInt32) {
  typealias Function = @convention(c) (UInt32) -> Int32
  guard let symbol = unsafe dlsym(nil, name) else { return }
  _ = unsafe unsafeBitCast(symbol, to: Function.self)(argument)
}
