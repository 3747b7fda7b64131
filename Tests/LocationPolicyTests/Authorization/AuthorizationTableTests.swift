import Geodesy
import LocationPolicy
import Testing

/// Documentation/Behavior.md, "Requests for authorization", row by row.
@Suite struct AuthorizationTableTests {
  /// The state before the event.
  enum Before: Hashable {
    case notDetermined, restricted, denied, once
    case whenInUse, whenInUseAfterBoth, provisional, always
    case off
  }

  struct Line: CustomTestStringConvertible {
    let before: Before
    let isAlways: Bool
    var usage = DeclaredUsage.both
    var presence = ClientPresence.inUse
    let outcome: Outcome

    var testDescription: String { "\(before), requests \(isAlways ? "always" : "when in use"), \(outcome)" }
  }

  enum Outcome: Hashable {
    case nothing
    case ignored(IgnoredRequest)
    /// The question was asked; the answer, and the resulting authorization.
    case asked(PromptAnswer.Choice, then: AuthorizationLevel)
  }

  static let lines: [Line] = [
    // notDetermined, requestWhenInUse, in use, key present.
    Line(before: .notDetermined, isAlways: false, outcome: .asked(.whileInUse, then: .whenInUse)),
    Line(before: .notDetermined, isAlways: false, outcome: .asked(.no, then: .denied)),
    Line(before: .notDetermined, isAlways: false, outcome: .asked(.once, then: .whenInUse)),
    Line(before: .notDetermined, isAlways: false, outcome: .asked(.always, then: .always)),
    Line(before: .notDetermined, isAlways: false, usage: .whileInUse, outcome: .asked(.always, then: .whenInUse)),
    // notDetermined, requestAlways.
    Line(before: .notDetermined, isAlways: true, outcome: .asked(.always, then: .always)),
    Line(before: .notDetermined, isAlways: true, outcome: .asked(.whileInUse, then: .whenInUse)),
    Line(before: .notDetermined, isAlways: true, outcome: .asked(.once, then: .whenInUse)),
    Line(before: .notDetermined, isAlways: true, outcome: .asked(.no, then: .denied)),
    // authorizedWhenInUse, requestAlways for the first time, and again.
    Line(before: .whenInUse, isAlways: true, outcome: .asked(.always, then: .always)),
    Line(before: .whenInUse, isAlways: true, outcome: .asked(.whileInUse, then: .whenInUse)),
    Line(before: .whenInUse, isAlways: true, outcome: .asked(.no, then: .whenInUse)),
    Line(before: .whenInUseAfterBoth, isAlways: true, outcome: .nothing),
    // Allow Once, requestAlways.
    Line(before: .once, isAlways: true, outcome: .ignored(.allowedOnce)),
    Line(before: .once, isAlways: false, outcome: .nothing),
    // Restricted, denied, authorized: any request.
    Line(before: .restricted, isAlways: false, outcome: .nothing),
    Line(before: .restricted, isAlways: true, outcome: .nothing),
    Line(before: .denied, isAlways: false, outcome: .nothing),
    Line(before: .denied, isAlways: true, outcome: .nothing),
    Line(before: .whenInUse, isAlways: false, outcome: .nothing),
    Line(before: .provisional, isAlways: false, outcome: .nothing),
    Line(before: .provisional, isAlways: true, outcome: .nothing),
    Line(before: .always, isAlways: false, outcome: .nothing),
    Line(before: .always, isAlways: true, outcome: .nothing),
    // Key missing, or not in use.
    Line(before: .notDetermined, isAlways: false, usage: .onlyAlways, outcome: .ignored(.noDescription)),
    Line(before: .notDetermined, isAlways: true, usage: .whileInUse, outcome: .ignored(.noDescription)),
    Line(before: .notDetermined, isAlways: false, usage: .init(whenInUse: " \n"), outcome: .ignored(.noDescription)),
    Line(before: .notDetermined, isAlways: false, presence: .background, outcome: .ignored(.notInUse)),
    Line(before: .notDetermined, isAlways: true, presence: .background, outcome: .ignored(.notInUse)),
    Line(before: .whenInUse, isAlways: true, usage: .whileInUse, outcome: .ignored(.noDescription)),
    Line(before: .whenInUse, isAlways: true, presence: .background, outcome: .ignored(.notInUse)),
    // Switched off for everybody.
    Line(before: .off, isAlways: false, outcome: .nothing),
    Line(before: .off, isAlways: true, outcome: .nothing),
  ]

  @Test(arguments: lines) func row(_ line: Line) throws {
    var script = DeskScript()
    _ = script.give(.agentArrived(.agent, .alice))
    prepare(line.before, &script)
    _ = script.give(.arrived(.app, .of(.maps, line.usage, presence: line.presence)))
    _ = script.give(.left(.second))
    let before = script.desk.authorization(of: .app)
    let actions = script.give(line.isAlways ? .requestsAlways(.app) : .requestsWhenInUse(.app))
    switch line.outcome {
    case .nothing:
      #expect(actions == [])
      #expect(script.desk.authorization(of: .app) == before)
    case .ignored(let reason):
      #expect(actions == [.ignored(.app, reason)])
      #expect(script.desk.authorization(of: .app) == before)
    case .asked(let choice, let level):
      let question = try #require(script.desk.pending.first)
      var waiting = before
      (waiting.isPending, waiting.canBeAnswered) = (true, true)
      #expect(actions == [.ask(question, of: [.agent]), .authorizationChanged(.app, waiting)])
      // A repeated request has no effect.
      #expect(script.give(line.isAlways ? .requestsAlways(.app) : .requestsWhenInUse(.app)) == [])
      let answered = script.give(.answered(question.number, PromptAnswer(choice), by: .agent))
      #expect(script.level(.app) == level)
      #expect(!script.desk.authorization(of: .app).isPending)
      #expect(answered.last == .authorizationChanged(.app, script.desk.authorization(of: .app)))
      #expect(script.desk.pending == [])
    }
  }

