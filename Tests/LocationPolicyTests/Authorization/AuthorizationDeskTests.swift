import Geodesy
import LocationPolicy
import Testing

/// Transcripts: one event, one line.
@Suite struct AuthorizationDeskTests {
  private static let day = Duration.seconds(86_400)

  /// A client in use that asks, and an agent of a person in charge.
  private func script(_ client: AuthorizationClient = .of()) -> DeskScript {
    var script = DeskScript()
    #expect(script.give(.agentArrived(.agent, .alice)) == [])
    #expect(script.give(.arrived(.app, client)).count == 1)
    return script
  }

  /// Requests, and answers the question that follows.
  private func answer(
    _ script: inout DeskScript, _ request: AuthorizationDesk.Input, _ choice: Answer.Choice, isReduced: Bool? = nil
  ) throws -> [AuthorizationDesk.Action] {
    _ = script.give(request)
    let question = try #require(script.desk.pending.first)
    return script.give(.answered(question.number, Answer(choice, isReduced: isReduced), by: .agent))
  }

  // MARK: Asking

  @Test func aQuestionSaysWhoAndWhy() throws {
    var script = script()
    _ = script.give(.requestsAlways(.app))
    let question = try #require(script.desk.pending.first)
    #expect(question.identity == .maps && question.name == "Maps" && question.purpose == "Warns of weather")
    #expect(question.kind == .first(wishesAlways: true, offersAlways: true) && question.presence == .inUse)
    #expect(question.choices == [.whileInUse, .always, .once, .no])
  }

  @Test func withoutAnAgentItStaysPendingAndTheClientKnowsAtOnce() throws {
    var script = DeskScript()
    _ = script.give(.arrived(.app, .of()))
    #expect(script.give(.requestsWhenInUse(.app)) == [.told(.app, .level(.notDetermined, pending: true))])
    let question = try #require(script.desk.pending.first)
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(
      script.give(.agentArrived(.agent, .alice)) == [
        .ask(question, of: [.agent]), .told(.app, .level(.notDetermined, pending: true, answerable: true)),
      ])
    #expect(script.give(.agentArrived(.otherAgent, .root)) == [.ask(question, of: [.otherAgent])])
    #expect(script.give(.agentLeft(.agent)) == [])
    #expect(script.give(.agentLeft(.otherAgent)) == [.told(.app, .level(.notDetermined, pending: true))])
    #expect(script.desk.pending == [question])
  }

  @Test func aQuestionOutlivesItsClientForItsNextRun() throws {
    var script = script()
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(script.give(.left(.app)) == [])
    let answered = script.give(.answered(question.number, Answer(.whileInUse), by: .agent))
    #expect(answered.count == 1)
    #expect(script.give(.arrived(.second, .of())) == [.told(.second, .level(.whenInUse))])
  }

  @Test func theFirstAnswerCountsAndTheOthersAreCalledOff() throws {
    var script = script()
    _ = script.give(.agentArrived(.otherAgent, .root))
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    let actions = script.give(.answered(question.number, Answer(.no), by: .otherAgent))
    #expect(actions.first == .withdraw(question.number, from: [.agent]))
    #expect(actions.last == .told(.app, .level(.denied)))
    #expect(script.give(.answered(question.number, Answer(.always), by: .agent)) == [])
    #expect(script.level(.app) == .denied)
  }

