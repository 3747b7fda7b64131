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
