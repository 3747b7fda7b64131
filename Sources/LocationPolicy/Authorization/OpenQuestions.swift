import Geodesy

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

  /// In the order of their numbers.
  private(set) var entries: [Entry] = []
  private var lastNumber = 0

  subscript(_ identity: ClientIdentity) -> Entry? { entries.first { $0.question.identity == identity } }
  subscript(_ number: QuestionNumber) -> Entry? { entries.first { $0.question.number == number } }

  /// Opens a question for a request, and says what had to be closed for it; `nil` where there is no room.
  mutating func open(
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
      close(oldest.question.number)
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
    entries.append(Entry(question: question, usage: client.usage, waiting: waiting))
  }

  mutating func close(_ number: QuestionNumber) { entries.removeAll { $0.question.number == number } }

  /// A question that nobody has seen yet is now for always.
  mutating func raise(_ number: QuestionNumber, purpose: String?) {
    guard let index = entries.firstIndex(where: { $0.question.number == number }), entries[index].agents.isEmpty,
      entries[index].question.isFirst
    else { return }
    entries[index].question.kind = .first(wishesAlways: true, offersAlways: true)
    entries[index].question.purpose = purpose
  }

  mutating func wait(_ client: ClientKey, for number: QuestionNumber) {
    guard let index = entries.firstIndex(where: { $0.question.number == number }),
      !entries[index].waiting.contains(client)
    else { return }
    entries[index].waiting.append(client)
  }

  /// A connection is gone: it neither waits nor answers.
  mutating func leave(_ client: ClientKey) {
    for index in entries.indices { entries[index].waiting.removeAll { $0 == client } }
  }

  /// Notes the agents that a question is with now, and says what that changes.
  mutating func put(_ number: QuestionNumber, to agents: [ClientKey]) -> (asked: [ClientKey], withdrawn: [ClientKey]) {
    guard let index = entries.firstIndex(where: { $0.question.number == number }) else { return ([], []) }
    let before = entries[index].agents
    entries[index].agents = agents
    return (agents.filter { !before.contains($0) }, before.filter { !agents.contains($0) })
  }
}

extension Question {
  /// Whether nothing had been decided of the identity.
  var isFirst: Bool {
    if case .first = kind { true } else { false }
  }
}
