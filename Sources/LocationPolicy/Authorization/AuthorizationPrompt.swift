package import Geodesy

/// The number of a prompt; never reused while the service runs, and hardly ever after a restart.
package struct PromptNumber: Hashable, Comparable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  package static func < (a: PromptNumber, b: PromptNumber) -> Bool { a.value < b.value }
}

/// A prompt about one identity.
package struct AuthorizationPrompt: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// There is no decision yet. Always is offered if the client declares it.
    case first(requestsAlways: Bool, offersAlways: Bool)
    /// Upgrade from when-in-use to always; shown once.
    case upgradeToAlways
    /// Whether to keep a provisional always that has been used in the background: the second prompt.
    case keepAlways
    /// Temporary full accuracy, under a grant of reduced accuracy: yes or no.
    case fullAccuracy
  }

  package let number: PromptNumber
  package let identity: ClientIdentity
  package var kind: Kind
  /// What the client needs location for, in its own words.
  package var purpose: String?
  /// The name that the client gives itself; not authenticated.
  package var name: String?
  /// The client's presence when the prompt was opened.
  package let presence: ClientPresence
  /// The proposed accuracy.
  package let isReduced: Bool
  /// When the prompt was opened.
  package let since: Instant

  package init(
    number: PromptNumber, identity: ClientIdentity, kind: Kind, purpose: String?, name: String?,
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

  /// The possible answers, in the order of display.
  package var choices: [PromptAnswer.Choice] {
    switch kind {
    case .first(_, let offersAlways): offersAlways ? [.whileInUse, .always, .once, .no] : [.whileInUse, .once, .no]
    case .upgradeToAlways, .keepAlways: [.whileInUse, .always]
    case .fullAccuracy: [.once, .no]
    }
  }

  /// Whether the client sees that an answer is pending. It does not see the second prompt, only an answer that withdraws something
  /// (Documentation/Behavior.md, "Requests for authorization").
  var isOfRequest: Bool {
    switch kind {
    case .first, .upgradeToAlways, .fullAccuracy: true
    case .keepAlways: false
    }
  }
}

/// A person's answer to a prompt.
package struct PromptAnswer: Hashable, Sendable {
  package enum Choice: UInt8, Hashable, Sendable, CaseIterable {
    /// To the prompts about always: not always.
    case whileInUse = 0
    case always = 1
    /// Until the identity's last client is no longer in use; to the prompt for full accuracy: yes.
    case once = 2
    case no = 3
  }

  package var choice: Choice
  /// `nil`: as the prompt proposes.
  package var isReduced: Bool?

  package init(_ choice: Choice, isReduced: Bool? = nil) {
    self.choice = choice
    self.isReduced = isReduced
  }
}

/// The open prompts, at most one per identity, and the agents that show each.
struct OpenPrompts: Sendable {
  /// Maximum number of open prompts for requests; a new one then replaces the oldest of the kind `.first`.
  static let capacity = 64
  /// Maximum number per user, so that no user displaces the prompts of others.
  static let capacityOfUser = 8

  struct Entry: Sendable {
    var question: AuthorizationPrompt
    /// What the client declared when it asked.
    let usage: DeclaredUsage
    /// The agents that show it.
    var agents: [ClientID] = []
    /// The clients that wait for the answer about full accuracy.
    var waiting: [ClientID] = []
  }

  private var open: [ClientIdentity: Entry] = [:]
  private var lastNumber: Int

  /// - Parameter number: the first prompt gets the next number.
  init(after number: Int) { lastNumber = number }

  /// All entries, the oldest first.
  var entries: [Entry] { open.values.sorted { $0.question.number < $1.question.number } }

  subscript(_ identity: ClientIdentity) -> Entry? { open[identity] }
  subscript(_ number: PromptNumber) -> Entry? { open.values.first { $0.question.number == number } }

