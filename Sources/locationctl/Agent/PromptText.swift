package import LocationPolicy

/// The text of a prompt, for the person who has to answer it. Text from the client is sanitized for a terminal and marked as the
/// client's own statement.
package struct PromptText: Hashable, Sendable {
  private let question: LocationPolicy.AuthorizationPrompt

  package init(_ question: LocationPolicy.AuthorizationPrompt) { self.question = question }

  /// What is requested, on one line.
  package var headline: String {
    let who = ClientName.text(of: question.identity)
    return switch question.kind {
    case .first(requestsAlways: true, _): "Allow \(who) to use the location of this machine at any time?"
    case .first(requestsAlways: false, _): "Allow \(who) to use the location of this machine?"
    case .upgradeToAlways: "Allow \(who) to use the location of this machine at any time, and not only while in use?"
    case .keepAlways:
      "\(Self.capitalized(who)) has used the location in the background. Continue to allow it at any time?"
    case .fullAccuracy: "Allow \(who) to use the exact location of this machine for now?"
    }
  }

  /// What the client states about itself, one item per line.
  package var claims: [String] {
    var lines: [String] = []
    if let name = question.name { lines.append("The program calls itself \(GrantTable.ownName(name)).") }
    if let purpose = question.purpose {
      lines.append("The program gives this reason: “\(TerminalText.sanitized(purpose))”.")
    }
    return lines
  }

  /// The possible answers, with their letters.
  package var choices: String { question.choices.map { "[\($0.letter)] \(label($0))" }.joined(separator: "  ") }

  /// The prompt for the accuracy, if the answer did not choose one.
  package var accuracy: String {
    question.isReduced
      ? "Exact or approximate location? [e] exact  [r] approximate (as the program requests)"
      : "Exact or approximate location? [e] exact (as the program requests)  [r] approximate"
  }

  package func label(_ choice: PromptAnswer.Choice) -> String {
    switch (question.kind, choice) {
    case (.fullAccuracy, .once): "yes, for now"
    case (.upgradeToAlways, .whileInUse), (.keepAlways, .whileInUse): "only while in use"
    case (_, .whileInUse): "while in use"
    case (_, .always): "always"
    case (_, .once): "once"
    case (_, .no): "no"
    }
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
