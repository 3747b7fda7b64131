import Foundation
import TestSupport
import Testing

/// The messages that commands print for a user without a grant, run as another user, before the user waits in vain.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"))
struct MissingGrantWarningTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon
  private let user = "\(OtherUserRun.user)"

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  private func other(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
    try OtherUserRun.run(arguments, environment: place.environment)
  }

  private func decide(_ arguments: String...) throws {
    #expect(try CommandRun(arguments, at: place).finish().status == 0)
  }

  private func firstFinding() throws -> (finding: [String: String], status: Int32) {
    let doctor = try other("doctor", "--duration", "3")
    let line = try #require(doctor.output.split(separator: "\n").first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return (try #require(object).compactMapValues { $0 as? String }, doctor.status)
  }

  @Test func theDoctorSaysThatAccessIsDenied() throws {
    for decision in [nil, ["revoke", user]] {
      if let decision { #expect(try CommandRun(decision, at: place).finish().status == 0) }
      let (finding, status) = try firstFinding()
      #expect(finding["finding"] == "location-not-granted" && finding["severity"] == "stops" && status == 77)
      // Without a session the client is in the background, where only "always" permission helps.
      #expect(finding["command"] == "sudo locationctl grant \(user) --always")
    }
    try decide("services", "off")
    let (finding, status) = try firstFinding()
    #expect(finding["finding"] == "services-off" && status == 77)
    try decide("services", "on")
    try decide("grant", user, "--always")
    let granted = try other("doctor", "--duration", "3")
    #expect(!granted.output.contains("location-not-granted"), "\(granted.output)")
  }

  @Test func monitoringWithoutAGrantIsReportedAsSuspended() throws {
    let commands = [["region", "add", "q", "--at", "1,1"], ["visits", "on"], ["significant", "on"]]
    for command in commands {
      let run = try OtherUserRun.run(command, environment: place.environment)
      #expect(run.status == 0)
      #expect(
        run.errors.contains("is set up but paused") && run.errors.contains("grant \(user) --always"), "\(run.errors)")
    }
    // To show events on the desktop, "while in use" is enough.
    let shown = try other("region", "add", "shown", "--at", "1,1", "--notify")
    #expect(shown.status == 0 && shown.errors.contains("run 'sudo locationctl grant \(user)'."), "\(shown.errors)")
    try decide("grant", user, "--always")
    for command in commands {
      let run = try OtherUserRun.run(command, environment: place.environment)
      // Only the line that says what was done.
      #expect(run.status == 0 && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(!run.errors.contains("paused") && !run.errors.contains("grant"), "\(run.errors)")
    }
  }
}
