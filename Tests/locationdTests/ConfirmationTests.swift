import Foundation
import TestSupport
import Testing

/// In a pipe, commands report what they have done on standard error, so that standard output holds results only.
@Suite(.serialized) struct ConfirmationTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  private func run(_ arguments: [String]) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  @Test func inAPipeAChangeIsReportedOnStandardError() throws {
    #expect(try run(["fix"]).status == 0)
    let file = place.folder.appendingPathComponent("walk.gpx").path
    let follow = try run(["log", "start", "walk", "--standing"])
    #expect(follow.errors.hasPrefix("locationctl: Recording the log 'walk' in the background"), "\(follow.errors)")
    #expect(try run(["log", "follow", "walk", "-n", "2"]).status == 0)
    for (arguments, sentence) in [
      (
        ["log", "start", "walk", "--standing"],
        "The log 'walk' is already being recorded; it now has the options of this command."
      ),
      (["log", "stop", "walk"], "Stopped the log 'walk': 'locationctl log export walk' writes it as GPX."),
      (
        ["log", "stop", "walk"],
        "The log 'walk' was not being recorded: 'locationctl log export walk' writes it as GPX."
      ),
      (["log", "export", "walk", "-o", file], "Wrote \(file)."),
      (["log", "rename", "walk", "hike"], "Renamed the log 'walk' to 'hike'."),
      (["log", "remove", "hike", "--force"], "Deleted the log 'hike'."),
    ] {
      let result = try run(arguments)
      #expect(result.status == 0 && result.text.isEmpty, "\(arguments) \(result.text)")
      #expect(result.errors == "locationctl: \(sentence)\n", "\(result.errors)")
    }
  }

  /// A log that was stopped is continued, which its name alone does not say.
  @Test func aLogThatContinuesSaysSo() throws {
    #expect(try run(["fix"]).status == 0)
    #expect(try run(["log", "start", "walk", "--standing", "-q"]).status == 0)
    #expect(try run(["log", "follow", "walk", "-n", "2"]).status == 0)
    #expect(try run(["log", "stop", "walk", "-q"]).status == 0)
    let again = try run(["log", "start", "walk", "--standing"])
    let points = again.errors.split(separator: " ").compactMap { Int($0) }
    #expect(points.count == 1 && points[0] >= 2, "\(again.errors)")
    #expect(
      again.errors
        == "locationctl: The log 'walk' continues after \(points.first ?? 0) points: recording in the background until "
        + "'locationctl log stop walk'.\n", "\(again.errors)")
  }

  @Test func quietReportsNothing() throws {
    for arguments in [["log", "start", "walk"], ["log", "stop", "walk"], ["log", "remove", "walk", "--force"]] {
      let result = try run(arguments + ["-q"])
      #expect(result.status == 0 && result.text.isEmpty && result.errors.isEmpty, "\(arguments) \(result.errors)")
    }
  }

  /// Without a terminal, nothing is deleted without --force, also while the log is recorded (B12).
  @Test func aLogIsNotDeletedWithoutForce() throws {
    #expect(try run(["log", "start", "walk", "-q"]).status == 0)
    let refused = try run(["log", "remove", "walk"])
    #expect(refused.status == 64 && refused.errors.contains("Nothing was deleted"), "\(refused.errors)")
    #expect(refused.errors.contains("--force") && refused.text.isEmpty)
    #expect(try run(["log", "list"]).text.contains("walk"))
  }

  /// What is exported to standard output needs no report.
  @Test func anExportInAPipeIsSilent() throws {
    #expect(try run(["log", "start", "walk", "--standing", "-q"]).status == 0)
    #expect(try run(["log", "follow", "walk", "-n", "2"]).status == 0)
    let export = try run(["log", "export", "walk"])
    #expect(export.status == 0 && export.text.contains("<trkpt") && export.errors.isEmpty, "\(export.errors)")
  }
}
