import Glibc

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