  private func prepare(_ before: Before, _ script: inout DeskScript) {
    _ = script.give(.arrived(.second, .of()))
    switch before {
    case .notDetermined: break
    case .restricted: _ = script.give(.decided(.maps, .restricted, by: .root))
    case .denied: _ = script.give(.decided(.maps, .denied, by: .alice))
    case .whenInUse: answer(.requestsWhenInUse(.second), .whileInUse, &script)
    case .whenInUseAfterBoth:
      answer(.requestsWhenInUse(.second), .whileInUse, &script)
      answer(.requestsAlways(.second), .whileInUse, &script)
    case .provisional: answer(.requestsAlways(.second), .always, &script)
    case .always:
      answer(.requestsWhenInUse(.second), .whileInUse, &script)
      answer(.requestsAlways(.second), .always, &script)
    case .once: answer(.requestsWhenInUse(.second), .once, &script)
    case .off: _ = script.give(.switched(isOn: false, by: .alice))
    }
  }

  private func answer(
    _ request: AuthorizationStateMachine.Input, _ choice: PromptAnswer.Choice, _ script: inout DeskScript
  ) {
    _ = script.give(request)
    guard let question = script.desk.pending.first else {
      Issue.record("not asked")
      return
    }
    _ = script.give(.answered(question.number, PromptAnswer(choice), by: .agent))
  }

  // MARK: The rest of the table, as transcripts

  @Test func allowOnceEndsWithTheLastInUse() {
    var script = DeskScript()
    _ = script.give(.agentArrived(.agent, .alice))
    prepare(.once, &script)
    #expect(script.give(.arrived(.app, .of())) == [.authorizationChanged(.app, .level(.whenInUse))])
    #expect(script.give(.presence(.second, .background)) == [])
    #expect(script.give(.left(.app)) == [.authorizationChanged(.second, .level(.notDetermined))])
    // The next request asks again.
    #expect(script.give(.presence(.second, .inUse)) == [])
    #expect(script.give(.requestsWhenInUse(.second)).count == 2)
    #expect(script.desk.grants == [])
  }

  @Test func allowOnceIsNotKeptByWhoNeedsNone() {
    var script = DeskScript()
    _ = script.give(.agentArrived(.agent, .alice))
    _ = script.give(.arrived(.app, .of(.bob)))
    _ = script.give(.arrived(.second, .of(.bob, privilege: .administrator)))
    answer(.requestsWhenInUse(.app), .once, &script)
    #expect(script.level(.app) == .whenInUse)
    _ = script.give(.left(.app))
    #expect(script.give(.arrived(.third, .of(.bob))) == [.authorizationChanged(.third, .level(.notDetermined))])
  }

  @Test func administratorsNeedNoRequests() {
    var script = DeskScript()
    let administrator = AuthorizationClient.of(
      ClientIdentity(userID: 1000), .init(), presence: .background, privilege: .administrator)
    #expect(script.give(.arrived(.app, administrator)) == [.authorizationChanged(.app, .level(.always))])
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(script.give(.requestsAlways(.app)) == [])
    #expect(
      script.give(.requestsFullAccuracy(.app, purposeKey: "turns")) == [
        .fullAccuracyAnswered(.app, .promptDeclined(.isFull))
      ])
    // A sandboxed program does not have the privilege of its user.
    #expect(
      script.give(.arrived(.second, .of(.maps, .both, privilege: .administrator))) == [
        .authorizationChanged(.second, .level(.notDetermined))
      ]
    )
  }

  @Test func theSwitchDeniesAllAndRestores() {
    var script = DeskScript()
    _ = script.give(.decided(.maps, .whenInUse(isReduced: false), by: .alice))
    _ = script.give(.arrived(.app, .of()))
    _ = script.give(.arrived(.second, .of(ClientIdentity(userID: 0), privilege: .administrator)))
    #expect(script.give(.switched(isOn: false, by: .bob)) == [.refused(.noAuthority)])
    #expect(
      script.give(.switched(isOn: false, by: .alice)) == [
        .keepSwitch(isOn: false), .authorizationChanged(.app, .off), .authorizationChanged(.second, .off),
      ])
    #expect(!script.desk.isOn)
    #expect(script.give(.switched(isOn: false, by: .alice)) == [])
    #expect(script.give(.arrived(.third, .of(.bob))) == [.authorizationChanged(.third, .off)])
    #expect(
      script.give(.switched(isOn: true, by: .alice)) == [
        .keepSwitch(isOn: true), .authorizationChanged(.app, .level(.whenInUse)),
        .authorizationChanged(.second, .level(.always)),
        .authorizationChanged(.third, .level(.notDetermined)),
      ])
  }

  @Test func onlyRootCanLiftARestriction() {
    var script = DeskScript()
    _ = script.give(.arrived(.app, .of()))
    #expect(script.give(.decided(.maps, .restricted, by: .alice)) == [.refused(.onlyRoot)])
    #expect(
      script.give(.decided(.maps, .restricted, by: .root)).last == .authorizationChanged(.app, .level(.restricted)))
    for decision in [Decision.whenInUse(isReduced: false), .always(isReduced: true), .denied, .forget] {
      #expect(script.give(.decided(.maps, decision, by: .alice)) == [.refused(.onlyRoot)])
    }
    #expect(
      script.give(.decided(.maps, .forget, by: .root)) == [
        .keep(.maps, nil), .authorizationChanged(.app, .level(.notDetermined)),
      ])
  }
}
