package import LocationPolicy

/// A prompt as a desktop notification, in the arguments of notify-send(1). Names and purposes are untrusted: markup is
/// escaped, as are the backslashes that notify-send expands in a body (g_strcompress), and no part of them can become
/// an option.
package struct NotificationText: Hashable, Sendable {
  /// One button.
  package struct Button: Hashable, Sendable {
    /// The text that notify-send prints when the button is pressed.
    package let name: String
    package let label: String
    package let answer: PromptAnswer
  }

  /// In display order; some desktops show only three.
  package let buttons: [Button]
  private let body: String

  package init(_ question: LocationPolicy.AuthorizationPrompt) {
    let text = PromptText(question)
    body = ([text.headline] + text.claims).map(NotificationMarkup.escaped).joined(separator: "\\n")
    var buttons: [Button] = []
    for choice in Self.order(question) {
      let label = text.label(choice)
      buttons.append(
        Button(
          name: "\(choice.letter)", label: label.prefix(1).uppercased() + label.dropFirst(),
          answer: PromptAnswer(choice)))
    }
    if let given = buttons.first, question.asksAccuracy {
      let other = !question.isReduced
      let how = other ? "approximate" : "exact"
      buttons.append(
        Button(
          name: "\(given.name)\(other ? "r" : "e")", label: "\(given.label), \(how)",
          answer: PromptAnswer(given.answer.choice, isReduced: other)))
    }
    self.buttons = buttons
  }

  package var arguments: [String] {
    ["--app-name=locationctl", "--icon=find-location-symbolic", "--urgency=critical", "--expire-time=0", "--wait"]
      + buttons.map { "--action=\($0.name)=\($0.label)" } + ["--", "Location permission", body]
  }

  /// The answer of the button that was pressed; `nil` if no button was pressed, or the notification was dismissed.
  package func answer(_ output: [UInt8]) -> PromptAnswer? {
    let words = output.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
    return buttons.first { $0.name == words }?.answer
  }

  /// The choices in display order: first the one that grants the request, then the one that refuses it.
  private static func order(_ question: LocationPolicy.AuthorizationPrompt) -> [PromptAnswer.Choice] {
    let first: PromptAnswer.Choice =
      switch question.kind {
      case .first(let requestsAlways, _): requestsAlways ? .always : .whileInUse
      case .upgradeToAlways, .keepAlways: .always
      case .fullAccuracy: .once
      }
    let order = [first, .no, .whileInUse, .always, .once]
    var shown: [PromptAnswer.Choice] = []
    for choice in order where question.choices.contains(choice) && !shown.contains(choice) { shown.append(choice) }
    return shown
  }
}
