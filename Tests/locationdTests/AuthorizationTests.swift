import Foundation
import TestSupport
import Testing

/// Location access, with a second user.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"))
struct AuthorizationTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon
  private let user = "\(OtherUserRun.user)"

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  /// Runs the command as root, and expects that it prints no result, and only what was done, if it succeeds.
  private func command(_ arguments: String...) throws { try command(arguments) }

  private func command(_ arguments: [String]) throws {
    let run = try CommandRun(arguments, at: place).finish()
    let lines = run.errors.split(whereSeparator: \.isNewline)
    #expect(run.status == 0 && lines.count <= 1 && run.output.isEmpty, "\(arguments) \(run.errors)")
  }

  private func grants() throws -> [[String: Any]] { try CommandRun.run("grants", at: place).objects }

  @Test func anUnpromptedClientIsPendingAndLearnsOfItsGrant() throws {
    let denied = try OtherUserRun(["fix", "--purpose", "to write this test"], at: place).finish()
    #expect(denied.status == 77 && denied.objects.isEmpty)
    #expect(denied.errors.contains("no agent is running") && denied.errors.contains("grant \(user)'"))
    let listed = try grants()
    #expect(listed.count == 2 && listed[0]["services"] as? Bool == true)
    #expect(listed[1]["who"] as? String == user && listed[1]["asks"] as? String == "whenInUse")
    #expect(listed[1]["purpose"] as? String == "to write this test")

    try command("grant", user)
    let fix = try OtherUserRun(["fix"], at: place).finish()
    #expect(fix.status == 0 && fix.objects.count == 1, "\(fix.errors)")
    let after = try grants()
    #expect(after.count == 2 && after[1]["level"] as? String == "whenInUse" && after[1]["asks"] == nil)

    // Without a terminal and a session, the client is in the background.
    let background = try OtherUserRun.run(["fix"], environment: place.environment)
    #expect(background.status == 77 && background.errors.contains("grant \(user) --always'"), "\(background.errors)")
    try command("grant", user, "--always")
    #expect(try OtherUserRun.run(["fix"], environment: place.environment).status == 0)

    // The command that the refusal names helps a program in the background at once, also after access was revoked.
    try command("revoke", user)
    let refused = try OtherUserRun.run(["fix"], environment: place.environment)
    #expect(
      refused.status == 77 && refused.errors.contains("grant it with 'sudo locationctl grant \(user) --always'."),
      "\(refused.errors)")

    try command("revoke", user, "--restrict")
    #expect(try OtherUserRun(["fix"], at: place).finish().errors.contains("only root can change that"))
    try command("revoke", user, "--forget")
    #expect(try grants().count == 1)
  }

  @Test func revocationIsSentAndEndsTheStream() throws {
    try command("grant", user)
    let watch = try OtherUserRun(["watch"], at: place)
    for _ in 0..<2 { #expect(watch.next()?["latitude"] != nil) }
    try command("revoke", user)
    let rest = watch.finish()
    #expect(rest.status == 77)
    #expect(rest.objects.last?["event"] as? String == "denied")
    #expect(rest.objects.filter { $0["event"] != nil }.count == 1)
    #expect(rest.errors.contains("has no access to the location: grant it with 'sudo locationctl grant \(user)'"))
  }

  @Test func theSwitchIsForEverybodyAndIsKept() throws {
    try command("services", "off")
    for run in [try CommandRun.run("fix", at: place), try CommandRun.run("watch", at: place)] {
      #expect(run.status == 77 && run.errors.contains("services on"), "\(run.errors)")
    }
    #expect(try CommandRun.run("services", at: place).text == "{\"schema\":1,\"services\":false}\n")
    #expect(try CommandRun.run("status", at: place).objects.first?["services"] as? Bool == false)
    try command("services", "on")
    #expect(try CommandRun.run("fix", at: place).status == 0)
  }

  @Test func nonAdministratorsDecideNothing() throws {
    for arguments in [["grant", user], ["revoke", "root"], ["services", "off"]] {
      let run = try OtherUserRun.run(arguments, environment: place.environment)
      #expect(run.status == 77 && run.errors.contains("run the command with sudo"), "\(arguments): \(run.errors)")
    }
    try command("grant", "root", "--always")
    // And the user sees no other clients.
    let seen = try OtherUserRun.run(["grants"], environment: place.environment)
    #expect(seen.status == 0 && seen.output == "{\"schema\":1,\"services\":true}\n")
  }

  @Test func aLogNeedsAlwaysAndIsNoted() throws {
    let denied = try OtherUserRun(["log", "start", "--purpose", "my tracks"], at: place).finish()
    #expect(denied.status == 77 && denied.errors.contains("grant \(user) --always'"), "\(denied.errors)")
    let asked = try #require(try grants().last)
    #expect(asked["asks"] as? String == "always" && asked["purpose"] as? String == "my tracks")
    try command("grant", user, "--always")
    let started = try OtherUserRun(["log", "start"], at: place).finish()
    #expect(started.status == 0, "\(started.errors)")
    // The log pauses while its owner has no access to the location, and its problem says so.
    for (decision, problem) in [
      (["revoke", user], "its owner has no access to the location in the background (see 'locationctl grants')"),
      (["grant", user, "--always"], nil),
      // Access while in use is not enough.
      (["grant", user], "its owner has no access to the location in the background (see 'locationctl grants')"),
      (["grant", user, "--always"], nil),
    ] {
      try command(decision)
      let list = try OtherUserRun(["log", "list"], at: place).finish()
      let log = list.objects.first
      #expect(log?["running"] as? Bool == true && log?["problem"] as? String == problem, "\(list)")
    }
  }

  @Test func whatAnAccountGivesIsNotTakenByAWord() throws {
    for arguments in [["revoke", "root"], ["revoke", "root", "--restrict"], ["grant", "root"]] {
      let run = try CommandRun(arguments, at: place).finish()
      #expect(run.status == 77 && run.errors.contains("remove the user from the group"), "\(arguments) \(run.errors)")
    }
    #expect(try grants().count == 1)
    // The README tells every user to do this, also those who have access anyway.
    let grant = try CommandRun(["grant", "root", "--always"], at: place).finish()
    #expect(grant.status == 0, "\(grant.errors)")
  }

  /// A container of the same user is a different client, and also has no access to the user's logs.
  @Test func sandboxedClientsReadNoLogs() throws {
    try command("grant", user, "--always")
    #expect(try OtherUserRun(["log", "start", "walk"], at: place).finish().status == 0)
    let watch = try OtherUserRun(["watch", "--count", "2"], at: place).finish()
    #expect(watch.status == 0, "\(watch.errors)")
    for arguments in [["log", "list"], ["log", "export", "walk"], ["log", "stop", "walk"], ["status"]] {
      let run = try OtherUserRun.run(arguments, environment: place.environment, isConfined: true)
      #expect(!run.output.contains("walk") && !run.output.contains("latitude"), "\(arguments) \(run.output)")
    }
    let list = try OtherUserRun(["log", "list"], at: place).finish()
    #expect(list.objects.first?["running"] as? Bool == true)
  }

  /// Whether another user's log exists is not revealed: the answer is the same as for a log that does not exist.
  @Test(arguments: [["export"], ["export", "--format", "csv"], ["stop"], ["remove", "--force"]])
  func anothersLogIsAsOneThatIsNotThere(command arguments: [String]) throws {
    try command("log", "start", "walk")
    try command("grant", user, "--always")
    let answers = try ["walk", "ride"].map { name in
      let run = try OtherUserRun(["log", arguments[0], name] + arguments.dropFirst(), at: place).finish()
      #expect(run.objects.isEmpty)
      return "\(run.status) \(run.errors.replacing(name, with: "NAME"))"
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].hasPrefix("69 locationctl: You have no log named 'NAME'"), "\(answers)")
    let list = try CommandRun.run("log", "list", at: place)
    #expect(list.objects.first?["running"] as? Bool == true)
  }

  /// "While in use" permission does not help a user without a session: the diagnosis says so, and its remedy works.
  @Test func theDoctorFindsThatWhileInUseIsNotEnough() throws {
    try command("grant", user)
    let doctor = ["doctor", "--duration", "3"]
    let home = try home()
    let run = try OtherUserRun.run(doctor, environment: place.environment.merging(home) { $1 })
    #expect(run.status == 77, "\(run.output)\(run.errors)")
    #expect(
      run.output.hasPrefix("{\"schema\":1,\"finding\":\"location-not-granted\",\"severity\":\"stops\""), "\(run.output)"
    )
    #expect(run.output.contains("sudo locationctl grant \(user) --always"), "\(run.output)")
    let inUse = try OtherUserRun(doctor, at: place, environment: home).finish()
    #expect(inUse.status == 0, "\(inUse.objects)\(inUse.errors)")
  }

  /// Creates a state folder that belongs to the other user.
  private func home() throws -> [String: String] {
    let folder = place.folder.appendingPathComponent("home").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(unsafe chown(folder, uid_t(OtherUserRun.user), gid_t(OtherUserRun.user)) == 0)
    return ["LOCATIOND_STATE": folder]
  }

  /// A command that is denied to its user.
  struct Denied: Sendable, CustomTestStringConvertible {
    /// The decision about the user that the administrator made before.
    var decision: [String]?
    var arguments: [String]
    var isOnTerminal = true
    var testDescription: String { "\(decision ?? ["none"]) \(arguments) \(isOnTerminal)" }
  }

  /// The command that a denial names is executed literally; then the denied command succeeds.
  @Test(
    arguments: [true, false].flatMap { isOnTerminal in
      [
        Denied(arguments: ["doctor", "--duration", "3"], isOnTerminal: isOnTerminal),
        Denied(decision: ["revoke"], arguments: ["doctor", "--duration", "3"], isOnTerminal: isOnTerminal),
        Denied(decision: ["revoke"], arguments: ["fix"], isOnTerminal: isOnTerminal),
        Denied(arguments: ["capture", "--size-limit", "2k", "-"], isOnTerminal: isOnTerminal),
        Denied(decision: ["grant"], arguments: ["capture", "--size-limit", "2k", "-"], isOnTerminal: isOnTerminal),
        Denied(
          decision: ["grant", "--always", "--reduced"], arguments: ["sky", "--count", "1"], isOnTerminal: isOnTerminal),
        Denied(decision: ["grant", "--reduced"], arguments: ["sky", "--count", "1"], isOnTerminal: isOnTerminal),
        Denied(decision: ["grant", "--always", "--reduced"], arguments: ["log", "start"], isOnTerminal: isOnTerminal),
        Denied(decision: ["grant"], arguments: ["log", "start"], isOnTerminal: isOnTerminal),
      ]
    })
  func aRemedyHelps(_ denied: Denied) throws {
    if let decision = denied.decision { try command([decision[0], user] + decision.dropFirst()) }
    let home = try home()
    func run() throws -> (said: String, status: Int32) {
      guard denied.isOnTerminal else {
        let run = try OtherUserRun.run(denied.arguments, environment: place.environment.merging(home) { $1 })
        return (run.output + run.errors, run.status)
      }
      let run = try OtherUserRun(denied.arguments, at: place, environment: home).finish()
      return (run.objects.compactMap { $0["command"] as? String }.joined() + run.errors, run.status)
    }
    let before = try run()
    #expect(before.status == 77, "\(before)")
    let words = before.said.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    let begin = try #require(
      words.indices.dropFirst().first { words[$0 - 1] == "locationctl" && words[$0] == "grant" }, "\(before)")
    try command(Array(words[begin...].prefix { $0 == "grant" || $0 == user || $0.hasPrefix("--") }))
    let after = try run()
    #expect(after.status == 0, "\(before) \(after)")
  }

  @Test func statusReportsWhoUsesLocation() throws {
    try command("grant", user)
    let watch = try OtherUserRun(["watch"], at: place)
    #expect(watch.next() != nil)
    let status = try #require(try CommandRun.run("status", at: place).objects.first)
    #expect(status["indicator"] as? String == "solid")
    let usage = try #require((status["usage"] as? [[String: Any]])?.first)
    #expect(usage["who"] as? String == user && usage["mark"] as? String == "now")
    #expect(usage["uses"] as? [String] == ["location"] && usage["selfNamed"] as? String == "locationctl")
    let client = try #require((status["clients"] as? [[String: Any]])?.first)
    #expect(client["level"] as? String == "whenInUse" && client["presence"] as? String == "inUse")
    try command("revoke", user)
    _ = watch.finish()
  }

  /// If the service runs but refuses the connection, the command does not open the receivers itself.
  @Test(arguments: [["fix"], ["watch"], ["sky"], ["doctor"], ["status"], ["grants"], ["devices"], ["log", "list"]])
  func aClosedDoorIsFinal(arguments: [String]) throws {
    #expect(unsafe chmod(place.socket, 0o600) == 0)
    let run = try OtherUserRun.run(arguments, environment: place.environment)
    #expect(run.status == 77 && run.output == "", "\(run.errors)")
    #expect(run.errors.contains("You may not connect to the location service at \(place.socket) (permission denied)"))
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
