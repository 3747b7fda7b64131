import Foundation
import TestSupport

/// A program that has something monitored and says what it is told.
final class MonitoringProgram {
  private let process: HelperProcess
  private(set) var lines: [String] = []

  /// It has not said what was awaited.
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

  /// Reads up to a line; what came before it.
  @discardableResult
  func await(_ wanted: String) throws -> [String] {
    var received: [String] = []
    while let line = next() {
      if line == wanted { return received }
      received.append(line)
    }
    throw Silent(wanted: wanted, received: received)
  }

  /// Reads until each of these lines has come, in whichever order: managers have their turns. All that has come until then.
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

  /// Asks for a monitor's records until they are so: they follow its events when its loop goes on.
  func awaitRecords(_ wanted: String) throws { try ask("records", until: "records " + wanted) }

  /// Asks for what a manager has monitored until it is so: of many regions no more is known at first than what has come in a second.
  func awaitMonitored(_ wanted: String) throws { try ask("monitored 1", until: "monitored " + wanted) }

  private func ask(_ command: String, until wanted: String) throws {
    var line: String?
    repeat {
      try send(command)
      repeat { line = next() } while line.map { $0.prefix { $0 != " " } != wanted.prefix { $0 != " " } } ?? false
      if line == nil { throw Silent(wanted: wanted, received: lines) }
    } while line != wanted
  }

  /// The next line, which is to come.
  func line() throws -> String {
    guard let line = next() else { throw Silent(wanted: "a line", received: lines) }
    return line
  }

  /// Has it end, of itself and at once; then all that it has said since.
  @discardableResult
  func end() throws -> [String] {
    process.endInput()
    return rest()
  }

  /// What it says until its end.
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