  @Test func onlyWhoWasAskedAnswers() throws {
    var script = script(.of(.bob))
    _ = script.give(.agentArrived(.otherAgent, .bob))
    #expect(script.give(.agentArrived(ClientKey(103), Answerer(.maps, standing: .asks))) == [.refused(.noSay)])
    #expect(
      script.give(.requestsWhenInUse(.app)).first.map { "\($0)".hasPrefix("ask") } == true)
    let question = try #require(script.desk.pending.first)
    for stranger in [ClientKey.otherAgent, .app, ClientKey(103), ClientKey(999)] {
      #expect(script.give(.answered(question.number, Answer(.always), by: stranger)) == [])
    }
    #expect(script.give(.answered(QuestionNumber(99), Answer(.always), by: .agent)) == [])
    #expect(script.level(.app) == .notDetermined)
  }

  @Test func aUsersOwnAgentGivesWhatTheUserHas() throws {
    var script = DeskScript()
    _ = script.give(.agentArrived(.agent, .bob))
    _ = script.give(.arrived(.app, .of(.maps)))
    // Bob has nothing to give.
    #expect(script.give(.requestsAlways(.app)) == [.told(.app, .level(.notDetermined, pending: true))])
    let question = try #require(script.desk.pending.first)
    let granted = script.give(.decided(.bob, .whenInUse(isReduced: true), by: .alice))
    #expect(granted.contains(.ask(question, of: [.agent])))
    // More than Bob has is not given.
    _ = script.give(.answered(question.number, Answer(.always, isReduced: false), by: .agent))
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
    #expect(script.give(.answered(question.number, Answer(.always), by: .agent)) == [])
  }

  @Test func alwaysIsWishedBeforeAnybodyWasAsked() throws {
    var script = DeskScript()
    _ = script.give(.arrived(.app, .of()))
    _ = script.give(.requestsWhenInUse(.app))
    #expect(script.give(.requestsAlways(.app)) == [])
    let question = try #require(script.desk.pending.first)
    #expect(question.kind == .first(wishesAlways: true, offersAlways: true))
    #expect(question.purpose == "Warns of weather")
  }

  // MARK: What a user is denied

  @Test func whatAUserIsDeniedNoProgramOfItHas() {
    var script = script()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    #expect(script.give(.decided(.bob, .denied, by: .alice)).last == .told(.app, .level(.denied)))
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(script.give(.decided(.bob, .restricted, by: .root)).last.map { "\($0)".hasPrefix("keep") } == true)
    #expect(script.level(.app) == .denied)
    #expect(script.give(.decided(.bob, .forget, by: .root)).last == .told(.app, .level(.always)))
    // Another user's own is no matter.
    _ = script.give(.decided(ClientIdentity(userID: 7), .denied, by: .alice))
    #expect(script.level(.app) == .always)
  }

  // MARK: Deciding without a question

  @Test func whoMayDecide() {
    let lines: [(ClientIdentity, Decision, Answerer, DecisionRefusal?)] = [
      (.bob, .always(isReduced: false), .bob, .noSay),
      (.bob, .forget, .bob, .noSay),
      (.weather, .denied, .bob, .noSay),
      (.maps, .denied, Answerer(.maps, standing: .asks), .noSay),
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
    var script = script()
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(
      script.give(.decided(.maps, .whenInUse(isReduced: false), by: .root)) == [
        .withdraw(question.number, from: [.agent]), .keep(.maps, script.record(.maps)), .told(.app, .level(.whenInUse)),
      ])
    #expect(script.desk.pending == [])
  }

  @Test func aRevocationIsToldAtOnce() {
    var script = script()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    #expect(script.give(.decided(.maps, .denied, by: .alice)).last == .told(.app, .level(.denied)))
    #expect(script.give(.requestsWhenInUse(.app)) == [])
    #expect(script.give(.decided(.maps, .denied, by: .alice)) == [])
    #expect(
      script.give(.decided(.maps, .forget, by: .alice)) == [.keep(.maps, nil), .told(.app, .level(.notDetermined))])
    #expect(script.desk.grants == [])
  }

  // MARK: Provisional always

  private func provisional() throws -> DeskScript {
    var script = script(.of(.maps, .both, presence: .inUse))
    #expect(try answer(&script, .requestsAlways(.app), .always).last == .told(.app, .level(.always)))
    #expect(script.record(.maps)?.isProvisional == true)
    return script
  }

  @Test(arguments: [Answer.Choice.always, .whileInUse, .no]) func theSecondQuestionComesThreeDaysAfterBackgroundUse(
    _ choice: Answer.Choice
  ) throws {
    var script = try provisional()
    // In use it does not count.
    _ = script.give(.uses(.app, true))
    script.pass(Self.day)
    #expect(script.give(.wake) == [.keep(.maps, script.record(.maps))])
    #expect(script.desk.nextDeadline == nil)
    let kept = script.give(.presence(.app, .background))
    #expect(script.record(.maps)?.usedInBackgroundAt == script.clock)
    #expect(kept == [.keep(.maps, script.record(.maps))])
    #expect(script.desk.nextDeadline == script.now + Self.day * 3)
    script.pass(Self.day * 3 + .seconds(-1))
    _ = script.give(.wake)
    #expect(script.desk.pending == [])
    script.pass(.seconds(1))
    let asked = script.give(.wake)
    let question = try #require(script.desk.pending.first)
    #expect(question.kind == .keepAlways && question.name == "Maps" && question.choices == [.whileInUse, .always])
    // The client hears nothing of it.
    #expect(asked == [.ask(question, of: [.agent])])
    #expect(script.desk.nextDeadline == nil)
    script.pass(Self.day)
    _ = script.give(.wake)
    #expect(script.desk.pending == [question])
    let answered = script.give(.answered(question.number, Answer(choice), by: .agent))
    let record = try #require(script.record(.maps))
    #expect(!record.isProvisional && script.desk.nextDeadline == nil)
    if choice == .always {
      #expect(answered == [.keep(.maps, record)])
    } else {
      #expect(answered == [.keep(.maps, record), .told(.app, .level(.whenInUse, alwaysRefused: true))])
    }
    script.pass(Self.day * 30)
    #expect(
      script.give(.requestsAlways(.app)).allSatisfy { $0 == .ignored(.app, .notInUse) || "\($0)".hasPrefix("keep") })
    #expect(script.desk.pending == [])
  }

  @Test func theSecondQuestionWaitsForAnAgentAndSurvivesARestart() throws {
    var script = try provisional()
    _ = script.give(.presence(.app, .background))
    _ = script.give(.uses(.app, true))
    let grants = script.desk.grants
    var next = DeskScript(now: .seconds(7), clock: script.clock.map { $0 + Self.day * 2 })
    #expect(next.give(.loaded(grants, isOn: true)) == [])
    #expect(next.desk.nextDeadline == next.now + Self.day)
    next.pass(Self.day)
    #expect(next.give(.wake) == [])
    let question = try #require(next.desk.pending.first)
    #expect(next.give(.agentArrived(.agent, .alice)) == [.ask(question, of: [.agent])])
  }

  @Test func aClockThatCannotBeBelievedIsMadeUpFor() throws {
    var script = try provisional()
    script.clock = nil
    _ = script.give(.presence(.app, .background))
    _ = script.give(.uses(.app, true))
    #expect(script.record(.maps)?.usedInBackgroundAt == nil)
    #expect(script.desk.nextDeadline == script.now + Self.day * 3)
    script.pass(Self.day)
    script.clock = DeskScript.noon
    _ = script.give(.wake)
    #expect(script.record(.maps)?.usedInBackgroundAt == DeskScript.noon + .seconds(-86_400))
    #expect(script.desk.nextDeadline == script.now + Self.day * 2)
    // One that was ahead by years puts nothing off for ever.
    script.clock = DeskScript.noon + .seconds(-86_400 * 1000)
    _ = script.give(.wake)
    #expect(script.desk.nextDeadline == script.now + Self.day * 3)
  }

  // MARK: Reduced accuracy

  @Test func accuracyIsThePersonsAndProposedByTheProgram() throws {
    let lines: [(DeclaredUsage, Bool?, Bool)] = [
      (.both, nil, false), (.both, true, true), (.reduced, nil, true), (.reduced, false, false), (.reduced, true, true),
    ]
    for (usage, said, isReduced) in lines {
      var script = script(.of(.maps, usage))
      #expect(script.desk.authorization(of: .app) == .level(.notDetermined, reduced: usage.prefersReduced))
      _ = try answer(&script, .requestsWhenInUse(.app), .whileInUse, isReduced: said)
      #expect(script.desk.authorization(of: .app) == .level(.whenInUse, reduced: isReduced))
      // The step to always changes it only where the answer does.
      _ = try answer(&script, .requestsAlways(.app), .always)
      #expect(script.desk.authorization(of: .app) == .level(.always, reduced: isReduced))
    }
  }

  private func reduced() throws -> DeskScript {
    var script = script(.of(.maps, .exactNow))
    _ = script.give(.decided(.maps, .whenInUse(isReduced: true), by: .alice))
    return script
  }

  @Test func fullAccuracyIsGivenUntilTheLastLeavesUse() throws {
    var script = try reduced()
    _ = script.give(.arrived(.second, .of(.maps, .exactNow)))
    let asked = script.give(.requestsFullAccuracy(.app, purposeKey: "turns"))
    let question = try #require(script.desk.pending.first)
    #expect(question.kind == .fullAccuracy && question.purpose == "Turn by turn" && question.choices == [.once, .no])
    #expect(asked.first == .ask(question, of: [.agent]))
    #expect(script.give(.requestsFullAccuracy(.second, purposeKey: "turns")) == [])
    #expect(
      script.give(.answered(question.number, Answer(.once), by: .agent)) == [
        .told(.app, .level(.whenInUse)), .told(.second, .level(.whenInUse)),
        .fullAccuracyAnswered(.app, .granted), .fullAccuracyAnswered(.second, .granted),
      ])
    #expect(
      script.give(.requestsFullAccuracy(.app, purposeKey: "turns")) == [
        .fullAccuracyAnswered(.app, .promptDeclined(.isFull))
      ])
    #expect(script.give(.left(.app)) == [])
    #expect(script.give(.presence(.second, .background)) == [.told(.second, .level(.whenInUse, reduced: true))])
  }

  @Test func fullAccuracyRefusedIsNoError() throws {
    var script = try reduced()
    _ = script.give(.requestsFullAccuracy(.app, purposeKey: "turns"))
    let question = try #require(script.desk.pending.first)
    #expect(
      script.give(.answered(question.number, Answer(.no), by: .agent)) == [
        .told(.app, .level(.whenInUse, reduced: true)), .fullAccuracyAnswered(.app, .refused),
      ])
  }

  @Test func fullAccuracyIsDeclinedWhereNobodyCanBeAsked() throws {
    func reason(_ prepare: (inout DeskScript) -> Void, key: String = "turns") throws -> FullAccuracyAnswer? {
      var script = try reduced()
      prepare(&script)
      let answers = script.give(.requestsFullAccuracy(.app, purposeKey: key)).compactMap { action in
        if case .fullAccuracyAnswered(.app, let answer) = action { answer } else { nil }
      }
      #expect(answers.count <= 1)
      return answers.first
    }
    #expect(try reason { _ in } == nil)
    #expect(try reason({ _ in }, key: "other") == .promptDeclined(.noDescription))
    #expect(try reason { _ = $0.give(.presence(.app, .background)) } == .promptDeclined(.notInUse))
    #expect(try reason { _ = $0.give(.agentLeft(.agent)) } == .promptDeclined(.nobodyToAsk))
    #expect(try reason { _ = $0.give(.requestsAlways(.app)) } == .promptDeclined(.otherQuestion))
    #expect(try reason { _ = $0.give(.switched(isOn: false, by: .root)) } == .promptDeclined(.notAuthorized))
    #expect(try reason { _ = $0.give(.decided(.maps, .denied, by: .root)) } == .promptDeclined(.notAuthorized))
    #expect(
      try reason { _ = $0.give(.decided(.maps, .always(isReduced: false), by: .root)) } == .promptDeclined(.isFull))
  }

  @Test func nobodyWaitsForAnAnswerThatCannotCome() throws {
    let lines: [(AuthorizationDesk.Input, FullAccuracyAnswer?)] = [
      (.agentLeft(.agent), .promptDeclined(.nobodyToAsk)),
      (.switched(isOn: false, by: .alice), .promptDeclined(.notAuthorized)),
      (.decided(.maps, .denied, by: .alice), .promptDeclined(.notAuthorized)),
      (.decided(.maps, .always(isReduced: false), by: .alice), .granted),
      (.left(.app), nil),
    ]
    for (input, answer) in lines {
      var script = try reduced()
      _ = script.give(.requestsFullAccuracy(.app, purposeKey: "turns"))
      let actions = script.give(input)
      if let answer { #expect(actions.last == .fullAccuracyAnswered(.app, answer)) }
      #expect(script.desk.pending == [])
    }
  }

  // MARK: Updates of a program

  @Test func anUpdatedProgramKeepsWhatItStillDeclares() throws {
    let lines: [(DeclaredUsage, Answer.Choice, DeclaredUsage, AuthorizationLevel)] = [
      (.both, .always, .both, .always), (.both, .always, .onlyAlways, .always),
      (.both, .always, .whileInUse, .whenInUse),
      (.both, .whileInUse, .both, .whenInUse), (.both, .whileInUse, .whileInUse, .whenInUse),
      (.both, .whileInUse, .onlyAlways, .notDetermined), (.both, .no, .onlyAlways, .denied),
      (.both, .no, .whileInUse, .denied), (.onlyAlways, .whileInUse, .onlyAlways, .whenInUse),
      // What declares nothing asks for nothing, and puts nothing in the place.
      (.both, .always, .init(), .always), (.both, .whileInUse, .init(), .whenInUse),
    ]
    for (index, line) in lines.enumerated() {
      var script = script(.of(.maps, line.0))
      _ = try answer(&script, line.0.always == nil ? .requestsWhenInUse(.app) : .requestsAlways(.app), line.1)
      _ = script.give(.left(.app))
      _ = script.give(.arrived(.second, .of(.maps, line.2)))
      #expect(script.level(.second) == line.3, "line \(index)")
      if line.3 == .notDetermined {
        #expect(script.give(.requestsAlways(.second)).count == 2)
        #expect(script.desk.pending.count == 1)
      }
    }
  }

  @Test func whatWasDecidedUnaskedNoUpdateChanges() {
    var script = script()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    for usage in [DeclaredUsage.both, .whileInUse, .onlyAlways] {
      _ = script.give(.arrived(.second, .of(.maps, usage)))
      #expect(script.level(.second) == .always)
    }
  }

  @Test func aUsersProgramsDoNotUpdateEachOther() throws {
    var script = script(.of(.bob, .both))
    _ = try answer(&script, .requestsAlways(.app), .always)
    #expect(script.give(.arrived(.second, .of(.bob, .whileInUse))) == [.told(.second, .level(.always))])
  }

  // MARK: What is kept

  @Test func useIsKeptOnceAnHour() {
    var script = script()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    #expect(script.give(.uses(.app, true)).count == 1)
    var writes = 0
    for _ in 0..<240 {
      script.pass(.seconds(60))
      writes += script.give(.uses(.app, true)).count
    }
    #expect(writes == 4)
    #expect(script.record(.maps)?.usedAt == script.clock)
    // Denied, it has no positions that could be used.
    _ = script.give(.decided(.maps, .denied, by: .alice))
    script.pass(Self.day)
    #expect(script.give(.wake) == [])
  }

  @Test func whatWasKeptIsNotKeptAgain() {
    var first = script()
    _ = first.give(.decided(.maps, .whenInUse(isReduced: true), by: .alice))
    _ = first.give(.decided(.weather, .denied, by: .alice))
    var script = DeskScript()
    #expect(script.give(.loaded(first.desk.grants, isOn: false)) == [])
    #expect(Set(script.desk.grants) == Set(first.desk.grants))
    #expect(script.give(.arrived(.app, .of())) == [.told(.app, .off)])
    #expect(
      script.give(.switched(isOn: true, by: .root)) == [
        .keepSwitch(isOn: true), .told(.app, .level(.whenInUse, reduced: true)),
      ])
  }

  @Test func whatIsForgottenIsNotPendingEither() throws {
    var script = script()
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(
      script.give(.decided(.maps, .forget, by: .alice)) == [
        .withdraw(question.number, from: [.agent]), .told(.app, .level(.notDetermined)),
      ])
    #expect(script.desk.pending == [])
    #expect(script.give(.requestsWhenInUse(.app)).count == 2)
  }

  @Test func aYesThatComesTooLateGivesNothing() throws {
    var script = try reduced()
    _ = script.give(.requestsFullAccuracy(.app, purposeKey: "turns"))
    let question = try #require(script.desk.pending.first)
    _ = script.give(.presence(.app, .background))
    let actions = script.give(.answered(question.number, Answer(.once), by: .agent))
    #expect(actions.last == .fullAccuracyAnswered(.app, .promptDeclined(.notInUse)))
    #expect(script.desk.authorization(of: .app).isReduced)
  }

  // MARK: Bounds

  @Test func aUserFillsOnlyItsOwnPlaces() throws {
    var script = script(.of(.weather))
    _ = script.give(.requestsWhenInUse(.app))
    let mine = try #require(script.desk.pending.first)
    for number in 0..<50 {
      let key = ClientKey(1000 + number)
      _ = script.give(.arrived(key, .of(ClientIdentity(userID: 1001, realm: .container("box \(number)")))))
      let actions = script.give(.requestsWhenInUse(key))
      #expect(actions.contains(.told(key, .level(.notDetermined, pending: true, answerable: true))))
    }
    #expect(script.desk.pending.count == 9)
    #expect(script.desk.pending.first == mine)
    #expect(script.desk.pending.last?.identity.realm == .container("box 49"))
    // Who was pushed out knows that nobody is asked any more.
    #expect(script.desk.authorization(of: ClientKey(1000)) == .level(.notDetermined))
  }

  @Test func identitiesAndQuestionsAreBounded() {
    var script = script()
    for user in 0..<UInt32(100) {
      let key = ClientKey(1000 + Int(user))
      _ = script.give(.arrived(key, .of(ClientIdentity(userID: 5000 + user))))
      _ = script.give(.requestsWhenInUse(key))
      _ = script.give(.left(key))
    }
    #expect(script.desk.pending.count == 64)
    for user in 0..<UInt32(AuthorizationDesk.capacity) {
      _ = script.give(.decided(ClientIdentity(userID: 10_000 + user), .denied, by: .root))
    }
    #expect(script.desk.grants.count == AuthorizationDesk.capacity)
    #expect(script.give(.decided(.maps, .denied, by: .root)) == [.refused(.full)])
    #expect(script.give(.requestsWhenInUse(.app)) == [.ignored(.app, .full)])
    // What was decided already can still be changed, and what is forgotten makes room.
    #expect(script.give(.decided(ClientIdentity(userID: 10_000), .forget, by: .root)).count == 1)
    #expect(script.give(.decided(.maps, .denied, by: .root)).count == 2)
  }

  @Test func theOldestUndecidedIsForgottenFirst() {
    var script = DeskScript()
    let grants = (0..<UInt32(AuthorizationDesk.capacity)).map {
      Grant(ClientIdentity(userID: $0), GrantRecord($0 == 7 || $0 == 9 ? .notDetermined : .denied))
    }
    _ = script.give(.loaded(grants, isOn: true))
    let actions = script.give(.decided(.maps, .denied, by: .root))
    #expect(actions == [.keep(ClientIdentity(userID: 7), nil), .keep(.maps, script.record(.maps))])
  }

  @Test func agentsAreBoundedAndNobodyCrowdsOutWhoIsInCharge() {
    var script = DeskScript()
    for number in 0..<10 {
      let actions = script.give(.agentArrived(ClientKey(number), .bob))
      #expect(actions == (number < AuthorizationDesk.agentCapacityOfUser ? [] : [.refused(.full)]))
    }
    for user in 0..<UInt32(100) {
      let answerer = Answerer(ClientIdentity(userID: 2000 + user), standing: .asks)
      _ = script.give(.agentArrived(ClientKey(200 + Int(user)), answerer))
    }
    #expect(script.give(.agentArrived(.agent, .alice)) == [])
    _ = script.give(.arrived(.app, .of(.weather)))
    #expect(
      script.give(.requestsWhenInUse(.app)).last == .told(.app, .level(.notDetermined, pending: true, answerable: true))
    )
  }
}
