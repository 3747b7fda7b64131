import Diagnosis
import Foundation
import TestSupport
import Testing

/// Runs `locationctl selftest` on a receiver at a pseudo-terminal, and reads its output.
struct SelftestBed {
  struct Check: Decodable {
    var check: String
    var outcome: String
    var sentence: String
    var findings: [String]?
  }

  struct Result {
    var checks: [Check]
    var status: Int32
    var errors: String

    /// The checks that do not pass.
    var alarms: [Check] { checks.filter { $0.outcome == "failed" || $0.outcome == "warning" } }

    func outcome(_ id: SelfTestCheckID) -> String? { checks.first { $0.check == id.rawValue }?.outcome }
  }

  /// Minutes of updates: a few seconds, or with LOCATION_SOAK a minute.
  static let minutes = ProcessInfo.processInfo.environment["LOCATION_SOAK"] == nil ? "0.1" : "1"

  /// - Parameters:
  ///   - receiver: the arguments of `simulated-ublox`; `nil`: none runs.
  ///   - source: its port, unless named.
  ///   - machine: devices of the machine in umockdev's format.
  ///   - user: a command that runs the program as somebody else.
  static func run(
    receiver: [String]?, source: String? = nil, machine: String? = nil, user: [String] = [], arguments: [String] = [],
    environment: [String: String] = [:], around: (String, () throws -> Void) throws -> Void = { try $1() }
  ) throws -> Result {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("selftest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: state) }
    let process = try receiver.map { try HelperProcess("simulated-ublox", $0, environment: [:]) }
    let path = try process.map { String(decoding: try #require($0.next()), as: UTF8.self) } ?? ""
    let bed = try machine.map { _ in try DeviceBed() }
    if let machine { try bed?.add(description: machine) }
    // The bed has a /dev of its own, but follows a link from elsewhere.
    let link = state.path + "-gps"
    if bed != nil, !path.isEmpty { try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path) }
    defer { try? FileManager.default.removeItem(atPath: link) }
    var environment = [
      "LOCATIOND_STATE": state.path, "LOCATIOND_GPSD": "off", "LOCATIOND_SOCKET": state.path + "-socket",
    ]
    .merging(environment) { $1 }
    if let bed { environment.merge(bed.environment) { $1 } }
    let command =
      user + [
        ProgramRun.locationctl, "selftest", "--minutes", minutes, "--timeout", "3", "--source",
        source ?? "serial:\(bed == nil ? path : link)",
      ] + arguments
    var run: ProgramRun?
    try around(path) { run = try ProgramRun(Array(command.dropFirst()), of: command[0], environment: environment) }
    let ended = try #require(run)
    withExtendedLifetime((process, bed)) {}
    let checks = try ended.output.split(separator: "\n").map {
      try JSONDecoder().decode(Check.self, from: Data($0.utf8))
    }
    return Result(checks: checks, status: ended.status, errors: ended.errors)
  }
}
