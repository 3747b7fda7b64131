import Foundation
import LocationPolicy
import TestSupport
import Testing

/// A program of a user who is in charge of nothing, at a real daemon, and the person who decides.
@Suite(
  .serialized,
  .enabled(
    if: ForeignProgram.isPossible, "needs root, setsid, setpriv, and to be in no service's or session's control group")
) struct AuthorizationTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon
  private let person: PersonInCharge

  private static let described: [String: any Sendable] = [
    "NSLocationWhenInUseUsageDescription": "To show the way.",
    "NSLocationAlwaysAndWhenInUseUsageDescription": "To keep the way.",
    "NSLocationTemporaryUsageDescriptionDictionary": ["way": "To show it exactly."],
  ]

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
    // Anybody may speak to it.
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.socket)
    person = try PersonInCharge(place)
  }

  private func decide(_ decision: Decision) throws { try person.decide(decision, for: ForeignProgram.user) }

  private func program(_ properties: [String: any Sendable]? = described) throws -> ForeignProgram {
    try ForeignProgram(properties, at: place)
  }

  @Test func whatIsGrantedComesByItselfAndWhatIsRevokedEnds() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.tell("start")
    program.tell("ask")
    program.tell("once")
    program.tell("session none")
    // Pending: no location, no error, no callback.
    let before = try program.await("session asking")
    #expect(before.allSatisfy { $0.hasPrefix("session") }, "\(before)")
    try decide(.whenInUse(isReduced: false))
    let heard = try program.await("authorization 4")
    #expect(heard.allSatisfy { $0 == "session" }, "\(heard)")
    try program.await("fix")
    program.tell("ask")
    try decide(.denied)
    // The request changed nothing, and was no news.
    let told = try program.await("authorization 2")
    #expect(told.allSatisfy { $0.hasPrefix("session") || $0 == "fix" }, "\(told)")
    #expect(try program.await("error 1").allSatisfy { $0.hasPrefix("session") })
    program.tell("where")
    try program.await("nowhere")
    program.tell("start")
    try program.await("error 1")
    // Others have locations meanwhile.
    try person.awaitFixes(2)
    program.tell("quit")
    let rest = program.rest()
    #expect(rest.allSatisfy { $0.hasPrefix("session") }, "\(rest)")
    #expect(program.hasExited)
  }

  @Test func whoWaitsForAnUndecidedGrantSaysSo() throws {
    let program = try program(nil)
    #expect(try program.next() == "authorization 0")
    program.tell("start")
    let said = try program.next()
    #expect(said.hasPrefix("CoreLocation: this program has no access") && said.contains("locationctl grant"))
    try decide(.whenInUse(isReduced: false))
    try program.await("authorization 4")
    try program.await("fix")
  }

  /// As a system service does: with always it goes on, whatever its managers allow; with when-in-use it rests, and says so.
  @Test func aServiceNeedsAlwaysAndNothingElse() throws {
    try decide(.whenInUse(isReduced: false))
    let program = try ForeignProgram(nil, at: place, hasTerminal: false)
    #expect(try program.next() == "authorization 4")
    program.tell("start")
    let before = try program.next()
    #expect(before.hasPrefix("CoreLocation: updates are suspended") && before.contains("locationctl grant --always"))
    try decide(.always(isReduced: false))
    try program.await("authorization 3")
    for _ in 0..<3 { try program.await("fix") }
  }

  @Test func aGrantOutlastsTheDaemon() throws {
    try decide(.whenInUse(isReduced: false))
    let program = try program()
    #expect(try program.next() == "authorization 4")
    program.tell("start")
    try program.await("fix")
    daemon.send(SIGKILL)
    _ = daemon.end()
    let next = try RunningDaemon.listening(at: place)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.socket)
    program.tell("status")
    try program.await("is authorization 4")
    try PersonInCharge(place).decide(.denied, for: ForeignProgram.user)
    try program.await("authorization 2")
    withExtendedLifetime(next) {}
  }

  @Test func reducedAccuracyIsRaisedForAWhileByAYes() throws {
    try decide(.whenInUse(isReduced: true))
    let program = try program()
    #expect(try program.next() == "authorization 4 reduced")
    program.tell("start")
    try program.await("coarse")
    // Nobody is there to be asked.
    program.tell("full way")
    try program.await("full 18")
    program.tell("full-async way")
    try program.await("full 18")
    program.tell("full other")
    #expect(try program.next().contains("NSLocationTemporaryUsageDescriptionDictionary"))
    try program.await("full 18")
    try person.serveQuestions()
    program.tell("full way")
    #expect(try person.answer(.no).purpose == "To show it exactly.")
    // No is no error, and changes nothing.
    #expect(try program.await("full nil").allSatisfy { $0 == "coarse" })
    program.tell("full-async way")
    _ = try person.answer(.once)
    try program.await("authorization 4")
    let heard = try program.await("fix")
    #expect(heard.allSatisfy { $0 == "full nil" || $0 == "coarse" }, "\(heard)")
  }

  @Test func alwaysIsAStepFurther() throws {
    try person.serveQuestions()
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.tell("ask")
    #expect(try person.answer(.whileInUse).purpose == "To show the way.")
    try program.await("authorization 4")
    program.tell("ask-always")
    #expect(try person.answer(.always).purpose == "To keep the way.")
    try program.await("authorization 3")
  }

  /// The key of 2014, alone, in the language of the user.
  @Test func theKeyOf2014AsksForAlwaysInTheUsersLanguage() throws {
    try person.serveQuestions()
    let key = "NSLocationAlwaysUsageDescription"
    let program = try ForeignProgram([key: "To keep the way."], german: [key: "Um den Weg zu behalten."], at: place)
    #expect(try program.next() == "authorization 0")
    program.tell("ask-always")
    #expect(try person.answer(.always).purpose == "Um den Weg zu behalten.")
    try program.await("authorization 3")
  }

  /// Without an Info.plist, as programs of 2011 said it.
  @Test func thePurposePropertyDescribesARequest() throws {
    try person.serveQuestions()
    let program = try program(nil)
    #expect(try program.next() == "authorization 0")
    program.tell("purpose To find the way.")
    program.tell("ask")
    #expect(try person.answer(.whileInUse).purpose == "To find the way.")
    try program.await("authorization 4")
  }

  @Test func aSessionAsksAndSaysWhatStandsAgainstIt() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.tell("session whenInUse way")
    try program.await("session asking")
    try decide(.whenInUse(isReduced: false))
    try program.await("session")
    // Nobody is there to be asked for more.
    try decide(.whenInUse(isReduced: true))
    try program.await("session inexact")
    try decide(.denied)
    try program.await("session denied")
    try decide(.restricted)
    try program.await("session restricted")
    try person.setServices(isOn: false)
    try program.await("session denied off")
    program.tell("end-session")
    try program.await("session over")
  }

  @Test func liveUpdatesAskAndSayWhyTheyEnd() throws {
    let program = try program()
    program.tell("live")
    try program.await("live asking")
    try decide(.whenInUse(isReduced: false))
    try program.await("live fix")
    try decide(.whenInUse(isReduced: true))
    try program.await("live limited coarse")
    try decide(.denied)
    try program.await("live denied")
    try decide(.always(isReduced: false))
    try program.await("live fix")
    try person.setServices(isOn: false)
    try program.await("authorization 2 off")
    program.tell("status")
    try program.await("is authorization 2 off")
    try person.setServices(isOn: true)
    try program.await("live fix")
  }

  @Test func anExplicitSessionIsWaitedFor() throws {
    try decide(.whenInUse(isReduced: false))
    let program = try program(
      Self.described.merging(["NSLocationRequireExplicitServiceSession": true]) { $1 })
    program.tell("live")
    try program.await("live session")
    program.tell("session whenInUse")
    try program.await("live fix")
    program.tell("end-session")
    try program.await("live session")
  }

  @Test func whatIsNotDescribedIsNotAsked() throws {
    let program = try program(nil)
    #expect(try program.next() == "authorization 0")
    program.tell("ask")
    let complaint = try program.next()
    #expect(complaint.contains("NSLocationWhenInUseUsageDescription") && complaint.contains("/Info.plist"))
    program.tell("session none")
    #expect(try program.next() == "session session", "nobody is being asked")
    // What was decided for its user holds all the same.
    program.tell("start")
    try decide(.whenInUse(isReduced: false))
    try program.await("fix")
  }

  @Test func theBackgroundIsDeclaredOrItIsAnError() throws {
    let undeclared = try program()
    undeclared.tell("activity")
    try undeclared.await("activity unused asking")
    undeclared.tell("background")
    let words = undeclared.rest()
    #expect(words.contains { $0.contains("UIBackgroundModes") } && !words.contains("background true"), "\(words)")
    #expect(!undeclared.hasExited)
    try decide(.whenInUse(isReduced: false))
    let declared = try program(Self.described.merging(["UIBackgroundModes": ["location"]]) { $1 })
    declared.tell("background")
    try declared.await("background true")
    declared.tell("activity")
    try declared.await("activity")
    let script = try program(nil)
    script.tell("background")
    try script.await("background true")
  }

  /// A service that this user may not speak to is not gone round: this program could drive the simulator itself.
  @Test func aDaemonThatIsClosedToTheUserHasSaidNo() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: place.socket)
    let program = try program()
    #expect(try program.next().contains("may not connect to locationd at \(place.socket)"))
    #expect(try program.next() == "authorization 2")
    program.tell("start")
    #expect(try program.next() == "error 1")
    program.tell("once")
    #expect(try program.next() == "error 1")
    program.tell("live")
    #expect(try program.next() == "live denied")
  }

  /// What is monitored before anybody has decided rests until somebody has; who is denied is refused.
  @Test func regionsRestUntilTheyAreGranted() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.tell("region home")
    #expect(try program.next() == "monitored home")
    try decide(.whenInUse(isReduced: false))
    #expect(try program.await("home 1") == ["authorization 4"])
    try decide(.denied)
    #expect(try program.await("authorization 2").isEmpty)
    program.tell("region lake")
    #expect(try program.next() == "unmonitored lake 4")
    program.tell("visits")
    #expect(try program.next() == "error 1")
  }

  @Test func aMonitorAsksAndSaysWhatStandsAgainstIt() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.tell("monitor")
    // Its session asks, as live updates do.
    #expect(try program.next() == "event 3 asking")
    try decide(.whenInUse(isReduced: false))
    try program.await("event 1")
    try decide(.denied)
    try program.await("event 3 denied")
    try decide(.whenInUse(isReduced: false))
    try program.await("event 1")
  }
}
