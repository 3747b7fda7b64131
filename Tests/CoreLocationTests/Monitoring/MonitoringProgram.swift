import Foundation
import TestSupport

/// A program that monitors regions and prints what it receives.
final class MonitoringProgram {
  private let process: HelperProcess
  private(set) var lines: [String] = []

  /// The program did not print the awaited line.
  struct Silent: Error {
    var wanted: String
    var received: [String]
  }

  init(at place: RunningDaemon.Place, environment: [String: String] = [:]) throws {
    process = try HelperProcess(
      "location-client", ["monitoring"], environment: place.environment.merging(environment) { $1 })
  }

  var processID: Int32 { process.processID }

  func send(_ commands: String...) throws { for command in commands { try process.send(command + "\n") } }

  /// Reads up to a given line; returns the lines before it.
  @discardableResult
  func await(_ wanted: String) throws -> [String] {
    var received: [String] = []
    while let line = next() {
      if line == wanted { return received }
      received.append(line)
    }
    throw Silent(wanted: wanted, received: received)
  }

  /// Reads until each of these lines has come, in any order, because managers run in turn. Returns all lines until then.
  func awaitAll(_ wanted: String...) throws -> [String] {
    var (missing, received) = (Set(wanted), [String]())
    while !missing.isEmpty {
      guard let line = next() else {
        throw Silent(wanted: missing.sorted().joined(separator: ", "), received: received)
      }
      missing.remove(line)
      received.append(line)
    }
    return received
  }

  /// Requests a monitor's records until they have these values: the records follow the events when the program's loop continues.
  func awaitRecords(_ wanted: String) throws { try ask("records", until: "records " + wanted) }

  /// Requests a manager's monitored regions until they have these values: if there are many regions, only those that arrived
  /// within a second are known at first.
  func awaitMonitored(_ wanted: String) throws { try ask("monitored 1", until: "monitored " + wanted) }

  private func ask(_ command: String, until wanted: String) throws {
    var line: String?
    repeat {
      try send(command)
      repeat { line = next() } while line.map { $0.prefix { $0 != " " } != wanted.prefix { $0 != " " } } ?? false
      if line == nil { throw Silent(wanted: wanted, received: lines) }
    } while line != wanted
  }

  /// The next line, which must come.
  func line() throws -> String {
    guard let line = next() else { throw Silent(wanted: "a line", received: lines) }
    return line
  }

  /// Ends the program through a command, immediately; returns all lines since then.
  @discardableResult
  func end() throws -> [String] {
    process.endInput()
    return rest()
  }

  /// The lines until the program's end.
  func rest() -> [String] {
    var received: [String] = []
    while let line = next() { received.append(line) }
    return received
  }

  private func next() -> String? {
    guard let line = process.next() else { return nil }
    lines.append(String(decoding: line, as: UTF8.self))
    return lines.last
  }
}
