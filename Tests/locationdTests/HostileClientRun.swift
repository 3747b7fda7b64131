import Foundation
import TestSupport

/// Runs `hostile-clients` as another user while a daemon runs; the attack ends with this object.
final class HostileClientRun {
  /// User numbers without an account on any machine.
  static let users = 4_200_101...4_200_199

  private let process: HelperProcess
  /// The counts of answers at the beginning of the attack.
  let begin: [String: Int]

  /// Returns when the attack has begun.
  init(_ kind: String, connections: Int, user: Int, at place: RunningDaemon.Place) throws {
    process = try HelperProcess(
      "hostile-clients", [place.socket, "\(user)", kind, "\(connections)"], environment: [:])
    begin = Self.numbers(process.next())
  }

  /// Ends the attack and returns the counts of all answers.
  func end() -> [String: Int] {
    process.endInput()
    return Self.numbers(process.next())
  }

  private static func numbers(_ line: [UInt8]?) -> [String: Int] {
    let words = String(decoding: line ?? [], as: UTF8.self).split(separator: " ").dropFirst()
    return Dictionary(
      words.compactMap { word in
        let parts = word.split(separator: "=")
        return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
      }, uniquingKeysWith: { $1 })
  }
}
