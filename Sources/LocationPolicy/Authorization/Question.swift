package import Geodesy

/// What counts the questions; never used twice while the service runs, and hardly ever after another start.
package struct QuestionNumber: Hashable, Comparable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  package static func < (a: QuestionNumber, b: QuestionNumber) -> Bool { a.value < b.value }
}

/// What a person is asked about one identity.
package struct Question: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Nothing has been decided yet. Always can be answered where the client declares it.
    case first(wishesAlways: Bool, offersAlways: Bool)
    /// From when-in-use to always; put once.
    case upgradeToAlways
    /// Whether to keep a provisional always that has been used in the background: the second question.
    case keepAlways
    /// Exact positions for now, under a grant of reduced accuracy: yes or no.
    case fullAccuracy
  }

  package let number: QuestionNumber
  package let identity: ClientIdentity
  package var kind: Kind
  /// What the client wants it for, in its own words.
  package var purpose: String?
  /// The name that it gives itself; vouches for nothing.
  package var name: String?
  /// The client's presence when it asked.
  package let presence: ClientPresence
  /// The accuracy that is proposed.
  package let isReduced: Bool
  /// When it was asked.
  package let since: Instant

  package init(
    number: QuestionNumber, identity: ClientIdentity, kind: Kind, purpose: String?, name: String?,
    presence: ClientPresence, isReduced: Bool, since: Instant
  ) {
    self.number = number
    self.identity = identity
    self.kind = kind
    self.purpose = purpose
    self.name = name
    self.presence = presence
    self.isReduced = isReduced
    self.since = since
  }

  /// What can be answered, in the order to show.
  package var choices: [Answer.Choice] {
    switch kind {
    case .first(_, let offersAlways): offersAlways ? [.whileInUse, .always, .once, .no] : [.whileInUse, .once, .no]
    case .upgradeToAlways, .keepAlways: [.whileInUse, .always]
    case .fullAccuracy: [.once, .no]
    }
  }

  /// Whether the client hears that an answer is awaited. Of the second question it hears only where the answer takes
  /// something away (Documentation/Behavior.md, "Requests for authorization").
  var isOfRequest: Bool {
    switch kind {
    case .first, .upgradeToAlways, .fullAccuracy: true
    case .keepAlways: false
    }
  }
}

/// What a person says to a question.
package struct Answer: Hashable, Sendable {
  package enum Choice: Hashable, Sendable, CaseIterable {
    /// To the questions about always: not always.
    case whileInUse
    case always
    /// Until the identity's last client leaves use; to the question for full accuracy: yes.
    case once
    case no
  }

  package var choice: Choice
  /// `nil`: as the question proposes.
  package var isReduced: Bool?

  package init(_ choice: Choice, isReduced: Bool? = nil) {
    self.choice = choice
    self.isReduced = isReduced
  }
}
