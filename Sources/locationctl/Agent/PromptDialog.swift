package import LocationPolicy

/// The state machine of prompts at a terminal: one after the other, each answered by a letter. No I/O.
package struct PromptDialog: Sendable {
  package typealias Question = LocationPolicy.AuthorizationPrompt

  package enum Input: Hashable, Sendable {
    case asked(Question)
    case withdrawn(PromptNumber)
    /// A line that the user typed, without its line end.
    case lineEntered(String)
  }

  package enum Action: Hashable, Sendable {
    case put(Question)
    /// The answer grants access: ask whether to grant exact or approximate location.
    case putAccuracy(Question)
    case answer(PromptNumber, PromptAnswer)
    /// The answer is invalid: list the possible ones.
    case repeatChoices(Question)
    case repeatAccuracy(Question)
    /// The prompt ended without this user's answer: erase it.
    case takeAway(Question)
  }

  private enum State {
    case idle
    case choosing(Question)
    case weighing(Question, PromptAnswer.Choice)
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
      // A restarted service may send the same prompt again.
      let taken = withdraw(question.number)
      waiting.append(question)
      return taken + (isIdle ? next() : [])
    case (.idle, .lineEntered): return []
    case (.choosing(let question), .lineEntered(let line)): return choose(line, of: question)
    case (.weighing(let question, let choice), .lineEntered(let line)): return weigh(line, question, choice)
    }
  }

  private var isIdle: Bool { if case .idle = state { true } else { false } }

  private mutating func choose(_ line: String, of question: Question) -> [Action] {
    let letters = Letters(line)
    guard let choice = letters.choice, question.choices.contains(choice) else { return [.repeatChoices(question)] }
    guard question.asksAccuracy, choice != .no else { return close(question, PromptAnswer(choice)) }
    switch letters.rest {
    case "": break
    case "r": return close(question, PromptAnswer(choice, isReduced: true))
    case "e": return close(question, PromptAnswer(choice, isReduced: false))
    default: return [.repeatChoices(question)]
    }
    state = .weighing(question, choice)
    return [.putAccuracy(question)]
  }

  private mutating func weigh(_ line: String, _ question: Question, _ choice: PromptAnswer.Choice) -> [Action] {
    switch Letters(line).all {
    // An empty line accepts the proposed accuracy.
    case "": close(question, PromptAnswer(choice))
    case "r": close(question, PromptAnswer(choice, isReduced: true))
    case "e": close(question, PromptAnswer(choice, isReduced: false))
    default: [.repeatAccuracy(question)]
    }
  }

  private mutating func close(_ question: Question, _ answer: PromptAnswer) -> [Action] {
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

  private mutating func withdraw(_ number: PromptNumber) -> [Action] {
    switch state {
    case .choosing(let question), .weighing(let question, _):
      if question.number == number { return [.takeAway(question)] + next() }
    case .idle: break
    }
    waiting.removeAll { $0.number == number }
    return []
  }
}

/// The input in lower case and without spaces: "W r" becomes "wr".
private struct Letters {
  let all: String

  init(_ line: String) { all = line.lowercased().filter { !$0.isWhitespace } }

  var choice: PromptAnswer.Choice? {
    all.first.flatMap { letter in PromptAnswer.Choice.allCases.first { $0.letter == letter } }
  }
  var rest: String { String(all.dropFirst()) }
}

extension PromptAnswer.Choice {
  package var letter: Character {
    switch self {
    case .whileInUse: "w"
    case .always: "a"
    case .once: "o"
    case .no: "n"
    }
  }
}

extension LocationPolicy.AuthorizationPrompt {
  /// Whether the answer also chooses the accuracy: only if access is requested for the first time.
  package var asksAccuracy: Bool { if case .first = kind { true } else { false } }
}
