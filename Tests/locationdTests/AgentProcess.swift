import Foundation
import TestSupport

/// `locationctl agent` as the administrator runs it.
final class AgentProcess {
  private let process = Process()
  private let input = Pipe()
  /// The terminal on which the test types; `nil`: it writes to a pipe.
  private var terminal: Int32?
  private let errors = PipeLines(patience: 30_000)

  /// Starts an agent that has connected to the daemon, so that it receives questions.
  init(
    _ arguments: [String], at place: RunningDaemon.Place, of daemon: RunningDaemon,
    environment: [String: String] = [:], onTerminal: Bool = false
  ) throws {
    process.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl")
    process.arguments = ["agent"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      .merging(environment) { $1 }
    var keyboard: FileHandle?
    if onTerminal {
      var (master, slave) = (Int32(-1), Int32(-1))
      guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else { throw OtherUserRun.NoTerminal() }
      _ = fcntl(master, F_SETFD, FD_CLOEXEC)
      terminal = master
      keyboard = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }
    process.standardInput = keyboard ?? input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors.pipe
    try process.run()
    try errors.processHasBegun()
    // The questions come with the daemon's greeting.
    try daemon.awaitLine("(process \(process.processIdentifier)) connected")
  }

  deinit {
    if let terminal { close(terminal) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
  /// Types on the terminal, and returns when the terminal has accepted the text.
  func typeOnTerminal(_ text: String) throws {
    guard let terminal else { throw OtherUserRun.NoTerminal() }
    let bytes = Array(text.utf8)
    _ = unsafe write(terminal, bytes, bytes.count)
    // The terminal echoes each character, and echoes two characters for a line ending.
    var rest = text.unicodeScalars.reduce(0) { $0 + ($1 == "\n" ? 2 : 1) }
    var buffer = [UInt8](repeating: 0, count: 64)
    while rest > 0 {
      let count = unsafe read(terminal, &buffer, rest)
      guard count > 0 else { throw OtherUserRun.NoTerminal() }
      rest -= count
    }
  }

  func endInput() { try? input.fileHandleForWriting.close() }
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The next line that the agent prints, with the prompt before it.
  func next() -> String? { errors.next().map { String(decoding: $0, as: UTF8.self) } }

  /// The remaining lines that the agent prints, and its exit status.
  func finish() -> (lines: [String], status: Int32) {
    var lines: [String] = []
    while let line = next() { lines.append(line) }
    process.waitUntilExit()
    return (lines, process.terminationStatus)
  }
}
