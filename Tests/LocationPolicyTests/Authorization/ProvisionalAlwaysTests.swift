import Geodesy
import LocationPolicy
import Testing

/// The permission "always" that was given at the first question, and the second question about it.
@Suite struct ProvisionalAlwaysTests {
  private func provisional() throws -> DeskScript {
    var script = try DeskScript.asking(.of(.maps, .both, presence: .inUse))
    #expect(try script.answer(.requestsAlways(.app), .always).last == .authorizationChanged(.app, .level(.always)))
    #expect(script.record(.maps)?.isProvisional == true)
    return script
  }

  @Test(arguments: [PromptAnswer.Choice.always, .whileInUse, .no])
  func theSecondQuestionComesThreeDaysAfterBackgroundUse(
    _ choice: PromptAnswer.Choice
  ) throws {
    var script = try provisional()
    // Use in the foreground does not count.
    _ = script.give(.uses(.app, true))
    script.pass(Duration.day)
    #expect(script.give(.wake) == [.keep(.maps, script.record(.maps))])
    #expect(script.desk.nextDeadline == nil)
    let kept = script.give(.presence(.app, .background))
    #expect(script.record(.maps)?.usedInBackgroundAt == script.clock)
    #expect(kept == [.keep(.maps, script.record(.maps))])
    #expect(script.desk.nextDeadline == script.now + Duration.day * 3)
    script.pass(Duration.day * 3 + .seconds(-1))
    _ = script.give(.wake)
    #expect(script.desk.pending == [])
    script.pass(.seconds(1))
    let asked = script.give(.wake)
    let question = try #require(script.desk.pending.first)
    #expect(question.kind == .keepAlways && question.name == "Maps" && question.choices == [.whileInUse, .always])
    // The client receives nothing about it.
    #expect(asked == [.ask(question, of: [.agent])])
    #expect(script.desk.nextDeadline == nil)
    script.pass(Duration.day)
    _ = script.give(.wake)
    #expect(script.desk.pending == [question])
    let answered = script.give(.answered(question.number, PromptAnswer(choice), by: .agent))
    let record = try #require(script.record(.maps))
    #expect(!record.isProvisional && script.desk.nextDeadline == nil)
    if choice == .always {
      #expect(answered == [.keep(.maps, record)])
    } else {
      #expect(answered == [.keep(.maps, record), .authorizationChanged(.app, .level(.whenInUse, alwaysRefused: true))])
    }
    script.pass(Duration.day * 30)
    #expect(
      script.give(.requestsAlways(.app)).allSatisfy { $0 == .ignored(.app, .notInUse) || "\($0)".hasPrefix("keep") })
    #expect(script.desk.pending == [])
  }

  @Test func theSecondQuestionWaitsForAnAgentAndSurvivesARestart() throws {
    var script = try provisional()
    _ = script.give(.presence(.app, .background))
    _ = script.give(.uses(.app, true))
    let grants = script.desk.grants
    var next = DeskScript(now: .seconds(7), clock: script.clock.map { $0 + Duration.day * 2 })
    #expect(next.give(.loaded(grants, isOn: true)) == [])
    #expect(next.desk.nextDeadline == next.now + Duration.day)
    next.pass(Duration.day)
    #expect(next.give(.wake) == [])
    let question = try #require(next.desk.pending.first)
    #expect(next.give(.agentArrived(.agent, .alice)) == [.ask(question, of: [.agent])])
  }

  @Test func aClockThatCannotBeAcceptedIsMadeUpFor() throws {
    var script = try provisional()
    script.clock = nil
    _ = script.give(.presence(.app, .background))
    _ = script.give(.uses(.app, true))
    #expect(script.record(.maps)?.usedInBackgroundAt == nil)
    #expect(script.desk.nextDeadline == script.now + Duration.day * 3)
    script.pass(Duration.day)
    script.clock = DeskScript.noon
    _ = script.give(.wake)
    #expect(script.record(.maps)?.usedInBackgroundAt == DeskScript.noon + .seconds(-86_400))
    #expect(script.desk.nextDeadline == script.now + Duration.day * 2)
    // A time that was years ahead does not postpone the question forever.
    script.clock = DeskScript.noon + .seconds(-86_400 * 1000)
    _ = script.give(.wake)
    #expect(script.desk.nextDeadline == script.now + Duration.day * 3)
  }
}
