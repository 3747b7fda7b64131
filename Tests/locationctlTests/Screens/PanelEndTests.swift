import Foundation
import TestSupport
import Testing

/// However the panel of `watch` ends, pauses or changes, the terminal is left as a shell expects it.
@Suite(.enabled(if: ScreenRun.isPossible, "pyte is not there: '.ci/pyte' fetches it from PyPI"))
struct PanelEndTests {
  private let panel = ["watch", "--source", "simulator"]
  private let isShown = ScreenRun.Step.wait("Radius +.*68 %")

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aSignalRestoresTheTerminal(signal: Int32, status: Int32) throws {
    let run = try ScreenRun.run(panel, [isShown, .screen("panel"), .signal(signal)])
    let panel = try #require(run.screens["panel"])
    #expect(panel.isAlternate && panel.isCursorHidden && !panel.wraps && !panel.hasEcho)
    #expect(run.status == status)
    let after = try #require(run.after)
    // One line remains: the last fix.
    #expect(after.isClean && after.lines.count == 1 && after.lines[0].contains("±"), "\(after)")
  }

  /// Keys are not shown; Ctrl-C is a signal, and q ends the command with 0.
  @Test(arguments: [("\u{3}", 130), ("xq", 0)] as [(String, Int32)]) func aKeyEndsIt(key: String, status: Int32) throws
  {
    let run = try ScreenRun.run(panel, [isShown, .type(key)])
    #expect(run.status == status)
    let after = try #require(run.after)
    #expect(after.isClean && after.lines.count == 1, "\(after)")
  }

  @Test func aClosedTerminalEndsIt() throws {
    let run = try ScreenRun.run(panel, [isShown, .hangUp])
    // SIGHUP; or the closed output, if that is seen first.
    #expect([129, 0].contains(run.status), "\(run.status)")
  }

  /// A shell without line editing, which restores nothing itself.
  @Test func itCanBeStoppedAndContinued() throws {
    let shell = ["/bin/dash", "-i"]
    let command = "\(ProgramRun.locationctl) watch --source simulator\n"
    let run = try ScreenRun.run(
      [], command: shell, environment: ["PS1": "ready> ", "LOCATIOND_SOURCE": "simulator"],
      [
        .wait("ready>"), .type(command), isShown, .type("\u{1A}"), .wait("Stopped"), .screen("stopped"), .type("fg\n"),
        isShown,
        .screen("again"), .type("q"), .wait("simulated\\nready>$"), .screen("ended"), .type("exit\n"),
      ])
    let stopped = try #require(run.screens["stopped"])
    #expect(stopped.isClean && !stopped.lines.contains { $0.contains("Radius") }, "\(stopped)")
    let again = try #require(run.screens["again"])
    #expect(again.isAlternate && again.isCursorHidden && !again.hasEcho)
    #expect(try #require(run.screens["ended"]).isClean)
  }

  /// In the background, it leaves the terminal to the shell.
  @Test func inTheBackgroundItDrawsNothing() throws {
    let command = "\(ProgramRun.locationctl) watch --source simulator --count 3 &\n"
    let run = try ScreenRun.run(
      [], command: ["/bin/dash", "-i"], environment: ["PS1": "ready> "],
      [.wait("ready>"), .type(command), .type("wait; echo over\n"), .wait("\nover"), .screen("after"), .type("exit\n")])
    let after = try #require(run.screens["after"])
    #expect(after.isClean && !after.lines.contains { $0.contains("Radius") }, "\(after.lines)")
  }

  @Test func aChangeOfSizeIsFollowed() throws {
    let run = try ScreenRun.run(
      panel, columns: 120, rows: 40,
      [
        isShown, .wait("G\\d\\d █"), .resize(columns: 60, rows: 16), .redrawn, .absent("█"), isShown, .screen("small"),
        .resize(columns: 30, rows: 6), .redrawn, .wait("Position"), .screen("tiny"), .signal(SIGINT),
      ])
    let small = try #require(run.screens["small"])
    #expect(small.lines.count <= 16 && (small.widest ?? 99) <= 60, "\(small)")
    let tiny = try #require(run.screens["tiny"])
    #expect(
      tiny.lines.count <= 6 && (tiny.widest ?? 99) <= 30 && tiny.lines.contains { $0.contains("Position") }, "\(tiny)")
  }

  /// A failure is a message on the terminal, and not on the screen that was left.
  @Test func aFailureIsShownAfterThePanel() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    defer { daemon.send(SIGKILL) }
    let run = try ScreenRun.run(
      ["watch"], environment: place.environment, [isShown, .run([ProgramRun.locationctl, "services", "off"])])
    let after = try #require(run.after)
    #expect(run.status == 77 && after.isClean, "\(after)")
    #expect(after.lines.joined(separator: " ").contains("ocation services are"), "\(after.lines)")
    #expect(run.last.contains { $0.contains("access revoked") }, "\(run.last)")
  }

  @Test(arguments: [["--lines"], ["--plain"], ["--text"], ["--json"], ["--template", "%{latitude}"]])
  func linesAreStillThere(option: [String]) throws {
    let run = try ScreenRun.run(panel + ["--count", "2"] + option)
    let after = try #require(run.after)
    #expect(run.status == 0 && run.last.isEmpty && after.isClean, "\(after)")
    #expect(after.lines.count >= 2)
  }
}
