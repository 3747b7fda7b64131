import Foundation
import LocationPolicy
import TestSupport
import Testing

/// A program of a user without administrator rights, with a real daemon, and the person who decides.
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
    // Every user may connect to the daemon.
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
    program.send("start")
    program.send("ask")
    program.send("once")
    program.send("session none")
    // While the question is pending, there is no location, no error and no callback.
    let before = try program.await("session asking")
    #expect(before.allSatisfy { $0.hasPrefix("session") }, "\(before)")
    try decide(.whenInUse(isReduced: false))
    let received = try program.await("authorization 4")
    #expect(received.allSatisfy { $0 == "session" }, "\(received)")
    try program.await("fix")
    program.send("ask")
    try decide(.denied)
    // The request changed nothing and caused no event.
    let reported = try program.await("authorization 2")
    #expect(reported.allSatisfy { $0.hasPrefix("session") || $0 == "fix" }, "\(reported)")
    #expect(try program.await("error 1").allSatisfy { $0.hasPrefix("session") })
    program.send("where")
    try program.await("nowhere")
    program.send("start")
    try program.await("error 1")
    // Other clients receive locations meanwhile.
    try person.awaitFixes(2)
    program.send("quit")
    let rest = program.rest()
    #expect(rest.allSatisfy { $0.hasPrefix("session") }, "\(rest)")
    #expect(program.hasExited)
  }

  @Test func waitingForAPendingGrantIsReported() throws {
    let program = try program(nil)
    #expect(try program.next() == "authorization 0")
    program.send("start")
    let said = try program.next()
    #expect(said.hasPrefix("CoreLocation: this program has no access") && said.contains("locationctl grant"))
    try decide(.whenInUse(isReduced: false))
    try program.await("authorization 4")
    try program.await("fix")
  }

  /// As in a system service: with "always" the updates continue, whatever its managers allow; with "while in use" they are
  /// suspended, and the program is informed.
  @Test func aServiceNeedsAlwaysAndNothingElse() throws {
    try decide(.whenInUse(isReduced: false))
    let program = try ForeignProgram(nil, at: place, hasTerminal: false)
    #expect(try program.next() == "authorization 4")
    program.send("start")
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
    program.send("start")
    try program.await("fix")
    daemon.send(SIGKILL)
    _ = daemon.end()
    let next = try RunningDaemon.listening(at: place)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.socket)
    program.send("status")
    try program.await("is authorization 4")
    try PersonInCharge(place).decide(.denied, for: ForeignProgram.user)
    try program.await("authorization 2")
    withExtendedLifetime(next) {}
  }

  @Test func reducedAccuracyIsRaisedForAWhileByAYes() throws {
    try decide(.whenInUse(isReduced: true))
    let program = try program()
    #expect(try program.next() == "authorization 4 reduced")
    program.send("start")
    try program.await("coarse")
    // There is nobody who can be asked.
    program.send("full way")
    try program.await("full 18")
    program.send("full-async way")
    try program.await("full 18")
    program.send("full other")
    #expect(try program.next().contains("NSLocationTemporaryUsageDescriptionDictionary"))
    try program.await("full 18")
    try person.serveQuestions()
    program.send("full way")
    #expect(try person.answer(.no).purpose == "To show it exactly.")
    // A "no" causes no error, and changes nothing.
    #expect(try program.await("full nil").allSatisfy { $0 == "coarse" })
    program.send("full-async way")
    _ = try person.answer(.once)
    try program.await("authorization 4")
    let received = try program.await("fix")
    #expect(received.allSatisfy { $0 == "full nil" || $0 == "coarse" }, "\(received)")
  }

  @Test func alwaysIsAStepFurther() throws {
    try person.serveQuestions()
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.send("ask")
    #expect(try person.answer(.whileInUse).purpose == "To show the way.")
    try program.await("authorization 4")
    program.send("ask-always")
    #expect(try person.answer(.always).purpose == "To keep the way.")
    try program.await("authorization 3")
  }

  /// The key of 2014 alone, in the user's language.
  @Test func theKeyOf2014AsksForAlwaysInTheUsersLanguage() throws {
    try person.serveQuestions()
    let key = "NSLocationAlwaysUsageDescription"
    let program = try ForeignProgram([key: "To keep the way."], german: [key: "Um den Weg zu behalten."], at: place)
    #expect(try program.next() == "authorization 0")
    program.send("ask-always")
    #expect(try person.answer(.always).purpose == "Um den Weg zu behalten.")
    try program.await("authorization 3")
  }

  /// Without an Info.plist, but with the property that programs of 2011 used.
  @Test func thePurposePropertyDescribesARequest() throws {
    try person.serveQuestions()
    let program = try program(nil)
    #expect(try program.next() == "authorization 0")
    program.send("purpose To find the way.")
    program.send("ask")
    #expect(try person.answer(.whileInUse).purpose == "To find the way.")
    try program.await("authorization 4")
  }

  @Test func aSessionAsksAndSaysWhatStandsAgainstIt() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.send("session whenInUse way")
    try program.await("session asking")
    try decide(.whenInUse(isReduced: false))
    try program.await("session")
    // There is nobody who can be asked for more.
    try decide(.whenInUse(isReduced: true))
    try program.await("session inexact")
    try decide(.denied)
    try program.await("session denied")
    try decide(.restricted)
    try program.await("session restricted")
    try person.setServices(isOn: false)
    try program.await("session denied off")
    program.send("end-session")
    try program.await("session over")
  }

  @Test func liveUpdatesAskAndSayWhyTheyEnd() throws {
    let program = try program()
    program.send("live")
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
    program.send("status")
    try program.await("is authorization 2 off")
    try person.setServices(isOn: true)
    try program.await("live fix")
  }

  @Test func anExplicitSessionIsWaitedFor() throws {
    try decide(.whenInUse(isReduced: false))
    let program = try program(
      Self.described.merging(["NSLocationRequireExplicitServiceSession": true]) { $1 })
    program.send("live")
    try program.await("live session")
    program.send("session whenInUse")
    try program.await("live fix")
    program.send("end-session")
    try program.await("live session")
  }

  @Test func whatIsNotDescribedIsNotAsked() throws {
    let program = try program(nil)
    #expect(try program.next() == "authorization 0")
    program.send("ask")
    let complaint = try program.next()
    #expect(complaint.contains("NSLocationWhenInUseUsageDescription") && complaint.contains("/Info.plist"))
    program.send("session none")
    #expect(try program.next() == "session session", "nobody is being asked")
    // The decision about its user applies nevertheless.
    program.send("start")
    try decide(.whenInUse(isReduced: false))
    try program.await("fix")
  }

  @Test func theBackgroundIsDeclaredOrItIsAnError() throws {
    let undeclared = try program()
    undeclared.send("activity")
    try undeclared.await("activity unused asking")
    undeclared.send("background")
    let words = undeclared.rest()
    #expect(words.contains { $0.contains("UIBackgroundModes") } && !words.contains("background true"), "\(words)")
    #expect(!undeclared.hasExited)
    try decide(.whenInUse(isReduced: false))
    let declared = try program(Self.described.merging(["UIBackgroundModes": ["location"]]) { $1 })
    declared.send("background")
    try declared.await("background true")
    declared.send("activity")
    try declared.await("activity")
    let script = try program(nil)
    script.send("background")
    try script.await("background true")
  }

  /// If the user may not connect to the service, the program does not bypass the service, although it could drive the simulator
  /// itself.
  @Test func aDaemonThatIsClosedToTheUserHasRefused() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: place.socket)
    let program = try program()
    #expect(try program.next().contains("may not connect to locationd at \(place.socket)"))
    #expect(try program.next() == "authorization 2")
    program.send("start")
    #expect(try program.next() == "error 1")
    program.send("once")
    #expect(try program.next() == "error 1")
    program.send("live")
    #expect(try program.next() == "live denied")
  }

  /// Monitoring that began before a decision is paused until there is one; a denied program is refused.
  @Test func regionsRestUntilTheyAreGranted() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.send("region home")
    #expect(try program.next() == "monitored home")
    try decide(.whenInUse(isReduced: false))
    #expect(try program.await("home 1") == ["authorization 4"])
    try decide(.denied)
    #expect(try program.await("authorization 2").isEmpty)
    program.send("region lake")
    #expect(try program.next() == "unmonitored lake 4")
    program.send("visits")
    #expect(try program.next() == "error 1")
  }

  @Test func aMonitorAsksAndSaysWhatStandsAgainstIt() throws {
    let program = try program()
    #expect(try program.next() == "authorization 0")
    program.send("monitor")
    // The monitor's session asks, as live updates do.
    #expect(try program.next() == "event 3 asking")
    try decide(.whenInUse(isReduced: false))
    try program.await("event 1")
    try decide(.denied)
    try program.await("event 3 denied")
    try decide(.whenInUse(isReduced: false))
    try program.await("event 1")
  }
}
