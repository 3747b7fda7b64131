package import Geodesy

/// Who may know where the machine is: all clients, what was decided for their identities, and the questions that are open
/// (spec/behaviour.md §10, behaviour-details.md §2.10).
///
/// A person in charge has always, and is never asked. Everybody else has what was granted to the identity that the kernel
/// vouches for. A request is answered at once, if only by saying that it is pending: nothing waits for a person.
package struct AuthorizationDesk: Sendable {
  /// More identities are not remembered; the oldest of which nothing has been decided is forgotten for a new one.
  package static let capacity = 512
  /// More clients are not served, which is more than their host connects.
  package static let clientCapacity = 1024
  /// More agents are not asked, nor more of one user who is not in charge.
  package static let agentCapacity = 64
  package static let agentCapacityOfUser = 4

  private struct Client {
    let terms: AuthorizationClient
    var presence: ClientPresence
    var isUsing = false
    var told: Authorization?

    /// Has always, and is never asked.
    var isExempt: Bool { terms.answerer.isExempt }

    /// As it asks now.
    var asking: AuthorizationClient {
      var client = terms
      client.presence = presence
      return client
    }
  }

  package private(set) var isOn = true
  private var clients: [ClientKey: Client] = [:]
  private var agents: [ClientKey: Answerer] = [:]
  private var known: [ClientIdentity: IdentityGrant] = [:]
  private var nextOrder = 0
  private var questions = OpenQuestions()

  package init() {}

  /// When `.wake` is due: when somebody is to be asked whether to keep always.
  package var nextDeadline: Instant? {
    known.compactMap { identity, grant in questions[identity] == nil ? grant.secondQuestionAt : nil }.min()
  }

  /// What is remembered, in no order.
  package var grants: [Grant] { known.compactMap { identity, grant in grant.record.map { Grant(identity, $0) } } }

  /// The questions that wait for an answer, the oldest first, whether or not anybody has been asked.
  package var pending: [Question] { questions.entries.map(\.question) }

  /// What a client may have now; nothing where it never arrived.
  package func authorization(of client: ClientKey) -> Authorization {
    clients[client].map(authorization(of:)) ?? Authorization(.notDetermined)
  }

  /// Takes one input and says what to do about it. `clock` is the time of day, `nil` where it is not to be believed.
  package mutating func handle(_ input: Input, at now: Instant, clock: GNSSTime?) -> [Action] {
    var turn = Turn(now: now, clock: clock)
    noteUse(turn)
    take(input, &turn)
    settle(&turn)
    return turn.actions + turn.answers
  }

  private mutating func take(_ input: Input, _ turn: inout Turn) {
    switch input {
    case .loaded(let grants, let isOn): load(grants, isOn: isOn)
    case .arrived(let key, let client): arrive(key, client.cleaned, &turn)
    case .left(let key):
      clients[key] = nil
      questions.leave(key)
    case .presence(let key, let presence): clients[key]?.presence = presence
    case .requestsWhenInUse(let key): request(always: false, by: key, &turn)
    case .requestsAlways(let key): request(always: true, by: key, &turn)
    case .requestsFullAccuracy(let key, let purpose): requestFullAccuracy(by: key, purpose, &turn)
    case .uses(let key, let isUsing): clients[key]?.isUsing = isUsing
    case .agentArrived(let key, let answerer): agentArrives(key, answerer, &turn)
    case .agentLeft(let key): agents[key] = nil
    case .answered(let number, let answer, let agent): take(answer, to: number, by: agent, &turn)
    case .decided(let identity, let decision, let answerer): decide(decision, for: identity, by: answerer, &turn)
    case .switched(let isOn, let answerer):
      guard answerer.isInCharge else { return turn.actions.append(.refused(.noSay)) }
      guard isOn != self.isOn else { return }
      self.isOn = isOn
      turn.actions.append(.keepSwitch(isOn: isOn))
    case .wake: break
    }
  }

  // MARK: What holds now

  /// What an identity has, whether or not the service is switched on.
  private func level(of identity: ClientIdentity) -> AuthorizationLevel {
    let level = known[identity]?.level ?? .notDetermined
    guard identity.realm != .own, level != .restricted else { return level }
    // Who may not know it has no program that may.
    switch known[identity.owner]?.level {
    case .restricted, .denied: return .denied
    case .notDetermined, .whenInUse, .always, nil: return level
    }
  }

  private func authorization(of client: Client) -> Authorization {
    guard isOn else {
      var off = Authorization(.denied)
      off.isOffForAll = true
      return off
    }
    guard !client.isExempt else { return Authorization(.always) }
    let identity = client.terms.identity
    let grant = known[identity]
    var authorization = Authorization(level(of: identity))
    switch authorization.level {
    case .whenInUse:
      authorization.isReduced = grant?.isReduced == true
      authorization.isAlwaysRefused = grant?.isOnce == false && grant?.hasAskedAlways == true
    case .always: authorization.isReduced = grant?.isReduced == true
    case .notDetermined: authorization.isReduced = client.terms.usage.prefersReduced
    case .restricted, .denied: break
    }
    if let entry = questions[identity], entry.question.isOfRequest {
      authorization.isPending = true
      authorization.canBeAnswered = !entry.agents.isEmpty
    }
    return authorization
  }

  /// Whether a question still asks for something.
  private func isOpen(_ question: Question) -> Bool {
    let grant = known[question.identity]
    return switch (question.kind, level(of: question.identity)) {
    case (.first, .notDetermined): true
    case (.upgradeToAlways, .whenInUse): grant?.isOnce == false && grant?.hasAskedAlways == false
    case (.keepAlways, .always): grant?.isProvisional == true
    case (.fullAccuracy, .whenInUse), (.fullAccuracy, .always): grant?.isReduced == true
    case (.first, _), (.upgradeToAlways, _), (.keepAlways, _), (.fullAccuracy, _): false
    }
  }

  /// The most that an agent can give by answering the question; `nil`: it is not asked.
  private func most(_ agent: Answerer, for question: Question) -> Answerer.Ceiling? {
    let own = known[question.identity.owner]?.ceiling ?? Answerer.Ceiling(.notDetermined)
    guard let most = agent.most(for: question.identity, own: own) else { return nil }
    return switch question.kind {
    case .first: most
    case .upgradeToAlways, .keepAlways: most.level == .always ? most : nil
    case .fullAccuracy: most.isReduced ? nil : most
    }
  }

  private func agents(for question: Question) -> [ClientKey] {
    isOn ? agents.filter { most($0.value, for: question) != nil }.keys.sorted() : []
  }

  // MARK: Coming and going

  private mutating func load(_ grants: [Grant], isOn: Bool) {
    self.isOn = isOn
    // What somebody has decided comes first, should there be too many.
    let decided = grants.filter { $0.record.level != .notDetermined }
    let undecided = grants.filter { $0.record.level == .notDetermined }
    for grant in (decided + undecided).prefix(Self.capacity) {
      known[grant.identity] = IdentityGrant(kept: grant.record, order: nextOrder)
      nextOrder += 1
    }
  }

  private mutating func arrive(_ key: ClientKey, _ client: AuthorizationClient, _ turn: inout Turn) {
    guard clients.count < Self.clientCapacity || clients[key] != nil else {
      return turn.actions.append(.ignored(key, .full))
    }
    questions.leave(key)
    let arriving = Client(terms: client, presence: client.presence)
    clients[key] = arriving
    if client.identity.realm.isOneProgram, !arriving.isExempt { known[client.identity]?.visit(client) }
  }

  private mutating func agentArrives(_ key: ClientKey, _ agent: Answerer, _ turn: inout Turn) {
    guard agent.isInCharge || agent.identity.realm == .own else { return turn.actions.append(.refused(.noSay)) }
    let ofUser = agents.values.filter { !$0.isInCharge && $0.identity.userID == agent.identity.userID }
    let isCrowded = !agent.isInCharge && ofUser.count >= Self.agentCapacityOfUser
    guard agents.count < Self.agentCapacity, !isCrowded else { return turn.actions.append(.refused(.full)) }
    agents[key] = agent
  }

  // MARK: Requests

  private mutating func request(always: Bool, by key: ClientKey, _ turn: inout Turn) {
    guard isOn, let client = clients[key]?.asking, clients[key]?.isExempt == false else { return }
    guard let purpose = always ? client.usage.always : client.usage.whenInUse else {
      return turn.actions.append(.ignored(key, .noDescription))
    }
    guard client.presence == .inUse else { return turn.actions.append(.ignored(key, .notInUse)) }
    let grant = known[client.identity]
    switch (level(of: client.identity), always) {
    case (.notDetermined, _):
      if questions[client.identity] != nil {
        if always { questions.raise(client.identity, purpose: purpose) }
        return
      }
      let kind = Question.Kind.first(wishesAlways: always, offersAlways: client.usage.always != nil)
      open(kind, for: key, client, purpose, isReduced: client.usage.prefersReduced, &turn)
    case (.whenInUse, true):
      guard grant?.isOnce == false else { return turn.actions.append(.ignored(key, .allowedOnce)) }
      guard grant?.hasAskedAlways == false, questions[client.identity] == nil else { return }
      open(.upgradeToAlways, for: key, client, purpose, isReduced: grant?.isReduced == true, &turn)
    case (.whenInUse, false), (.always, _), (.denied, _), (.restricted, _): break
    }
  }

  private mutating func open(
    _ kind: Question.Kind, for key: ClientKey, _ client: AuthorizationClient, _ purpose: String, isReduced: Bool,
    _ turn: inout Turn
  ) {
    guard hasRoom(for: client.identity),
      let closed = questions.request(kind, about: client, purpose: purpose, isReduced: isReduced, at: turn.now)
    else { return turn.actions.append(.ignored(key, .full)) }
    for entry in closed { withdraw(entry, &turn) }
  }

  private mutating func requestFullAccuracy(by key: ClientKey, _ purposeKey: String, _ turn: inout Turn) {
    guard let client = clients[key]?.asking, let authorization = clients[key].map(authorization(of:)) else { return }
    let purpose = ShownText.of(purposeKey).flatMap { client.usage.temporaryFullAccuracy[$0] }
    let entry = questions[client.identity]
    let refusal: FullAccuracyAnswer.Reason? =
      switch authorization.level {
      case .notDetermined, .restricted, .denied: .notAuthorized
      case .whenInUse, .always:
        if !authorization.isReduced {
          .isFull
        } else if client.presence == .background {
          .notInUse
        } else if purpose == nil {
          .noDescription
        } else if let entry, entry.question.kind != .fullAccuracy {
          .otherQuestion
        } else {
          nil
        }
      }
    if let refusal { return turn.answers.append(.fullAccuracyAnswered(key, .promptDeclined(refusal))) }
    if entry != nil { return questions.wait(key, for: client.identity) }
    let closed = questions.request(
      .fullAccuracy, about: client, purpose: purpose, isReduced: false, waiting: [key], at: turn.now)
    guard let closed else {
      return turn.answers.append(.fullAccuracyAnswered(key, .promptDeclined(.otherQuestion)))
    }
    for entry in closed { withdraw(entry, &turn) }
  }

  // MARK: Answers and decisions

  private mutating func take(_ answer: Answer, to number: QuestionNumber, by key: ClientKey, _ turn: inout Turn) {
    guard let entry = questions[number], entry.agents.contains(key), let agent = agents[key],
      let most = most(agent, for: entry.question), makeRoom(for: entry.question.identity, &turn)
    else { return }
    let identity = entry.question.identity
    know(identity)
    known[identity]?.answer(entry.question, answer, most: most, usage: entry.usage, clock: turn.clock)
    questions.close(identity)
    withdraw(entry, except: key, &turn)
    let outcome: FullAccuracyAnswer = known[identity]?.isReduced == true ? .refused : .granted
    for client in entry.waiting { turn.answers.append(.fullAccuracyAnswered(client, outcome)) }
  }

  private mutating func decide(
    _ decision: Decision, for identity: ClientIdentity, by answerer: Answerer, _ turn: inout Turn
  ) {
    if let refusal = refusal(of: decision, for: identity, by: answerer) {
      return turn.actions.append(.refused(refusal))
    }
    guard makeRoom(for: identity, &turn) else { return turn.actions.append(.refused(.full)) }
    know(identity)
    known[identity]?.decide(decision, clock: turn.clock)
  }

  private func refusal(
    of decision: Decision, for identity: ClientIdentity, by answerer: Answerer
  ) -> DecisionRefusal? {
    guard answerer.hasSay(over: identity) else { return .noSay }
    let isRestriction = decision == .restricted || known[identity]?.level == .restricted
    guard !isRestriction || answerer.isRoot else { return .onlyRoot }
    guard let gives = decision.gives else { return nil }
    let own = known[identity.owner]?.ceiling ?? Answerer.Ceiling(.notDetermined)
    guard let most = answerer.most(for: identity, own: own), most.level == .always || gives.level == .whenInUse,
      gives.isReduced || !most.isReduced
    else { return .aboveOwn }
    return nil
  }

  private mutating func know(_ identity: ClientIdentity) {
    guard known[identity] == nil else { return }
    known[identity] = IdentityGrant(order: nextOrder)
    nextOrder += 1
  }

  private func hasRoom(for identity: ClientIdentity) -> Bool {
    known[identity] != nil || known.count < Self.capacity || known.values.contains(where: \.isNotDetermined)
  }

  /// Forgets the oldest of which nothing has been decided, where there would be too many.
  private mutating func makeRoom(for identity: ClientIdentity, _ turn: inout Turn) -> Bool {
    guard known[identity] == nil, known.count >= Self.capacity else { return true }
    let oldest = known.filter(\.value.isNotDetermined).min { $0.value.order < $1.value.order }?.key
    guard let oldest else { return false }
    known[oldest]?.decide(.forget, clock: nil)
    if let news = known[oldest]?.takeNews(of: oldest) { turn.actions.append(news) }
    known[oldest] = nil
    return true
  }

  // MARK: What follows

  private mutating func noteUse(_ turn: Turn) {
    for client in clients.values where client.isUsing && !client.isExempt {
      switch authorization(of: client).level {
      case .whenInUse, .always:
        known[client.terms.identity]?.use(from: client.presence, at: turn.now, clock: turn.clock)
      case .notDetermined, .restricted, .denied: break
      }
    }
  }

  private mutating func settle(_ turn: inout Turn) {
    endUse()
    noteUse(turn)
    for identity in known.keys { known[identity]?.settle(at: turn.now, clock: turn.clock) }
    closeQuestions(&turn)
    askAgain(turn)
    putQuestions(&turn)
    keep(&turn)
    tell(&turn)
  }

  private mutating func endUse() {
    let inUse = Set(clients.values.filter { $0.presence == .inUse && !$0.isExempt }.map(\.terms.identity))
    for identity in known.keys where !inUse.contains(identity) { known[identity]?.leaveUse() }
  }

  /// Closes what other decisions have answered, and what nobody waits for any more.
  private mutating func closeQuestions(_ turn: inout Turn) {
    for entry in questions.entries {
      let isFullAccuracy = entry.question.kind == .fullAccuracy
      let isStillOpen = isOpen(entry.question)
      let canBePut = !isFullAccuracy || !agents(for: entry.question).isEmpty
      guard !isStillOpen || !canBePut || isFullAccuracy && entry.waiting.isEmpty else { continue }
      questions.close(entry.question.identity)
      withdraw(entry, &turn)
      let isGranted = level(of: entry.question.identity) == .whenInUse || level(of: entry.question.identity) == .always
      let answer: FullAccuracyAnswer =
        if isStillOpen { .promptDeclined(isOn ? .nobodyToAsk : .notAuthorized) } else if isGranted { .granted } else {
          .promptDeclined(.notAuthorized)
        }
      for client in entry.waiting { turn.answers.append(.fullAccuracyAnswered(client, answer)) }
    }
  }

  /// The second question, where its time has come.
  private mutating func askAgain(_ turn: Turn) {
    for (identity, grant) in known.sorted(by: { $0.value.order < $1.value.order }) {
      guard let due = grant.secondQuestionAt, turn.now >= due, questions[identity] == nil else { continue }
      let isInUse = clients.values.contains { $0.terms.identity == identity && $0.presence == .inUse }
      let client = AuthorizationClient(
        identity, presence: isInUse ? .inUse : .background, name: grant.record?.name)
      questions.append(
        .keepAlways, about: client, purpose: grant.record?.purpose, isReduced: grant.isReduced, at: turn.now)
    }
  }

  private mutating func putQuestions(_ turn: inout Turn) {
    for entry in questions.entries {
      let change = questions.put(entry.question.identity, to: agents(for: entry.question))
      let withdrawn = change.withdrawn.filter { agents[$0] != nil }
      if !withdrawn.isEmpty { turn.actions.append(.withdraw(entry.question.number, from: withdrawn)) }
      if !change.asked.isEmpty { turn.actions.append(.ask(entry.question, of: change.asked)) }
    }
  }

  private func withdraw(_ entry: OpenQuestions.Entry, except agent: ClientKey? = nil, _ turn: inout Turn) {
    let asked = entry.agents.filter { $0 != agent && agents[$0] != nil }
    if !asked.isEmpty { turn.actions.append(.withdraw(entry.question.number, from: asked)) }
  }

  private mutating func keep(_ turn: inout Turn) {
    for identity in known.sorted(by: { $0.value.order < $1.value.order }).map(\.key) {
      if let news = known[identity]?.takeNews(of: identity) { turn.actions.append(news) }
      if known[identity]?.isEmpty == true { known[identity] = nil }
    }
  }

  private mutating func tell(_ turn: inout Turn) {
    for key in clients.keys.sorted() {
      guard let client = clients[key] else { continue }
      let authorization = authorization(of: client)
      guard authorization != client.told else { continue }
      clients[key]?.told = authorization
      turn.actions.append(.told(key, authorization))
    }
  }
}
