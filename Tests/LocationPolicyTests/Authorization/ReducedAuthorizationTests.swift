import Geodesy
import LocationPolicy
import Testing

/// Reduced accuracy of a grant, and full accuracy for a time.
@Suite struct ReducedAuthorizationTests {
  @Test func accuracyIsThePersonsAndProposedByTheProgram() throws {
    let lines: [(DeclaredUsage, Bool?, Bool)] = [
      (.both, nil, false), (.both, true, true), (.reduced, nil, true), (.reduced, false, false), (.reduced, true, true),
    ]
    for (usage, said, isReduced) in lines {
      var script = try DeskScript.asking(.of(.maps, usage))
      #expect(script.desk.authorization(of: .app) == .level(.notDetermined, reduced: usage.prefersReduced))
      _ = try script.answer(.requestsWhenInUse(.app), .whileInUse, isReduced: said)
      #expect(script.desk.authorization(of: .app) == .level(.whenInUse, reduced: isReduced))
      // The step to "always" changes the accuracy only if the answer does.
      _ = try script.answer(.requestsAlways(.app), .always)
      #expect(script.desk.authorization(of: .app) == .level(.always, reduced: isReduced))
    }
  }

  private func reduced() throws -> DeskScript {
    var script = try DeskScript.asking(.of(.maps, .exactNow))
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
      script.give(.answered(question.number, PromptAnswer(.once), by: .agent)) == [
        .authorizationChanged(.app, .level(.whenInUse)), .authorizationChanged(.second, .level(.whenInUse)),
        .fullAccuracyAnswered(.app, .granted), .fullAccuracyAnswered(.second, .granted),
      ])
    #expect(
      script.give(.requestsFullAccuracy(.app, purposeKey: "turns")) == [
        .fullAccuracyAnswered(.app, .promptDeclined(.isFull))
      ])
    #expect(script.give(.left(.app)) == [])
    #expect(
      script.give(.presence(.second, .background)) == [
        .authorizationChanged(.second, .level(.whenInUse, reduced: true))
      ])
  }

  @Test func fullAccuracyRefusedIsNoError() throws {
    var script = try reduced()
    _ = script.give(.requestsFullAccuracy(.app, purposeKey: "turns"))
    let question = try #require(script.desk.pending.first)
    #expect(
      script.give(.answered(question.number, PromptAnswer(.no), by: .agent)) == [
        .authorizationChanged(.app, .level(.whenInUse, reduced: true)), .fullAccuracyAnswered(.app, .refused),
      ])
  }

  @Test func fullAccuracyIsDeclinedWhereNoOneCanBeAsked() throws {
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
    #expect(try reason { _ = $0.give(.agentLeft(.agent)) } == .promptDeclined(.noAgent))
    #expect(try reason { _ = $0.give(.requestsAlways(.app)) } == .promptDeclined(.otherQuestion))
    #expect(try reason { _ = $0.give(.switched(isOn: false, by: .root)) } == .promptDeclined(.notAuthorized))
    #expect(try reason { _ = $0.give(.decided(.maps, .denied, by: .root)) } == .promptDeclined(.notAuthorized))
    #expect(
      try reason { _ = $0.give(.decided(.maps, .always(isReduced: false), by: .root)) } == .promptDeclined(.isFull))
  }

  @Test func impossibleAnswersFailImmediately() throws {
    let lines: [(AuthorizationStateMachine.Input, FullAccuracyAnswer?)] = [
      (.agentLeft(.agent), .promptDeclined(.noAgent)),
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

  @Test func aYesThatComesTooLateGivesNothing() throws {
    var script = try reduced()
    _ = script.give(.requestsFullAccuracy(.app, purposeKey: "turns"))
    let question = try #require(script.desk.pending.first)
    _ = script.give(.presence(.app, .background))
    let actions = script.give(.answered(question.number, PromptAnswer(.once), by: .agent))
    #expect(actions.last == .fullAccuracyAnswered(.app, .promptDeclined(.notInUse)))
    #expect(script.desk.authorization(of: .app).isReduced)
  }
}
