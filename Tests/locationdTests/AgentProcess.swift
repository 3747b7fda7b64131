import Foundation
import TestSupport

/// `locationctl agent` as the person in charge runs it.
final class AgentProcess {
  private let process = Process()
  private let input = Pipe()
  private let errors = PipeLines(patience: 30_000)

  /// One that the daemon knows, so that questions come to it.
  init(
    _ arguments: [String], at place: RunningDaemon.Place, of daemon: RunningDaemon, environment: [String: String] = [:]
  ) throws {
    process.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl")
    process.arguments = ["agent"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      .merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors.pipe
    try process.run()
    try errors.processHasBegun()
    // What it asks comes with its greeting.
    try daemon.awaitLine("(process \(process.processIdentifier)) has come")
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
  func endInput() { try? input.fileHandleForWriting.close() }
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The next line that it shows; a prompt stands before it.
  func next() -> String? { errors.next().map { String(decoding: $0, as: UTF8.self) } }

  /// What is left of what it shows, and how it ended.
  func finish() -> (lines: [String], status: Int32) {
    var lines: [String] = []
    while let line = next() { lines.append(line) }
    process.waitUntilExit()
    return (lines, process.terminationStatus)
  }
}
