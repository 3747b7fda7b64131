import Foundation
import TestSupport
import Testing

/// The daemon asks a person, who answers on a terminal or on a desktop.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"))
struct AgentTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon
  private let user = "\(OtherUserRun.user)"
  private static let isDesktopInstalled = DesktopSession.isInstalled
  private static let wanted: Comment =
    "needs a session bus and notify-send: apt-get install dbus libnotify-bin python3-dbus python3-gi"

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  private func level() throws -> String? {
    try CommandRun.run("grants", at: place).objects.first { $0["who"] as? String == user }?["level"] as? String
  }

  // MARK: - A terminal

  @Test func aLetterOnATerminalAllowsIt() throws {
    let agent = try AgentProcess(["--terminal"], at: place, of: daemon)
    let fix = try OtherUserRun(["fix", "--purpose", "a walk", "--timeout", "60"], at: place)
    #expect(agent.next() == "Allow user \(user) to use the location of this machine?")
    #expect(agent.next() == "  The program calls itself “locationctl”.")
    #expect(agent.next() == "  The program gives this reason: “a walk”.")
    #expect(agent.next() == "  [w] while in use  [a] always  [o] once  [n] no")
    try agent.type("w\n")
    #expect(agent.next() == ">   Exact or approximate location? [e] exact (as the program requests)  [r] approximate")
    try agent.type("\n")
    let end = fix.finish()
    #expect(end.status == 0 && end.objects.count == 1, "\(end.errors)")
    #expect(try level() == "whenInUse")
    // The terminal has no more input.
    agent.endInput()
    #expect(agent.finish().status == 0)
  }

  /// Input for a question that is over does not answer the next question.
  @Test func anAnswerThatCameTooLateHitsNoOtherQuestion() throws {
    let agent = try AgentProcess(["--terminal"], at: place, of: daemon, onTerminal: true)
    let first = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    for _ in 0..<4 { #expect(agent.next() != nil) }
    try agent.typeOnTerminal("n")
    #expect(try CommandRun.run("grant", user, at: place).status == 0)
    #expect(first.finish().status == 0)
    #expect(agent.next()?.contains("This request was answered elsewhere or withdrawn.") == true)
    #expect(try CommandRun.run("revoke", user, "--forget", at: place).status == 0)
    let second = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    for _ in 0..<4 { #expect(agent.next() != nil) }
    // The person presses Enter: the line that was typed for the first question answers nothing.
    try agent.typeOnTerminal("\n")
    #expect(agent.next()?.contains("[w] while in use") == true)
    // Two lines are typed for one question: only the first one answers it.
    try agent.typeOnTerminal("we\nn\n")
    #expect(second.finish().status == 0)
    agent.send(SIGINT)
    #expect(agent.finish().status == 130)
  }

  @Test func noIsNoAndCtrlCEndsTheAgent() throws {
    let agent = try AgentProcess(["--terminal"], at: place, of: daemon)
    let fix = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    for _ in 0..<4 { #expect(agent.next() != nil) }
    try agent.type("n\n")
    let end = fix.finish()
    #expect(end.status == 77 && end.objects.isEmpty && end.errors.contains("has no access"), "\(end.errors)")
    #expect(try level() == "denied")
    agent.send(SIGINT)
    #expect(agent.finish().status == 130)
  }

  @Test func aQuestionThatIsDecidedElsewhereDisappears() throws {
    let agent = try AgentProcess(["--terminal"], at: place, of: daemon)
    let fix = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    for _ in 0..<4 { #expect(agent.next() != nil) }
    #expect(try CommandRun.run("grant", user, at: place).status == 0)
    #expect(fix.finish().status == 0)
    #expect(agent.next() == "> This request was answered elsewhere or withdrawn.")
  }

  @Test func whenTheAgentEndsNoOneWaits() throws {
    let agent = try AgentProcess(["--terminal"], at: place, of: daemon)
    let fix = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    for _ in 0..<4 { #expect(agent.next() != nil) }
    agent.send(SIGTERM)
    #expect(agent.finish().status == 143)
    let end = fix.finish()
    #expect(end.status == 77 && end.errors.contains("no agent is running"), "\(end.errors)")
  }

  // MARK: - A desktop

  @Test(.enabled(if: isDesktopInstalled, wanted)) func aDesktopButtonGrantsIt() throws {
    let desktop = try DesktopSession()
    let agent = try AgentProcess(["--notify"], at: place, of: daemon, environment: desktop.environment)
    let fix = try OtherUserRun(
      ["fix", "--timeout", "60", "--purpose=--urgency=low <b>\\074i\\076</b> & so"], at: place)
    let shown = try #require(desktop.next())
    #expect(shown["app"] as? String == "locationctl" && shown["urgency"] as? Int == 2)
    #expect(shown["summary"] as? String == "Location permission")
    #expect(
      shown["body"] as? String
        == "Allow user \(user) to use the location of this machine?\nThe program calls itself “locationctl”.\n"
        + "The program gives this reason: “--urgency=low &lt;b&gt;\\074i\\076&lt;/b&gt; &amp; so”.")
    #expect(
      shown["actions"] as? [String] == [
        "w", "While in use", "n", "No", "a", "Always", "o", "Once", "wr", "While in use, approximate",
      ])
    let number = try #require(shown["shown"] as? Int)
    try desktop.act("press \(number) wr")
    let end = fix.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(try level() == "whenInUse")
    #expect((end.objects.first?["horizontalAccuracy"] as? Double ?? 0) > 1000)
    agent.send(SIGTERM)
    #expect(agent.finish().status == 143)
  }

  @Test(.enabled(if: isDesktopInstalled, wanted)) func whatIsDecidedElsewhereLeavesTheScreen() throws {
    let desktop = try DesktopSession()
    let agent = try AgentProcess(["--notify"], at: place, of: daemon, environment: desktop.environment)
    let fix = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    let number = try #require(desktop.next()?["shown"] as? Int)
    #expect(try CommandRun.run("revoke", user, at: place).status == 0)
    #expect(desktop.next()?["closed"] as? Int == number)
    #expect(fix.finish().status == 77)
    // The next question is shown nevertheless. Whether it disappears with an agent that ends at that moment depends on
    // notify-send, which may not handle the signal yet.
    #expect(try CommandRun.run("revoke", user, "--forget", at: place).status == 0)
    let other = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    _ = try #require(desktop.next()?["shown"] as? Int)
    agent.send(SIGINT)
    #expect(agent.finish().status == 130)
    #expect(other.finish().status == 77)
  }

  @Test(.enabled(if: isDesktopInstalled, wanted)) func whatIsPutAwayIsNoAnswer() throws {
    let desktop = try DesktopSession()
    let agent = try AgentProcess(["--notify"], at: place, of: daemon, environment: desktop.environment)
    let fix = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    let number = try #require(desktop.next()?["shown"] as? Int)
    try desktop.act("dismiss \(number)")
    #expect(try CommandRun.run("grant", user, at: place).status == 0)
    #expect(fix.finish().status == 0)
    agent.send(SIGTERM)
    #expect(agent.finish().status == 143)
  }

  // MARK: - Where nobody can be asked

  @Test func withoutADesktopItSaysSo() throws {
    let none = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nonexistent"]
    for arguments in [["agent", "--notify"], ["agent"]] {
      let run = try CommandRun(arguments, at: place, environment: none).finish()
      #expect(run.status == 69 && run.errors.contains("There is no desktop session"), "\(run.errors)")
    }
  }

  @Test func withoutNotifySendItSaysSo() throws {
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "PATH": "/nonexistent"]
    let run = try CommandRun(["agent"], at: place, environment: environment).finish()
    #expect(run.status == 69 && run.errors.contains("install libnotify-bin"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test(.enabled(if: isDesktopInstalled, wanted)) func withoutANotificationServiceItSaysSo() throws {
    let desktop = try DesktopSession(hasService: false)
    let agent = try AgentProcess(["--notify"], at: place, of: daemon, environment: desktop.environment)
    let fix = try OtherUserRun(["fix", "--timeout", "60"], at: place)
    let end = agent.finish()
    #expect(end.status == 69 && end.lines.count == 1 && end.lines[0].contains("did not show the notification"))
    #expect(fix.finish().status == 77)
  }

  @Test func withoutADaemonItSaysSo() throws {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    for arguments in [["agent", "--terminal"], ["grants"], ["grant", "root"], ["services"], ["services", "off"]] {
      let run = try CommandRun(arguments, at: place).finish()
      #expect(run.status == 69 && run.errors.contains("locationd is not running"), "\(arguments): \(run.errors)")
    }
  }
}
