import LocationPolicy
import TestSupport
import Testing
import locationctl

@Suite struct InterviewTests {
  private var interview = Interview()

  private func answer(_ number: Int, _ choice: Answer.Choice, isReduced: Bool? = nil) -> Interview.Action {
    .answer(QuestionNumber(number), Answer(choice, isReduced: isReduced))
  }

  @Test mutating func aLetterAndHowExactly() {
    #expect(interview.handle(.asked(question(1))) == [.put(question(1))])
    #expect(interview.handle(.said("W ")) == [.putAccuracy(question(1))])
    #expect(interview.handle(.said("x")) == [.repeatAccuracy(question(1))])
    #expect(interview.handle(.said("r")) == [answer(1, .whileInUse, isReduced: true)])
    #expect(interview.handle(.said("w")) == [])
  }

  @Test(arguments: [
    ("a", "", Answer(.always)), ("o", "e", Answer(.once, isReduced: false)),
    ("ar", nil, Answer(.always, isReduced: true)),
    ("w e", nil, Answer(.whileInUse, isReduced: false)), ("n", nil, Answer(.no)), ("nr", nil, Answer(.no)),
  ]) func theWays(first: String, second: String?, expected: Answer) {
    var interview = Interview()
    _ = interview.handle(.asked(question(1)))
    var actions = interview.handle(.said(first))
    if let second {
      #expect(actions == [.putAccuracy(question(1))])
      actions = interview.handle(.said(second))
    }
    #expect(actions == [.answer(QuestionNumber(1), expected)])
  }

  @Test mutating func whatIsNoChoiceIsAskedAgain() {
    let plain = question(1, .first(wishesAlways: false, offersAlways: false))
    _ = interview.handle(.asked(plain))
    for line in ["", "a", "always", "x", "wx", "\u{1B}"] {
      #expect(interview.handle(.said(line)) == [.repeatChoices(plain)], "\(line)")
    }
    #expect(interview.handle(.said("o")) == [.putAccuracy(plain)])
  }

  @Test mutating func theSecondQuestionAsksNotHowExactly() {
    _ = interview.handle(.asked(question(1, .keepAlways)))
    #expect(interview.handle(.said("n")) == [.repeatChoices(question(1, .keepAlways))])
    #expect(interview.handle(.said("w")) == [answer(1, .whileInUse)])
    _ = interview.handle(.asked(question(2, .fullAccuracy)))
    #expect(interview.handle(.said("o")) == [answer(2, .once)])
  }

  @Test mutating func oneAfterTheOther() {
    #expect(interview.handle(.asked(question(1))) == [.put(question(1))])
    #expect(interview.handle(.asked(question(2))) == [])
    #expect(interview.handle(.asked(question(3))) == [])
    #expect(interview.handle(.said("n")) == [answer(1, .no), .put(question(2))])
    #expect(interview.handle(.withdrawn(QuestionNumber(3))) == [])
    #expect(interview.handle(.said("n")) == [answer(2, .no)])
  }

  @Test mutating func whatIsWithdrawnDisappears() {
    _ = interview.handle(.asked(question(1)))
    _ = interview.handle(.asked(question(2)))
    #expect(interview.handle(.withdrawn(QuestionNumber(1))) == [.takeAway(question(1)), .put(question(2))])
    _ = interview.handle(.said("w"))
    #expect(interview.handle(.withdrawn(QuestionNumber(2))) == [.takeAway(question(2))])
    // What was typed for it answers nothing.
    #expect(interview.handle(.said("e")) == [])
    #expect(interview.handle(.withdrawn(QuestionNumber(9))) == [])
  }

  @Test mutating func aServiceThatHasBegunAnewCountsFromTheStart() {
    _ = interview.handle(.asked(question(1)))
    let other = question(1, name: "other")
    #expect(interview.handle(.asked(other)) == [.takeAway(question(1)), .put(other)])
    #expect(interview.handle(.said("n")) == [answer(1, .no)])
  }

  /// Whatever is typed and withdrawn: only what was put is answered, once, with one of its choices.
  @Test func nothingElseIsEverAnswered() {
    let kinds: [Question.Kind] = [
      .first(wishesAlways: true, offersAlways: true), .first(wishesAlways: false, offersAlways: false),
      .upgradeToAlways, .keepAlways, .fullAccuracy,
    ]
    let lines = ["w", "a", "o", "n", "r", "e", "", "wr", "ae", "zz", "\u{0}w", "ww"]
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      var interview = Interview()
      var asked: [QuestionNumber: Question] = [:]
      var open: QuestionNumber?
      for number in 1...60 {
        let input: Interview.Input
        switch random.next() % 4 {
        case 0:
          let new = question(number, kinds[Int(random.next() % 5)])
          asked[new.number] = new
          input = .asked(new)
        case 1: input = .withdrawn(QuestionNumber(Int(random.next() % 60)))
        default: input = .said(lines[Int(random.next() % UInt64(lines.count))])
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
