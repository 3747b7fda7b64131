import Geodesy

/// The grants of all identities: those with a decision to store, up to a maximum.
struct IdentityGrants: Sendable {
  /// Maximum number of identities; a new one replaces the oldest for which nothing was decided.
  static let capacity = 512
  /// The numbers of decided identities, in total and of one user, from which on only administrators can decide further ones, so
  /// that no user fills the list for all.
  static let capacityOfOthers = 384
  static let capacityOfUser = 32

  private var known: [ClientIdentity: IdentityGrant] = [:]
  private var nextOrder = 0

  subscript(_ identity: ClientIdentity) -> IdentityGrant? { known[identity] }

  /// All stored grants, unordered.
  var grants: [Grant] { known.compactMap { identity, grant in grant.record.map { Grant(identity, $0) } } }

  /// The level of an identity, whether or not the service is switched on.
  func level(of identity: ClientIdentity) -> AuthorizationLevel {
    let level = known[identity]?.level ?? .notDetermined
    guard identity.realm != .own, level != .restricted else { return level }
    // The programs of a user who is denied access have no access either.
    switch known[identity.owner]?.level {
    case .restricted, .denied: return .denied
    case .notDetermined, .whenInUse, .always, nil: return level
    }
  }

  /// The most that a person can grant to an identity; `nil`: nothing.
  func most(_ answerer: PromptResponder, for identity: ClientIdentity) -> PromptResponder.GrantLimit? {
    answerer.most(for: identity, own: known[identity.owner]?.ceiling ?? PromptResponder.GrantLimit(.notDetermined))
  }

  /// When the next second prompt is due, among the identities without an open prompt.
  func secondQuestionAt(where isFree: (ClientIdentity) -> Bool) -> Instant? {
    known.compactMap { identity, grant in isFree(identity) ? grant.secondQuestionAt : nil }.min()
  }

  /// The identities whose second prompt is due, the oldest identity first.
  func due(at now: Instant) -> [(identity: ClientIdentity, grant: IdentityGrant)] {
    inOrder.filter { _, grant in grant.secondQuestionAt.map { now >= $0 } ?? false }
  }

  private var inOrder: [(identity: ClientIdentity, grant: IdentityGrant)] {
    known.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value) }
  }

  // MARK: Decisions

  /// Loads the stored grants; those with a decision first, in case there are too many.
  mutating func load(_ grants: [Grant]) {
    let decided = grants.filter { $0.record.level != .notDetermined }
    let undecided = grants.filter { $0.record.level == .notDetermined }
    for grant in (decided + undecided).prefix(Self.capacity) {
      known[grant.identity] = IdentityGrant(kept: grant.record, order: nextOrder)
      nextOrder += 1
    }
  }

  /// Why a decision is rejected; `nil`: it is accepted.
  func refusal(of decision: Decision, for identity: ClientIdentity, by answerer: PromptResponder) -> DecisionError? {
    guard answerer.hasAuthority(over: identity) else { return .noAuthority }
    let isRestriction = decision == .restricted || known[identity]?.level == .restricted
    guard !isRestriction || answerer.isRoot else { return .onlyRoot }
    if let gives = decision.gives {
      guard let most = most(answerer, for: identity), most.level == .always || gives.level == .whenInUse,
        gives.isReduced || !most.isReduced
      else { return .aboveOwn }
    }
    return decision == .forget || hasRoom(for: identity, by: answerer) ? nil : .full
  }

  /// Whether there is room for a decision by this person.
  func hasRoom(for identity: ClientIdentity, by answerer: PromptResponder) -> Bool {
    if known[identity].map({ !$0.isNotDetermined }) ?? false { return true }
    let decided = known.filter { !$0.value.isNotDetermined }
    if answerer.isAdministrator { return decided.count < Self.capacity }
    return decided.count < Self.capacityOfOthers
      && decided.count { $0.key.userID == identity.userID } < Self.capacityOfUser
  }

  /// Whether there is room for a prompt about an identity.
  func hasRoom(for identity: ClientIdentity) -> Bool {
    known[identity] != nil || known.count < Self.capacity || known.values.contains(where: \.isNotDetermined)
  }

  /// Changes the grant of an identity, and returns the deletions that make room for it. There has to be room.
  mutating func change(_ identity: ClientIdentity, _ change: (inout IdentityGrant) -> Void)
    -> [AuthorizationStateMachine
    .Action]
  {
    var forgotten: [AuthorizationStateMachine.Action] = []
    if known[identity] == nil, known.count >= Self.capacity,
      let oldest = inOrder.first(where: \.grant.isNotDetermined)
    {
      known[oldest.identity]?.decide(.forget, clock: nil)
      if let event = known[oldest.identity]?.takeChanges(of: oldest.identity) { forgotten.append(event) }
      known[oldest.identity] = nil
    }
    var grant = known[identity] ?? IdentityGrant(order: nextOrder)
    if known[identity] == nil { nextOrder += 1 }
    change(&grant)
    known[identity] = grant
    return forgotten
  }

  /// A program has connected again.
  mutating func visit(_ client: AuthorizationClient) { known[client.identity]?.visit(client) }

  // MARK: Use and time

  mutating func use(_ identity: ClientIdentity, from presence: ClientPresence, at now: Instant, clock: GNSSTime?) {
    known[identity]?.use(from: presence, at: now, clock: clock)
  }

  /// Ends what lasts only while an identity is in use, and computes when second prompts are due.
  mutating func settle(inUse: Set<ClientIdentity>, at now: Instant, clock: GNSSTime?) {
    // In place: this runs for every message of every client.
    var index = known.startIndex
    while index != known.endIndex {
      if !inUse.contains(known.keys[index]) { known.values[index].leaveUse() }
      known.values[index].settle(at: now, clock: clock)
      known.formIndex(after: &index)
    }
  }

  /// The records to store now.
  mutating func takeChanges() -> [AuthorizationStateMachine.Action] {
    var event: [(order: Int, action: AuthorizationStateMachine.Action)] = []
    var empty: [ClientIdentity] = []
    var index = known.startIndex
    while index != known.endIndex {
      if let action = known.values[index].takeChanges(of: known.keys[index]) {
        event.append((known.values[index].order, action))
      }
      if known.values[index].isEmpty { empty.append(known.keys[index]) }
      known.formIndex(after: &index)
    }
    for identity in empty { known[identity] = nil }
    return event.sorted { $0.order < $1.order }.map(\.action)
  }
}
