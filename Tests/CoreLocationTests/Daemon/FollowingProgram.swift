import Foundation
import TestSupport

/// A program that prints each location that it receives, while its service ends and restarts.
final class FollowingProgram {
  private let process: HelperProcess
  private(set) var lines: [String] = []

  init(at place: RunningDaemon.Place) throws {
    process = try HelperProcess(
      "location-client", ["follow"],
      environment: place.environment.merging(["LOCATIOND_STATE": place.folder.appendingPathComponent("follower").path])
      { $1 })
  }

  /// Reads until this many more locations have come; returns their times in milliseconds.
  @discardableResult
  func awaitLocations(_ count: Int) throws -> [Int] {
    var times: [Int] = []
    while times.count < count {
      let line = try next()
      if line.hasPrefix("at "), let time = Int(line.dropFirst(3)) { times.append(time) }
    }
    return times
  }

  /// Reads up to a given line.
  func awaitLine(_ wanted: String) throws { while try next() != wanted {} }

  /// Ends the program, and returns all its lines.
  func end() throws -> [String] {
    process.endInput()
    while let line = process.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  /// The time of each location, in milliseconds.
  var times: [Int] { lines.compactMap { $0.hasPrefix("at ") ? Int($0.dropFirst(3)) : nil } }

  struct Silent: Error { var received: [String] }

  private func next() throws -> String {
    guard let line = process.next() else { throw Silent(received: lines) }
    lines.append(String(decoding: line, as: UTF8.self))
    return lines[lines.count - 1]
  }
}
