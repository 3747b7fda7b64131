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

/// The questions that wait for an answer, one an identity at most, and to whom each has been put.
struct OpenQuestions: Sendable {
  /// More requests are not open at a time; the oldest first question goes for a new one.
  static let capacity = 64
  /// Nor more of one user, so that nobody pushes out the others'.
  static let capacityOfUser = 8

  struct Entry: Sendable {
    var question: Question
    /// What the client declared when it asked.
    let usage: DeclaredUsage
    /// The agents that it has been put to.
    var agents: [ClientKey] = []
    /// The clients that wait for the answer to a question for full accuracy.
    var waiting: [ClientKey] = []
  }

  private var open: [ClientIdentity: Entry] = [:]
  private var lastNumber: Int

  /// - Parameter number: the first question has the next one.
  init(after number: Int) { lastNumber = number }

  /// The oldest first.
  var entries: [Entry] { open.values.sorted { $0.question.number < $1.question.number } }

  subscript(_ identity: ClientIdentity) -> Entry? { open[identity] }
  subscript(_ number: QuestionNumber) -> Entry? { open.values.first { $0.question.number == number } }

  /// Opens a question for a request, and says what had to be closed for it; `nil` where there is no room.
  mutating func request(
    _ kind: Question.Kind, about client: AuthorizationClient, purpose: String?, isReduced: Bool,
    waiting: [ClientKey] = [], at now: Instant
  ) -> [Entry]? {
    let requests = entries.filter(\.question.isOfRequest)
    let ofUser = requests.filter { $0.question.identity.userID == client.identity.userID }
    let isUserFull = ofUser.count >= Self.capacityOfUser
    var closed: [Entry] = []
    if isUserFull || requests.count >= Self.capacity {
      guard let oldest = (isUserFull ? ofUser : requests).first(where: \.question.isFirst) else { return nil }
      closed.append(oldest)
      close(oldest.question.identity)
    }
    append(kind, about: client, purpose: purpose, isReduced: isReduced, waiting: waiting, at: now)
    return closed
  }

  /// Opens a question of ours. There are no more of them than identities.
  mutating func append(
    _ kind: Question.Kind, about client: AuthorizationClient, purpose: String?, isReduced: Bool,
    waiting: [ClientKey] = [], at now: Instant
  ) {
    lastNumber += 1
    let question = Question(
      number: QuestionNumber(lastNumber), identity: client.identity, kind: kind, purpose: purpose, name: client.name,
      presence: client.presence, isReduced: isReduced, since: now)
    open[client.identity] = Entry(question: question, usage: client.usage, waiting: waiting)
  }

  mutating func close(_ identity: ClientIdentity) { open[identity] = nil }

  /// A first question that nobody has seen yet is now for always.
  mutating func raise(_ identity: ClientIdentity, purpose: String) {
    guard var entry = open[identity], entry.agents.isEmpty, entry.question.isFirst else { return }
    entry.question.kind = .first(wishesAlways: true, offersAlways: true)
    entry.question.purpose = purpose
    open[identity] = entry
  }

  mutating func wait(_ client: ClientKey, for identity: ClientIdentity) {
    guard open[identity]?.waiting.contains(client) == false else { return }
    open[identity]?.waiting.append(client)
  }

  /// A connection is gone, and waits for nothing.
  mutating func leave(_ client: ClientKey) {
    for identity in open.keys { open[identity]?.waiting.removeAll { $0 == client } }
  }

  /// Notes the agents that a question is with now, and says what that changes.
  mutating func put(_ identity: ClientIdentity, to agents: [ClientKey]) -> (asked: [ClientKey], withdrawn: [ClientKey])
  {
    guard let before = open[identity]?.agents else { return ([], []) }
    open[identity]?.agents = agents
    return (agents.filter { !before.contains($0) }, before.filter { !agents.contains($0) })
  }
}

extension Question {
  /// Whether nothing had been decided of the identity.
  var isFirst: Bool {
    if case .first = kind { true } else { false }
  }
}

/// Who answers a question, or decides without one, and what may be given by it.
///
/// A person in charge answers for everybody. Anybody's own unconfined program answers for what the same user runs confined,
/// and gives no more than the user has: that program could hand its own positions on anyway. Nothing confined answers for anybody,
/// itself neither.
package struct Answerer: Hashable, Sendable {
  package var identity: ClientIdentity
  package var standing: ClientStanding

  package init(_ identity: ClientIdentity, standing: ClientStanding) {
    self.identity = identity
    self.standing = standing
  }

  /// The most that can be given to a client.
  package struct Ceiling: Hashable, Sendable {
    package var level: AuthorizationLevel
    package var isReduced: Bool

    package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
      self.level = level
      self.isReduced = isReduced
    }

    /// What a person in charge can give.
    package static let everything = Ceiling(.always)
  }

  package var isInCharge: Bool { standing == .inCharge && !identity.realm.isConfined }

  /// Whether it has always whatever is granted.
  package var isExempt: Bool { standing != .asks && !identity.realm.isConfined }

  /// Root alone restricts, and lifts a restriction.
  package var isRoot: Bool { isInCharge && identity.userID == 0 }

  /// Whether its word counts for the client at all, if only to refuse.
  package func hasSay(over client: ClientIdentity) -> Bool {
    if isInCharge { return true }
    guard identity.realm == .own, identity.userID == client.userID else { return false }
    switch client.realm {
    case .flatpak, .snap: return true
    case .own, .service, .container: return false
    }
  }

  /// The most that it can give to the client, where `own` is what the client's user has unconfined; `nil`: nothing.
  package func most(for client: ClientIdentity, own: Ceiling) -> Ceiling? {
    if isInCharge { return .everything }
    guard hasSay(over: client) else { return nil }
    switch own.level {
    case .whenInUse, .always: return own
    case .notDetermined, .restricted, .denied: return nil
    }
  }
}
