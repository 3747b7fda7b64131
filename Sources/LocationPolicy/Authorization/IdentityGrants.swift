import Geodesy

/// What all identities have. As many are known as have a decision to be remembered, up to a bound.
struct IdentityGrants: Sendable {
  /// More are not remembered; the oldest of which nothing has been decided is forgotten for a new one.
  static let capacity = 512
  /// So many of them may be decided by people who are not in charge, and so many of one user's: nobody fills the list for all.
  static let capacityOfOthers = 384
  static let capacityOfUser = 32

  private var known: [ClientIdentity: IdentityGrant] = [:]
  private var nextOrder = 0

  subscript(_ identity: ClientIdentity) -> IdentityGrant? { known[identity] }

  /// What is remembered, in no order.
  var grants: [Grant] { known.compactMap { identity, grant in grant.record.map { Grant(identity, $0) } } }

  /// What an identity has, whether or not the service is switched on.
  func level(of identity: ClientIdentity) -> AuthorizationLevel {
    let level = known[identity]?.level ?? .notDetermined
    guard identity.realm != .own, level != .restricted else { return level }
    // Who may not know it has no program that may.
    switch known[identity.owner]?.level {
    case .restricted, .denied: return .denied
    case .notDetermined, .whenInUse, .always, nil: return level
    }
  }

  /// The most that somebody can give to an identity; `nil`: nothing.
  func most(_ answerer: Answerer, for identity: ClientIdentity) -> Answerer.Ceiling? {
    answerer.most(for: identity, own: known[identity.owner]?.ceiling ?? Answerer.Ceiling(.notDetermined))
  }

  /// When somebody is to be asked the second question, where that can be.
  func secondQuestionAt(where isFree: (ClientIdentity) -> Bool) -> Instant? {
    known.compactMap { identity, grant in isFree(identity) ? grant.secondQuestionAt : nil }.min()
  }

  /// Of whom the second question is due, in the order in which they became known.
  func due(at now: Instant) -> [(identity: ClientIdentity, grant: IdentityGrant)] {
    inOrder.filter { _, grant in grant.secondQuestionAt.map { now >= $0 } ?? false }
  }

  private var inOrder: [(identity: ClientIdentity, grant: IdentityGrant)] {
    known.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value) }
  }

  // MARK: Decisions

  /// Takes what was kept, what somebody has decided first, should it be too much.
  mutating func load(_ grants: [Grant]) {
    let decided = grants.filter { $0.record.level != .notDetermined }
    let undecided = grants.filter { $0.record.level == .notDetermined }
    for grant in (decided + undecided).prefix(Self.capacity) {
      known[grant.identity] = IdentityGrant(kept: grant.record, order: nextOrder)
      nextOrder += 1
    }
  }

  /// Why a decision does not count.
  func refusal(of decision: Decision, for identity: ClientIdentity, by answerer: Answerer) -> DecisionRefusal? {
    guard answerer.hasSay(over: identity) else { return .noSay }
    let isRestriction = decision == .restricted || known[identity]?.level == .restricted
    guard !isRestriction || answerer.isRoot else { return .onlyRoot }
    if let gives = decision.gives {
      guard let most = most(answerer, for: identity), most.level == .always || gives.level == .whenInUse,
        gives.isReduced || !most.isReduced
      else { return .aboveOwn }
    }
    return decision == .forget || hasRoom(for: identity, by: answerer) ? nil : .full
  }

  /// Whether there is room for a decision of somebody's.
  func hasRoom(for identity: ClientIdentity, by answerer: Answerer) -> Bool {
    if known[identity].map({ !$0.isNotDetermined }) ?? false { return true }
    let decided = known.filter { !$0.value.isNotDetermined }
    if answerer.isInCharge { return decided.count < Self.capacity }
    return decided.count < Self.capacityOfOthers
      && decided.count { $0.key.userID == identity.userID } < Self.capacityOfUser
  }

  /// Whether there is room to ask about it.
  func hasRoom(for identity: ClientIdentity) -> Bool {
    known[identity] != nil || known.count < Self.capacity || known.values.contains(where: \.isNotDetermined)
  }

  /// Changes what an identity has, and says what else has to be struck out for it. There has to be room.
  mutating func change(_ identity: ClientIdentity, _ change: (inout IdentityGrant) -> Void) -> [AuthorizationDesk
    .Action]
  {
    var forgotten: [AuthorizationDesk.Action] = []
    if known[identity] == nil, known.count >= Self.capacity,
      let oldest = inOrder.first(where: \.grant.isNotDetermined)
    {
      known[oldest.identity]?.decide(.forget, clock: nil)
      if let news = known[oldest.identity]?.takeNews(of: oldest.identity) { forgotten.append(news) }
      known[oldest.identity] = nil
    }
    var grant = known[identity] ?? IdentityGrant(order: nextOrder)
    if known[identity] == nil { nextOrder += 1 }
    change(&grant)
    known[identity] = grant
    return forgotten
  }

  /// A program has come again.
  mutating func visit(_ client: AuthorizationClient) { known[client.identity]?.visit(client) }

  // MARK: Use and time

  mutating func use(_ identity: ClientIdentity, from presence: ClientPresence, at now: Instant, clock: GNSSTime?) {
    known[identity]?.use(from: presence, at: now, clock: clock)
  }

  /// Ends what lasts only while an identity is in use, and finds when second questions are due.
  mutating func settle(inUse: Set<ClientIdentity>, at now: Instant, clock: GNSSTime?) {
    // In place: this goes with every message of every client.
    var index = known.startIndex
    while index != known.endIndex {
      if !inUse.contains(known.keys[index]) { known.values[index].leaveUse() }
      known.values[index].settle(at: now, clock: clock)
      known.formIndex(after: &index)
    }
  }

  /// What is to be kept now.
  mutating func takeNews() -> [AuthorizationDesk.Action] {
    var news: [(order: Int, action: AuthorizationDesk.Action)] = []
    var empty: [ClientIdentity] = []
    var index = known.startIndex
    while index != known.endIndex {
      if let action = known.values[index].takeNews(of: known.keys[index]) {
        news.append((known.values[index].order, action))
      }
      if known.values[index].isEmpty { empty.append(known.keys[index]) }
      known.formIndex(after: &index)
    }
    for identity in empty { known[identity] = nil }
    return news.sorted { $0.order < $1.order }.map(\.action)
  }
}
