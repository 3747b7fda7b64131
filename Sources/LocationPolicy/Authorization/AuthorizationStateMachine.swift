package import Geodesy

/// The authorization of all clients: the decisions for their identities, and the open prompts (Documentation/Behavior.md, "Requests
/// for authorization").
///
/// A client that the machine's accounts exempt (an administrator, or a user who can open the receivers) has the level always and
/// causes no prompts. All other clients have what was granted to the identity that the kernel authenticates. Every request is
/// answered at once, if only as pending: no request blocks on a person.
package struct AuthorizationStateMachine: Sendable {
  /// Maximum number of identities; a new one replaces the oldest for which nothing was decided.
  package static let capacity = IdentityGrants.capacity
  /// Maximum number of clients, more than the host connects.
  package static let clientCapacity = 1024
  /// Maximum number of agents: in total; of users who are not administrators; and of one such user.
  package static let agentCapacity = 64
  package static let agentCapacityOfOthers = 48
  package static let agentCapacityOfUser = 4

  private struct Client {
    private(set) var terms: AuthorizationClient
    var presence: ClientPresence
    var isUsing = false
    var reported: Authorization?

    /// Whether it has the level always, and causes no prompts.
    var isExempt: Bool { terms.answerer.isExempt }

    /// Sets the description of the levels that have none.
    mutating func describe(_ purpose: String) {
      let text = SanitizedText.of(purpose)
      terms.usage.whenInUse = terms.usage.whenInUse ?? text
      terms.usage.always = terms.usage.always ?? text
    }

    /// The client with its current presence and usage descriptions.
    var asking: AuthorizationClient {
      var client = terms
      client.presence = presence
      return client
    }
  }

  package private(set) var isOn = true
  /// Whether exempt clients are served while it is not known whether the service is switched on; applies until it is switched.
  package var servesExempt = false
  private var clients: [ClientID: Client] = [:]
  private var agents: [ClientID: PromptResponder] = [:]
  private var known = IdentityGrants()
  private var questions: OpenPrompts

  /// - Parameter number: the first prompt gets the next number. If it differs at each start, a late answer to an earlier prompt
  ///   does not match another one.
  package init(questionsAfter number: Int = 0) { questions = OpenPrompts(after: number) }

  /// When `.wake` is due: at the time of the next second prompt, which asks whether to keep always.
  package var nextDeadline: Instant? {
    known.secondQuestionAt { questions[$0] == nil }
  }

  /// All stored grants, unordered.
  package var grants: [Grant] { known.grants }

  /// The open prompts, the oldest first, shown or not.
  package var pending: [AuthorizationPrompt] { questions.entries.map(\.question) }

  /// A client's current authorization; not determined if the client is not connected.
  package func authorization(of client: ClientID) -> Authorization {
    clients[client].map(authorization(of:)) ?? Authorization(.notDetermined)
  }

  /// Handles one input and returns what the caller has to do. `clock` is the time of day, `nil` if it is not trusted.
  package mutating func handle(_ input: Input, at now: Instant, clock: GNSSTime?) -> [Action] {
    var turn = Turn(instant: now, clock: clock)
    noteUse(turn)
    process(input, &turn)
    settle(&turn)
    return turn.actions + turn.answers
  }

  private mutating func process(_ input: Input, _ turn: inout Turn) {
    switch input {
    case .loaded(let grants, let isOn):
      self.isOn = isOn
      known.load(grants)
    case .arrived(let key, let client): arrive(key, client.cleaned, &turn)
    case .left(let key):
      clients[key] = nil
      questions.leave(key)
    case .presence(let key, let presence): clients[key]?.presence = presence
    case .describes(let key, let purpose): clients[key]?.describe(purpose)
    case .requestsWhenInUse(let key): request(always: false, by: key, &turn)
    case .requestsAlways(let key): request(always: true, by: key, &turn)
    case .requestsFullAccuracy(let key, let purpose): requestFullAccuracy(by: key, purpose, &turn)
    case .uses(let key, let isUsing): clients[key]?.isUsing = isUsing
    case .agentArrived(let key, let answerer): agentArrives(key, answerer, &turn)
    case .agentLeft(let key): agents[key] = nil
    case .answered(let number, let answer, let agent): process(answer, to: number, by: agent, &turn)
    case .decided(let identity, let decision, let answerer): decide(decision, for: identity, by: answerer, &turn)
    case .configured(let identities): configure(identities, &turn)
    case .switched(let isOn, let answerer):
      guard answerer.isAdministrator else { return turn.actions.append(.refused(.noAuthority)) }
      servesExempt = false
      guard isOn != self.isOn else { return }
      self.isOn = isOn
      turn.actions.append(.keepSwitch(isOn: isOn))
    case .wake: break
    }
  }

  // MARK: Current authorization

  private func authorization(of client: Client) -> Authorization {
    guard isOn || servesExempt && client.isExempt else {
      var off = Authorization(.denied)
      off.isOffForAll = true
      return off
    }
    guard !client.isExempt else { return Authorization(.always) }
    let identity = client.terms.identity
    let grant = known[identity]
    var authorization = Authorization(known.level(of: identity))
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

  /// Whether a prompt still has something to decide.
  private func isOpen(_ question: AuthorizationPrompt) -> Bool {
    let grant = known[question.identity]
    return switch (question.kind, known.level(of: question.identity)) {
    case (.first, .notDetermined): true
    case (.upgradeToAlways, .whenInUse): grant?.isOnce == false && grant?.hasAskedAlways == false
    case (.keepAlways, .always): grant?.isProvisional == true
    case (.fullAccuracy, .whenInUse), (.fullAccuracy, .always): grant?.isReduced == true
    case (.first, _), (.upgradeToAlways, _), (.keepAlways, _), (.fullAccuracy, _): false
    }
  }

  /// The most that an agent can grant by answering the prompt; `nil`: the prompt is not shown to it.
  private func most(_ agent: PromptResponder, for question: AuthorizationPrompt) -> PromptResponder.GrantLimit? {
    guard let most = known.most(agent, for: question.identity) else { return nil }
    return switch question.kind {
    case .first: most
    case .upgradeToAlways, .keepAlways: most.level == .always ? most : nil
    case .fullAccuracy: most.isReduced ? nil : most
    }
  }

  private func agents(for question: AuthorizationPrompt) -> [ClientID] {
    isOn ? agents.filter { most($0.value, for: question) != nil }.keys.sorted() : []
  }

  // MARK: Coming and going

  private mutating func arrive(_ key: ClientID, _ client: AuthorizationClient, _ turn: inout Turn) {
    guard clients.count < Self.clientCapacity || clients[key] != nil else {
      return turn.actions.append(.ignored(key, .full))
    }
    questions.leave(key)
    let arriving = Client(terms: client, presence: client.presence)
    clients[key] = arriving
    if client.identity.realm.isOneProgram, !arriving.isExempt { known.visit(client) }
  }

  private mutating func agentArrives(_ key: ClientID, _ agent: PromptResponder, _ turn: inout Turn) {
    guard agent.isAdministrator || agent.identity.realm == .own else {
      return turn.actions.append(.refused(.noAuthority))
    }
    let others = agents.values.filter { !$0.isAdministrator }
    let ofUser = others.filter { $0.identity.userID == agent.identity.userID }
    let isCrowded =
      !agent.isAdministrator && (others.count >= Self.agentCapacityOfOthers || ofUser.count >= Self.agentCapacityOfUser)
    guard agents.count < Self.agentCapacity, !isCrowded else { return turn.actions.append(.refused(.full)) }
    agents[key] = agent
  }

  // MARK: Requests

  private mutating func request(always: Bool, by key: ClientID, _ turn: inout Turn) {
    guard isOn, let client = clients[key]?.asking, clients[key]?.isExempt == false else { return }
    guard let purpose = always ? client.usage.always : client.usage.whenInUse else {
      return turn.actions.append(.ignored(key, .noDescription))
    }
    guard client.presence == .inUse else { return turn.actions.append(.ignored(key, .notInUse)) }
    let grant = known[client.identity]
    switch (known.level(of: client.identity), always) {
    case (.notDetermined, _):
      if questions[client.identity] != nil {
        if always { questions.raise(client.identity, purpose: purpose) }
        return
      }
      let kind = AuthorizationPrompt.Kind.first(requestsAlways: always, offersAlways: client.usage.always != nil)
      open(kind, for: key, client, purpose, isReduced: client.usage.prefersReduced, &turn)
    case (.whenInUse, true):
      guard grant?.isOnce == false else { return turn.actions.append(.ignored(key, .allowedOnce)) }
      guard grant?.hasAskedAlways == false, questions[client.identity] == nil else { return }
      open(.upgradeToAlways, for: key, client, purpose, isReduced: grant?.isReduced == true, &turn)
    case (.whenInUse, false), (.always, _), (.denied, _), (.restricted, _): break
    }
  }

  private mutating func open(
    _ kind: AuthorizationPrompt.Kind, for key: ClientID, _ client: AuthorizationClient, _ purpose: String,
    isReduced: Bool,
    _ turn: inout Turn
  ) {
    guard known.hasRoom(for: client.identity),
      let closed = questions.request(kind, about: client, purpose: purpose, isReduced: isReduced, at: turn.instant)
    else { return turn.actions.append(.ignored(key, .full)) }
    for entry in closed { withdraw(entry, &turn) }
  }

  private mutating func requestFullAccuracy(by key: ClientID, _ purposeKey: String, _ turn: inout Turn) {
    guard let client = clients[key]?.asking, let authorization = clients[key].map(authorization(of:)) else { return }
    let purpose = SanitizedText.of(purposeKey).flatMap { client.usage.temporaryFullAccuracy[$0] }
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
      .fullAccuracy, about: client, purpose: purpose, isReduced: false, waiting: [key], at: turn.instant)
    guard let closed else {
      return turn.answers.append(.fullAccuracyAnswered(key, .promptDeclined(.otherQuestion)))
    }
    for entry in closed { withdraw(entry, &turn) }
  }

  // MARK: Answers and decisions

  private mutating func process(_ answer: PromptAnswer, to number: PromptNumber, by key: ClientID, _ turn: inout Turn) {
    guard let entry = questions[number], entry.agents.contains(key), let agent = agents[key],
      let most = most(agent, for: entry.question), known.hasRoom(for: entry.question.identity, by: agent)
    else { return }
    let identity = entry.question.identity
    turn.actions += known.change(identity) {
      $0.answer(entry.question, answer, most: most, usage: entry.usage, clock: turn.clock)
    }
    questions.close(identity)
    withdraw(entry, except: key, &turn)
    for client in entry.waiting { turn.fullAccuracy.append((client, identity, answer.choice)) }
  }

  private mutating func decide(
    _ decision: Decision, for identity: ClientIdentity, by answerer: PromptResponder, _ turn: inout Turn
  ) {
    if let refusal = known.refusal(of: decision, for: identity, by: answerer) {
      return turn.actions.append(.refused(refusal))
    }
    if decision == .forget, let entry = questions[identity], entry.question.isFirst {
      questions.close(identity)
      withdraw(entry, &turn)
    }
    guard decision != .forget || known[identity] != nil else { return }
    turn.actions += known.change(identity) { $0.decide(decision, clock: turn.clock) }
  }

  private mutating func configure(_ identities: [ClientIdentity], _ turn: inout Turn) {
    for grant in known.grants where grant.isConfigured && !identities.contains(grant.identity) {
      turn.actions += known.change(grant.identity) { $0.decide(.forget, clock: turn.clock) }
    }
    for identity in identities where known[identity]?.isNotDetermined ?? true {
      turn.actions += known.change(identity) { $0.configure(clock: turn.clock) }
    }
  }

  // MARK: Consequences

  private mutating func noteUse(_ turn: Turn) {
    for client in clients.values where client.isUsing && !client.isExempt {
      switch authorization(of: client).level {
      case .whenInUse, .always:
        known.use(client.terms.identity, from: client.presence, at: turn.instant, clock: turn.clock)
      case .notDetermined, .restricted, .denied: break
      }
    }
  }

  private mutating func settle(_ turn: inout Turn) {
    let inUse = Set(clients.values.filter { $0.presence == .inUse && !$0.isExempt }.map(\.terms.identity))
    known.settle(inUse: inUse, at: turn.instant, clock: turn.clock)
    // A client that has just been authorized uses location from now on.
    noteUse(turn)
    known.settle(inUse: inUse, at: turn.instant, clock: turn.clock)
    closeQuestions(&turn)
    askAgain(turn)
    putQuestions(&turn)
    turn.actions += known.takeChanges()
    notifyClients(&turn)
    answerFullAccuracy(&turn)
  }

  /// Closes the prompts that other decisions have answered, and those for full accuracy that no client waits for or no agent can
  /// show any more.
  private mutating func closeQuestions(_ turn: inout Turn) {
    for entry in questions.entries {
      let isFullAccuracy = entry.question.kind == .fullAccuracy
      let isStillOpen = isOpen(entry.question)
      let canBePut = !isFullAccuracy || !agents(for: entry.question).isEmpty
      guard !isStillOpen || !canBePut || isFullAccuracy && entry.waiting.isEmpty else { continue }
      questions.close(entry.question.identity)
      withdraw(entry, &turn)
      let isGranted =
        known.level(of: entry.question.identity) == .whenInUse || known.level(of: entry.question.identity) == .always
      let answer: FullAccuracyAnswer =
        if isStillOpen { .promptDeclined(isOn ? .noAgent : .notAuthorized) } else if isGranted { .granted } else {
          .promptDeclined(.notAuthorized)
        }
      for client in entry.waiting { turn.answers.append(.fullAccuracyAnswered(client, answer)) }
    }
  }

  /// Opens the second prompts that are due.
  private mutating func askAgain(_ turn: Turn) {
    for (identity, grant) in known.due(at: turn.instant) where questions[identity] == nil {
      let isInUse = clients.values.contains { $0.terms.identity == identity && $0.presence == .inUse }
      let client = AuthorizationClient(
        identity, presence: isInUse ? .inUse : .background, name: grant.record?.name)
      questions.append(
        .keepAlways, about: client, purpose: grant.record?.purpose, isReduced: grant.isReduced, at: turn.instant)
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

  /// Comes last: a yes counts only while the client is in use.
  private func answerFullAccuracy(_ turn: inout Turn) {
    for (client, identity, choice) in turn.fullAccuracy {
      let isReduced = known[identity]?.isReduced == true
      let answer: FullAccuracyAnswer =
        if !isReduced { .granted } else if choice == .no { .refused } else { .promptDeclined(.notInUse) }
      turn.answers.append(.fullAccuracyAnswered(client, answer))
    }
  }

  private func withdraw(_ entry: OpenPrompts.Entry, except agent: ClientID? = nil, _ turn: inout Turn) {
    let asked = entry.agents.filter { $0 != agent && agents[$0] != nil }
    if !asked.isEmpty { turn.actions.append(.withdraw(entry.question.number, from: asked)) }
  }

  private mutating func notifyClients(_ turn: inout Turn) {
    for key in clients.keys.sorted() {
      guard let client = clients[key] else { continue }
      let authorization = authorization(of: client)
      guard authorization != client.reported else { continue }
      clients[key]?.reported = authorization
      turn.actions.append(.authorizationChanged(key, authorization))
    }
  }
}
