import Glibc

/// A child process that reads one file as its standard input, and reports in lines on its standard output. It is killed when this
/// value is destroyed.
package final class WorkerProcess {
  /// What happened next.
  package enum Event: Hashable, Sendable {
    case line(String)
    /// It has exited, and all its lines were read.
    case ended(ChildProcess.Ending)
    /// This process got a signal that should end it.
    case signal(Int32)
  }

  private static let longestLine = 4096

  private let processID: pid_t
  private let output: OwnedDescriptor
  private let signals: SignalDescriptor
  private var buffer: [UInt8] = []
  private var isEnded = false

  /// Starts the program; its standard error is this process's. SIGINT, SIGTERM and SIGHUP become events of this process.
  ///
  /// - Parameters:
  ///   - input: becomes its standard input.
  ///   - folder: its working directory.
  package init(
    _ program: String, _ arguments: [String], input: borrowing InputFile, folder: String
  ) throws(SystemError) {
    signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP])
    var ends: [Int32] = [-1, -1]
    try SystemCall.run("pipe") { unsafe pipe2(&ends, O_CLOEXEC) }
    output = OwnedDescriptor(rawValue: ends[0])
    let other = OwnedDescriptor(rawValue: ends[1])
    processID = try ChildProcess.spawn(
      program, arguments, input: input.rawValue, output: other.rawValue, errors: STDERR_FILENO, folder: folder)
  }

  deinit { end() }

  /// Kills it, and waits for its end.
  package func end() {
    guard !isEnded else { return }
    isEnded = true
    _ = kill(processID, SIGKILL)
    _ = waitpid(processID, nil, 0)
  }

  /// Passes a signal on, and waits for its end.
  package func end(by signal: Int32) {
    guard !isEnded else { return }
    isEnded = true
    _ = kill(processID, signal)
    _ = waitpid(processID, nil, 0)
  }

  /// Waits for the next event.
  package func next() throws(SystemError) -> Event {
    while true {
      if let newline = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<newline], as: UTF8.self)
        buffer.removeSubrange(...newline)
        return .line(line)
      }
      var waits = [
        pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0),
      ]
      try SystemCall.run("poll") { unsafe poll(&waits, 2, -1) }
      if waits[1].revents != 0, let signal = signals.next() { return .signal(signal) }
      guard waits[0].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: Self.longestLine)
      let count = try SystemCall.run("read") { unsafe read(output.rawValue, &bytes, bytes.count) }
      guard count > 0 else { break }
      buffer += bytes[..<count]
      // It is hostile once its input has taken it over.
      guard buffer.count <= 4 * Self.longestLine else { break }
    }
    var status: Int32 = 0
    if buffer.count > 4 * Self.longestLine { _ = kill(processID, SIGKILL) }
    try SystemCall.run("waitpid") { unsafe waitpid(processID, &status, 0) }
    isEnded = true
    return .ended(ChildProcess.ending(status))
  }
}
