import Geodesy
import LocationPolicy
import Testing

/// Transcripts with one event per line.
@Suite struct AuthorizationStateMachineTests {
  // MARK: Asking

  @Test func aQuestionSaysWhoAndWhy() throws {
    var script = try DeskScript.asking()
    _ = script.give(.requestsAlways(.app))
    let question = try #require(script.desk.pending.first)
    #expect(question.identity == .maps && question.name == "Maps" && question.purpose == "Warns of weather")
    #expect(question.kind == .first(requestsAlways: true, offersAlways: true) && question.presence == .inUse)
    #expect(question.choices == [.whileInUse, .always, .once, .no])
  }

  /// A later description adds what the first one did not describe, and changes nothing else.
  @Test func aLaterDescriptionCountsWhereThereWasNone() throws {
    var script = DeskScript()
    _ = script.give(.arrived(.app, .of(.maps, DeclaredUsage())))
    #expect(script.give(.requestsAlways(.app)) == [.ignored(.app, .noDescription)])
    #expect(script.give(.describes(.app, purpose: " \u{7}")) == [])
    #expect(script.give(.requestsAlways(.app)) == [.ignored(.app, .noDescription)], "nothing that can be shown")
    #expect(script.give(.describes(.app, purpose: "Shows\u{1B} the way")) == [])
    _ = script.give(.requestsAlways(.app))
    #expect(script.desk.pending.first?.purpose == "Shows the way")

    var described = DeskScript()
    _ = described.give(.arrived(.app, .of()))
    _ = described.give(.describes(.app, purpose: "Something else"))
    _ = described.give(.requestsAlways(.app))
    #expect(described.desk.pending.first?.purpose == "Warns of weather")
  }

