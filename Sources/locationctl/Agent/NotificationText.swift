package import LocationPolicy

/// A question as a desktop notification, in the arguments of notify-send(1). Names and purposes are hostile: markup is escaped, and
/// so are the backslashes that notify-send expands in a body (g_strcompress); nothing of them is ever an option.
package struct NotificationText: Hashable, Sendable {
  /// One button.
  package struct Button: Hashable, Sendable {
    /// What notify-send prints where it is pressed.
    package let name: String
    package let label: String
    package let answer: Answer
  }

  /// In the order to show; some desktops show three.
  package let buttons: [Button]
  private let body: String

  package init(_ question: LocationPolicy.Question) {
    let text = QuestionText(question)
    body = ([text.headline] + text.claims).map(NotificationMarkup.escaped).joined(separator: "\\n")
    var buttons: [Button] = []
    for choice in Self.order(question) {
      let label = text.label(choice)
      buttons.append(
        Button(
          name: "\(choice.letter)", label: label.prefix(1).uppercased() + label.dropFirst(), answer: Answer(choice)))
    }
    if let given = buttons.first, question.asksAccuracy {
      let other = !question.isReduced
      let how = other ? "approximate" : "exact"
      buttons.append(
        Button(
          name: "\(given.name)\(other ? "r" : "e")", label: "\(given.label), \(how)",
          answer: Answer(given.answer.choice, isReduced: other)))
    }
    self.buttons = buttons
  }

  package var arguments: [String] {
    ["--app-name=locationctl", "--icon=find-location-symbolic", "--urgency=critical", "--expire-time=0", "--wait"]
      + buttons.map { "--action=\($0.name)=\($0.label)" } + ["--", "Location permission", body]
  }

  /// What was pressed; `nil`: nothing, or it was put away.
  package func answer(_ output: [UInt8]) -> Answer? {
    let words = output.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
    return buttons.first { $0.name == words }?.answer
  }

  /// What it asks for, and the refusal beside it.
  private static func order(_ question: LocationPolicy.Question) -> [Answer.Choice] {
    let first: Answer.Choice =
      switch question.kind {
      case .first(let wishesAlways, _): wishesAlways ? .always : .whileInUse
      case .upgradeToAlways, .keepAlways: .always
      case .fullAccuracy: .once
      }
    let order = [first, .no, .whileInUse, .always, .once]
    var shown: [Answer.Choice] = []
    for choice in order where question.choices.contains(choice) && !shown.contains(choice) { shown.append(choice) }
    return shown
  }
}
