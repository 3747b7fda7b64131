import LocationPolicy
import TestSupport
import Testing
import locationctl

@Suite struct PromptDialogTests {
  private var interview = PromptDialog()

  private func answer(_ number: Int, _ choice: PromptAnswer.Choice, isReduced: Bool? = nil) -> PromptDialog.Action {
    .answer(PromptNumber(number), PromptAnswer(choice, isReduced: isReduced))
  }

  @Test mutating func aLetterAndHowExactly() {
    #expect(interview.handle(.asked(question(1))) == [.put(question(1))])
    #expect(interview.handle(.lineEntered("W ")) == [.putAccuracy(question(1))])
    #expect(interview.handle(.lineEntered("x")) == [.repeatAccuracy(question(1))])
    #expect(interview.handle(.lineEntered("r")) == [answer(1, .whileInUse, isReduced: true)])
    #expect(interview.handle(.lineEntered("w")) == [])
  }

  @Test(arguments: [
    ("a", "", PromptAnswer(.always)), ("o", "e", PromptAnswer(.once, isReduced: false)),
    ("ar", nil, PromptAnswer(.always, isReduced: true)),
    ("w e", nil, PromptAnswer(.whileInUse, isReduced: false)), ("n", nil, PromptAnswer(.no)),
    ("nr", nil, PromptAnswer(.no)),
  ]) func theWays(first: String, second: String?, expected: PromptAnswer) {
    var interview = PromptDialog()
    _ = interview.handle(.asked(question(1)))
    var actions = interview.handle(.lineEntered(first))
    if let second {
      #expect(actions == [.putAccuracy(question(1))])
      actions = interview.handle(.lineEntered(second))
    }
    #expect(actions == [.answer(PromptNumber(1), expected)])
  }

  @Test mutating func invalidChoicesRepeatThePrompt() {
    let plain = question(1, .first(requestsAlways: false, offersAlways: false))
    _ = interview.handle(.asked(plain))
    for line in ["", "a", "always", "x", "wx", "\u{1B}"] {
      #expect(interview.handle(.lineEntered(line)) == [.repeatChoices(plain)], "\(line)")
    }
    #expect(interview.handle(.lineEntered("o")) == [.putAccuracy(plain)])
  }

  @Test mutating func theSecondQuestionAsksNotHowExactly() {
    _ = interview.handle(.asked(question(1, .keepAlways)))
    #expect(interview.handle(.lineEntered("n")) == [.repeatChoices(question(1, .keepAlways))])
    #expect(interview.handle(.lineEntered("w")) == [answer(1, .whileInUse)])
    _ = interview.handle(.asked(question(2, .fullAccuracy)))
    #expect(interview.handle(.lineEntered("o")) == [answer(2, .once)])
  }

  @Test mutating func oneAfterTheOther() {
    #expect(interview.handle(.asked(question(1))) == [.put(question(1))])
    #expect(interview.handle(.asked(question(2))) == [])
    #expect(interview.handle(.asked(question(3))) == [])
    #expect(interview.handle(.lineEntered("n")) == [answer(1, .no), .put(question(2))])
    #expect(interview.handle(.withdrawn(PromptNumber(3))) == [])
    #expect(interview.handle(.lineEntered("n")) == [answer(2, .no)])
  }

  @Test mutating func whatIsWithdrawnDisappears() {
    _ = interview.handle(.asked(question(1)))
    _ = interview.handle(.asked(question(2)))
    #expect(interview.handle(.withdrawn(PromptNumber(1))) == [.takeAway(question(1)), .put(question(2))])
    _ = interview.handle(.lineEntered("w"))
    #expect(interview.handle(.withdrawn(PromptNumber(2))) == [.takeAway(question(2))])
    // What the user typed for the withdrawn question answers no other question.
    #expect(interview.handle(.lineEntered("e")) == [])
    #expect(interview.handle(.withdrawn(PromptNumber(9))) == [])
  }

  @Test mutating func aServiceThatHasRestartedCountsFromTheStart() {
    _ = interview.handle(.asked(question(1)))
    let other = question(1, name: "other")
    #expect(interview.handle(.asked(other)) == [.takeAway(question(1)), .put(other)])
    #expect(interview.handle(.lineEntered("n")) == [answer(1, .no)])
  }

  /// Whatever is typed and withdrawn, each question that was shown is answered at most once, with one of its own choices, and no
  /// other question is answered.
  @Test func nothingElseIsEverAnswered() {
    let kinds: [AuthorizationPrompt.Kind] = [
      .first(requestsAlways: true, offersAlways: true), .first(requestsAlways: false, offersAlways: false),
      .upgradeToAlways, .keepAlways, .fullAccuracy,
    ]
    let lines = ["w", "a", "o", "n", "r", "e", "", "wr", "ae", "zz", "\u{0}w", "ww"]
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      var interview = PromptDialog()
      var asked: [PromptNumber: AuthorizationPrompt] = [:]
      var open: PromptNumber?
      for number in 1...60 {
        let input: PromptDialog.Input
        switch random.next() % 4 {
        case 0:
          let new = question(number, kinds[Int(random.next() % 5)])
          asked[new.number] = new
          input = .asked(new)
        case 1: input = .withdrawn(PromptNumber(Int(random.next() % 60)))
        default: input = .lineEntered(lines[Int(random.next() % UInt64(lines.count))])
        }
        if case .withdrawn(let number) = input { asked[number] = nil }
        for action in interview.handle(input) {
          switch action {
          case .put(let question): open = question.number
          case .answer(let number, let answer):
            #expect(number == open && asked[number]?.choices.contains(answer.choice) == true)
            asked[number] = nil
            open = nil
          case .takeAway(let question):
            #expect(question.number == open)
            open = nil
          case .putAccuracy(let question), .repeatChoices(let question), .repeatAccuracy(let question):
            #expect(question.number == open)
          }
        }
      }
    }
  }
}