  /// Opens a prompt for a request, and returns the prompts that it displaced; `nil` if there is no room.
  mutating func request(
    _ kind: AuthorizationPrompt.Kind, about client: AuthorizationClient, purpose: String?, isReduced: Bool,
    waiting: [ClientID] = [], at now: Instant
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

  /// Opens a prompt that the service itself initiates. There are no more of them than identities.
  mutating func append(
    _ kind: AuthorizationPrompt.Kind, about client: AuthorizationClient, purpose: String?, isReduced: Bool,
    waiting: [ClientID] = [], at now: Instant
  ) {
    lastNumber += 1
    let question = AuthorizationPrompt(
      number: PromptNumber(lastNumber), identity: client.identity, kind: kind, purpose: purpose, name: client.name,
      presence: client.presence, isReduced: isReduced, since: now)
    open[client.identity] = Entry(question: question, usage: client.usage, waiting: waiting)
  }

  mutating func close(_ identity: ClientIdentity) { open[identity] = nil }

  /// Changes a first prompt that no agent shows to one that requests always.
  mutating func raise(_ identity: ClientIdentity, purpose: String) {
    guard var entry = open[identity], entry.agents.isEmpty, entry.question.isFirst else { return }
    entry.question.kind = .first(requestsAlways: true, offersAlways: true)
    entry.question.purpose = purpose
    open[identity] = entry
  }

  mutating func wait(_ client: ClientID, for identity: ClientIdentity) {
    guard open[identity]?.waiting.contains(client) == false else { return }
    open[identity]?.waiting.append(client)
  }

  /// Removes a connection from those that wait for answers: it has ended, or has just arrived.
  mutating func leave(_ client: ClientID) {
    for identity in open.keys { open[identity]?.waiting.removeAll { $0 == client } }
  }

  /// Records the agents that show a prompt now, and returns the changes.
  mutating func put(_ identity: ClientIdentity, to agents: [ClientID]) -> (asked: [ClientID], withdrawn: [ClientID]) {
    guard let before = open[identity]?.agents else { return ([], []) }
    open[identity]?.agents = agents
    return (agents.filter { !before.contains($0) }, before.filter { !agents.contains($0) })
  }
}

extension AuthorizationPrompt {
  /// Whether it is the prompt for the first decision about its identity.
  var isFirst: Bool {
    if case .first = kind { true } else { false }
  }
}

/// The client that answers a prompt, or decides without one, and the most that it can grant.
///
/// An administrator answers for everyone. A user's own unconfined program answers for that user's Flatpak and snap programs, and
/// grants no more than the user has: it could pass its own positions on anyway. A confined program answers for nobody, not even for
/// itself.
package struct PromptResponder: Hashable, Sendable {
  package var identity: ClientIdentity
  package var privilege: ClientPrivilege

  package init(_ identity: ClientIdentity, privilege: ClientPrivilege) {
    self.identity = identity
    self.privilege = privilege
  }

  /// The most that can be granted to a client.
  package struct GrantLimit: Hashable, Sendable {
    package var level: AuthorizationLevel
    package var isReduced: Bool

    package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
      self.level = level
      self.isReduced = isReduced
    }

    /// The most that an administrator can grant.
    package static let everything = GrantLimit(.always)
  }

  package var isAdministrator: Bool { privilege == .administrator && !identity.realm.isConfined }

  /// Whether it has the level always, independent of grants.
  package var isExempt: Bool { privilege != .asks && !identity.realm.isConfined }

  /// Only root can restrict an identity, and lift a restriction.
  package var isRoot: Bool { isAdministrator && identity.userID == 0 }

  /// Whether its decisions count for the client at all, even if only refusals.
  package func hasAuthority(over client: ClientIdentity) -> Bool {
    if isAdministrator { return true }
    guard identity.realm == .own, identity.userID == client.userID else { return false }
    switch client.realm {
    case .flatpak, .snap: return true
    case .own, .service, .container, .network: return false
    }
  }

  /// The most that it can grant to the client, where `own` is the authorization of the client's user when unconfined; `nil`:
  /// nothing.
  package func most(for client: ClientIdentity, own: GrantLimit) -> GrantLimit? {
    if isAdministrator { return .everything }
    guard hasAuthority(over: client) else { return nil }
    switch own.level {
    case .whenInUse, .always: return own
    case .notDetermined, .restricted, .denied: return nil
    }
  }
}
