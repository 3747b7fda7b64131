package import LocationPolicy

/// A question in words, for a person who has to answer it. What comes from the client is made fit for a terminal, and marked as
/// its own word.
package struct QuestionText: Hashable, Sendable {
  private let question: LocationPolicy.Question

  package init(_ question: LocationPolicy.Question) { self.question = question }

  /// What is asked, on one line.
  package var headline: String {
    let who = ClientName.text(of: question.identity)
    return switch question.kind {
    case .first(wishesAlways: true, _): "May \(who) always know where this machine is?"
    case .first(wishesAlways: false, _): "May \(who) know where this machine is?"
    case .upgradeToAlways: "May \(who) know where this machine is always, not only while in use?"
    case .keepAlways: "\(Self.capitalized(who)) has used location in the background: may it still always know?"
    case .fullAccuracy: "May \(who) know exactly where this machine is, for now?"
    }
  }

  /// What the client says of itself; a line each.
  package var claims: [String] {
    var lines: [String] = []
    if let name = question.name { lines.append("It calls itself \(GrantTable.ownName(name)).") }
    if let purpose = question.purpose { lines.append("It says what for: “\(TerminalText.sanitized(purpose))”.") }
    return lines
  }

  /// What can be answered, by its letter.
  package var choices: String { question.choices.map { "[\($0.letter)] \(label($0))" }.joined(separator: "  ") }

  /// How exactly, where nothing is said.
  package var accuracy: String {
    question.isReduced
      ? "Exactly or only roughly? [e] exactly  [r] roughly (as it proposes)"
      : "Exactly or only roughly? [e] exactly (as it proposes)  [r] roughly"
  }

  package func label(_ choice: Answer.Choice) -> String {
    switch (question.kind, choice) {
    case (.fullAccuracy, .once): "yes, for now"
    case (.upgradeToAlways, .whileInUse), (.keepAlways, .whileInUse): "only while I look"
    case (_, .whileInUse): "while I look"
    case (_, .always): "always"
    case (_, .once): "once"
    case (_, .no): "no"
    }
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
