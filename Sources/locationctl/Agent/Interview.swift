package import LocationPolicy

/// The questions that a person at a terminal is to answer: one after the other, each by a letter. No I/O.
package struct Interview: Sendable {
  package typealias Question = LocationPolicy.Question

  package enum Input: Hashable, Sendable {
    case asked(Question)
    case withdrawn(QuestionNumber)
    /// A line that was typed, without its end.
    case said(String)
  }

  package enum Action: Hashable, Sendable {
    case put(Question)
    /// Whether exactly or only roughly, where the answer gives something.
    case putAccuracy(Question)
    case answer(QuestionNumber, Answer)
    /// That was no answer: say which there are.
    case repeatChoices(Question)
    case repeatAccuracy(Question)
    /// It is over without this person's word: take it away.
    case takeAway(Question)
  }

  private enum State {
    case idle
    case choosing(Question)
    case weighing(Question, Answer.Choice)
  }

  private var state = State.idle
  private var waiting: [Question] = []

  package init() {}

  package mutating func handle(_ input: Input) -> [Action] {
    switch (state, input) {
    case (_, .withdrawn(let number)): return withdraw(number)
    case (.idle, .asked(let question)):
      state = .choosing(question)
      return [.put(question)]
    case (.choosing, .asked(let question)), (.weighing, .asked(let question)):
      // A service that has begun anew may ask it again.
      let taken = withdraw(question.number)
      waiting.append(question)
      return taken + (isIdle ? next() : [])
    case (.idle, .said): return []
    case (.choosing(let question), .said(let line)): return choose(line, of: question)
    case (.weighing(let question, let choice), .said(let line)): return weigh(line, question, choice)
    }
  }

  private var isIdle: Bool { if case .idle = state { true } else { false } }

  private mutating func choose(_ line: String, of question: Question) -> [Action] {
    let letters = Letters(line)
    guard let choice = letters.choice, question.choices.contains(choice) else { return [.repeatChoices(question)] }
    guard question.asksAccuracy, choice != .no else { return close(question, Answer(choice)) }
    switch letters.rest {
    case "": break
    case "r": return close(question, Answer(choice, isReduced: true))
    case "e": return close(question, Answer(choice, isReduced: false))
    default: return [.repeatChoices(question)]
    }
    state = .weighing(question, choice)
    return [.putAccuracy(question)]
  }

  private mutating func weigh(_ line: String, _ question: Question, _ choice: Answer.Choice) -> [Action] {
    switch Letters(line).all {
    // As it proposes.
    case "": close(question, Answer(choice))
    case "r": close(question, Answer(choice, isReduced: true))
    case "e": close(question, Answer(choice, isReduced: false))
    default: [.repeatAccuracy(question)]
    }
  }

  private mutating func close(_ question: Question, _ answer: Answer) -> [Action] {
    [.answer(question.number, answer)] + next()
  }

  private mutating func next() -> [Action] {
    guard !waiting.isEmpty else {
      state = .idle
      return []
    }
    let question = waiting.removeFirst()
    state = .choosing(question)
    return [.put(question)]
  }

  private mutating func withdraw(_ number: QuestionNumber) -> [Action] {
    switch state {
    case .choosing(let question), .weighing(let question, _):
      if question.number == number { return [.takeAway(question)] + next() }
    case .idle: break
    }
    waiting.removeAll { $0.number == number }
    return []
  }
}

/// What was typed, small and without blanks: "w", "W r", "wr".
private struct Letters {
  let all: String

  init(_ line: String) { all = line.lowercased().filter { !$0.isWhitespace } }

  var choice: Answer.Choice? { all.first.flatMap { letter in Answer.Choice.allCases.first { $0.letter == letter } } }
  var rest: String { String(all.dropFirst()) }
}

extension Answer.Choice {
  package var letter: Character {
    switch self {
    case .whileInUse: "w"
    case .always: "a"
    case .once: "o"
    case .no: "n"
    }
  }
}

extension LocationPolicy.Question {
  /// Whether the answer says how exactly, too: where something is granted for the first time.
  package var asksAccuracy: Bool { if case .first = kind { true } else { false } }
}