  @Test func withoutAnAgentItStaysPendingAndTheClientKnowsImmediately() throws {
    var script = DeskScript()
    _ = script.give(.arrived(.app, .of()))
    #expect(
      script.give(.requestsWhenInUse(.app)) == [.authorizationChanged(.app, .level(.notDetermined, pending: true))])
    let question = try #require(script.desk.pending.first)
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(
      script.give(.agentArrived(.agent, .alice)) == [
        .ask(question, of: [.agent]),
        .authorizationChanged(.app, .level(.notDetermined, pending: true, answerable: true)),
      ])
    #expect(script.give(.agentArrived(.otherAgent, .root)) == [.ask(question, of: [.otherAgent])])
    #expect(script.give(.agentLeft(.agent)) == [])
    #expect(
      script.give(.agentLeft(.otherAgent)) == [.authorizationChanged(.app, .level(.notDetermined, pending: true))])
    #expect(script.desk.pending == [question])
  }

  @Test func aQuestionOutlivesItsClientForItsNextRun() throws {
    var script = try DeskScript.asking()
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(script.give(.left(.app)) == [])
    let answered = script.give(.answered(question.number, PromptAnswer(.whileInUse), by: .agent))
    #expect(answered.count == 1)
    #expect(script.give(.arrived(.second, .of())) == [.authorizationChanged(.second, .level(.whenInUse))])
  }

  @Test func theFirstAnswerCountsAndTheOthersAreCalledOff() throws {
    var script = try DeskScript.asking()
    _ = script.give(.agentArrived(.otherAgent, .root))
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    let actions = script.give(.answered(question.number, PromptAnswer(.no), by: .otherAgent))
    #expect(actions.first == .withdraw(question.number, from: [.agent]))
    #expect(actions.last == .authorizationChanged(.app, .level(.denied)))
    #expect(script.give(.answered(question.number, PromptAnswer(.always), by: .agent)) == [])
    #expect(script.level(.app) == .denied)
  }

  @Test func onlyWhoWasAskedAnswers() throws {
    var script = try DeskScript.asking(.of(.bob))
    _ = script.give(.agentArrived(.otherAgent, .bob))
    #expect(
      script.give(.agentArrived(ClientID.process(103), PromptResponder(.maps, privilege: .asks))) == [
        .refused(.noAuthority)
      ])
    #expect(
      script.give(.requestsWhenInUse(.app)).first.map { "\($0)".hasPrefix("ask") } == true)
    let question = try #require(script.desk.pending.first)
    for stranger in [ClientID.otherAgent, .app, ClientID.process(103), ClientID.process(999)] {
      #expect(script.give(.answered(question.number, PromptAnswer(.always), by: stranger)) == [])
    }
    #expect(script.give(.answered(PromptNumber(99), PromptAnswer(.always), by: .agent)) == [])
    #expect(script.level(.app) == .notDetermined)
  }

  @Test func aUsersOwnAgentGivesWhatTheUserHas() throws {
    var script = DeskScript()
    _ = script.give(.agentArrived(.agent, .bob))
    _ = script.give(.arrived(.app, .of(.maps)))
    // Bob has no permission that he could give.
    #expect(script.give(.requestsAlways(.app)) == [.authorizationChanged(.app, .level(.notDetermined, pending: true))])
    let question = try #require(script.desk.pending.first)
    let granted = script.give(.decided(.bob, .whenInUse(isReduced: true), by: .alice))
    #expect(granted.contains(.ask(question, of: [.agent])))
    // The answer cannot give more than Bob himself has.
    _ = script.give(.answered(question.number, PromptAnswer(.always, isReduced: false), by: .agent))
    #expect(script.desk.authorization(of: .app) == .level(.whenInUse, reduced: true, alwaysRefused: true))
  }

  @Test func anAgentThatMayNoLongerAnswerIsCalledOff() throws {
    var script = DeskScript()
    _ = script.give(.decided(.bob, .always(isReduced: false), by: .alice))
    _ = script.give(.agentArrived(.agent, .bob))
    _ = script.give(.arrived(.app, .of(.maps)))
    _ = script.give(.requestsAlways(.app))
    let question = try #require(script.desk.pending.first)
    #expect(script.give(.decided(.bob, .forget, by: .alice)).contains(.withdraw(question.number, from: [.agent])))
    #expect(script.desk.authorization(of: .app) == .level(.notDetermined, pending: true))
    #expect(script.give(.answered(question.number, PromptAnswer(.always), by: .agent)) == [])
  }

  @Test func alwaysIsRequestedBeforeAnybodyWasAsked() throws {
    var script = DeskScript()
    _ = script.give(.arrived(.app, .of()))
    _ = script.give(.requestsWhenInUse(.app))
    #expect(script.give(.requestsAlways(.app)) == [])
    let question = try #require(script.desk.pending.first)
    #expect(question.kind == .first(requestsAlways: true, offersAlways: true))
    #expect(question.purpose == "Warns of weather")
  }

  // MARK: Denials of a user

  @Test func whatAUserIsDeniedNoProgramOfItHas() throws {
    var script = try DeskScript.asking()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    #expect(script.give(.decided(.bob, .denied, by: .alice)).last == .authorizationChanged(.app, .level(.denied)))
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(script.give(.decided(.bob, .restricted, by: .root)).last.map { "\($0)".hasPrefix("keep") } == true)
    #expect(script.level(.app) == .denied)
    #expect(script.give(.decided(.bob, .forget, by: .root)).last == .authorizationChanged(.app, .level(.always)))
    // Another user's decision has no effect.
    _ = script.give(.decided(ClientIdentity(userID: 7), .denied, by: .alice))
    #expect(script.level(.app) == .always)
  }

  // MARK: Decisions without a question

  @Test func whoMayDecide() {
    let lines: [(ClientIdentity, Decision, PromptResponder, DecisionError?)] = [
      (.bob, .always(isReduced: false), .bob, .noAuthority),
      (.bob, .forget, .bob, .noAuthority),
      (.weather, .denied, .bob, .noAuthority),
      (.maps, .denied, PromptResponder(.maps, privilege: .asks), .noAuthority),
      (.maps, .denied, .bob, nil),
      (.maps, .whenInUse(isReduced: true), .bob, .aboveOwn),
      (.maps, .restricted, .bob, .onlyRoot),
      (.maps, .restricted, .alice, .onlyRoot),
      (.bob, .whenInUse(isReduced: true), .alice, nil),
      (.maps, .whenInUse(isReduced: false), .bob, .aboveOwn),
      (.maps, .always(isReduced: true), .bob, .aboveOwn),
      (.maps, .whenInUse(isReduced: true), .bob, nil),
      (.weather, .always(isReduced: false), .alice, nil),
      (.weather, .restricted, .root, nil),
      (.weather, .always(isReduced: false), .alice, .onlyRoot),
    ]
    var script = DeskScript()
    for (index, line) in lines.enumerated() {
      let actions = script.give(.decided(line.0, line.1, by: line.2))
      if let refusal = line.3 {
        #expect(actions == [.refused(refusal)], "line \(index)")
      } else {
        #expect(actions == [.keep(line.0, script.record(line.0))], "line \(index)")
      }
    }
  }

  @Test func aDecisionAnswersWhatWasAsked() throws {
    var script = try DeskScript.asking()
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(
      script.give(.decided(.maps, .whenInUse(isReduced: false), by: .root)) == [
        .withdraw(question.number, from: [.agent]), .keep(.maps, script.record(.maps)),
        .authorizationChanged(.app, .level(.whenInUse)),
      ])
    #expect(script.desk.pending == [])
  }

  @Test func aRevocationIsReportedImmediately() throws {
    var script = try DeskScript.asking()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    #expect(script.give(.decided(.maps, .denied, by: .alice)).last == .authorizationChanged(.app, .level(.denied)))
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(script.give(.decided(.maps, .denied, by: .alice)) == [])
    #expect(
      script.give(.decided(.maps, .forget, by: .alice)) == [
        .keep(.maps, nil), .authorizationChanged(.app, .level(.notDetermined)),
      ])
    #expect(script.desk.grants == [])
  }
}
