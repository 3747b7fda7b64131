import Foundation
import TestSupport

/// `locationctl` as a service of another user runs it: without a terminal and in a session of its own, so that it is in the background.
final class BatchRun {
  struct Result {
    var objects: [[String: Any]]
    /// How many lines each read has found.
    var reads: [Int]
    var errors: String
    var status: Int32
  }

  struct TooLate: Error {}

  private let process = Process()
  private let (output, errors) = (Pipe(), Pipe())
  private var pending: [UInt8] = []
  private var lines: [[UInt8]] = []
  private var reads: [Int] = []

  init(_ arguments: [String], at place: RunningDaemon.Place) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--wait"] + OtherUserRun.identity + [HelperProcess.folder + "/locationctl"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
  }

  deinit {
    stop()
    process.waitUntilExit()
  }

  /// Ends the command as systemd would. `setsid` leads no session, the command does.
  func stop() {
    guard process.isRunning else { return }
    let children = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
    let command = (try? String(contentsOfFile: children, encoding: .utf8)).flatMap {
      $0.split(separator: " ").first.flatMap { Int32($0) }
    }
    if let command { kill(command, SIGTERM) } else { process.terminate() }
  }

  /// Waits for three epochs of the receiver. The command that shows them is another client that is served, so that fixes that were held
  /// may be delivered meanwhile; the order of both is that of DeferralGateTests.
  func awaitHeld(at place: RunningDaemon.Place) throws {
    // At most 20 sentences an epoch.
    let sentences = try CommandRun(["nmea", "--count", "80"], at: place).finish()
    guard sentences.status == 0 else { throw TooLate() }
  }

  /// The next line; `nil` at the end.
  func next() -> [String: Any]? {
    while lines.isEmpty, read() {}
    guard !lines.isEmpty else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(lines.removeFirst())) as? [String: Any]
  }

  func finish() throws -> Result {
    var objects: [[String: Any]] = []
    while let object = next() { objects.append(object) }
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(objects: objects, reads: reads, errors: words, status: process.terminationStatus)
  }

  private func read() -> Bool {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A guard against hanging, not a measurement.
    guard unsafe poll(&wait, 1, 60_000) == 1 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    var found = 0
    while let end = pending.firstIndex(of: 0x0A) {
      lines.append(Array(pending[..<end]))
      pending.removeSubrange(...end)
      found += 1
    }
    reads.append(found)
    return true
  }
}
