import Foundation
import TestSupport

/// One run of locationctl beside a daemon.
final class CommandRun {
  private let process = Process()
  private let output = Pipe()
  private let errorPipe = Pipe()

  /// Starts the command; `finish` waits for its end.
  ///
  /// - Parameter input: the standard input, at most as much as fits in a pipe.
  init(
    _ arguments: [String], at place: RunningDaemon.Place, environment: [String: String] = [:], input: String? = nil
  ) throws {
    process.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      .merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errorPipe
    let written = input.map { _ in Pipe() }
    process.standardInput = written ?? FileHandle.nullDevice
    try process.run()
    try written?.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
    try written?.fileHandleForWriting.close()
  }

  /// Ends it as systemd would.
  func stop() { process.terminate() }

  struct Result {
    var status: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    /// The output lines as JSON objects.
    var objects: [[String: Any]] {
      output.split(separator: 0x0A).compactMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
    }
  }

  /// Waits for the end; the short output on stderr fits in its pipe.
  func finish() -> Result {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let words = errorPipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: data, errors: String(decoding: words, as: UTF8.self))
  }

  static func run(_ arguments: String..., at place: RunningDaemon.Place) throws -> Result {
    try run(arguments, at: place)
  }

  static func run(_ arguments: [String], at place: RunningDaemon.Place) throws -> Result {
    try CommandRun(arguments, at: place).finish()
  }
}
