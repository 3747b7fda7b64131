import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// Invariants for any events: no client has positions without a grant, every client knows its authorization, there is one
/// question per identity, no question is shown twice, and no client waits for an answer that cannot come.
@Suite struct AuthorizationPropertyTests {
  @Test(arguments: 0..<8) func holdsWhateverComes(block: Int) {
    for seed in 0..<1250 {
      var run = RandomDeskRun(seed: UInt64(block * 1250 + seed))
      run.play(inputs: 25)
      guard run.isSound else { return }
    }
  }
}

/// One random transcript, and what its clients and answerers know.
private struct RandomDeskRun {
  private var random: SplitMix64
  private let seed: UInt64
  private var script = DeskScript()
  private(set) var isSound = true

  private var clients: [ClientID: (identity: ClientIdentity, privilege: ClientPrivilege, presence: ClientPresence)] =
    [:]
  private var agents: [ClientID: PromptResponder] = [:]
  private var reported: [ClientID: Authorization] = [:]
  private var kept: [ClientIdentity: GrantRecord] = [:]
  /// The agents to which each question was sent.
  private var asked: [PromptNumber: Set<ClientID>] = [:]
  private var waiting: Set<ClientID> = []
  /// The identities for which the last answer was a yes.
  private var isGranted: Set<ClientIdentity> = []
  /// The identities that were allowed once, and have been in use since.
  private var isAllowedOnce: Set<ClientIdentity> = []
  /// The identities whose question about "always" was answered after the identity was last forgotten.
  private var hasAnsweredAlways: Set<ClientIdentity> = []

  private static let identities: [ClientIdentity] = [
    .bob, .maps, .weather, ClientIdentity(userID: 1001, realm: .snap("maps")),
    ClientIdentity(userID: 1001, realm: .container("box")), ClientIdentity(userID: 1000), ClientIdentity(userID: 0),
  ]
  private static let answerers: [PromptResponder] = [
    .root, .alice, .bob, PromptResponder(.maps, privilege: .administrator), PromptResponder(.weather, privilege: .asks),
  ]
  private static let decisions: [Decision] = [
    .whenInUse(isReduced: false), .whenInUse(isReduced: true), .always(isReduced: false), .always(isReduced: true),
    .denied, .restricted, .forget,
  ]

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  mutating func play(inputs: Int) {
    for _ in 0..<inputs where isSound {
      script.pass(.seconds([0, 1, 3000, 90_000, 200_000][below(5)]))
      if below(10) == 0 { script.clock = below(2) == 0 ? nil : DeskScript.noon + .seconds(below(1_000_000)) }
      wakeWhereDue()
      give(randomInput())
    }
  }

  private mutating func below(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }

  private mutating func one<T>(of choices: [T]) -> T { choices[below(choices.count)] }

  private mutating func fail(_ what: String) {
    isSound = false
    Issue.record("seed \(seed): \(what)")
  }

  private mutating func wakeWhereDue() {
    guard let due = script.desk.nextDeadline, due <= script.now else { return }
    give(.wake)
    if let next = script.desk.nextDeadline, next <= script.now { fail("wants to be woken for ever") }
  }

  private mutating func randomInput() -> AuthorizationStateMachine.Input {
    let key = ClientID.process(below(6))
    let agent = ClientID.process(100 + below(4))
    let identity = one(of: Self.identities)
    switch below(20) {
    case 0, 1, 2:
      let usage = one(of: [DeclaredUsage.both, .whileInUse, .onlyAlways, .reduced, .exactNow, .exactNow, .init()])
      let isAdministrator = identity.realm == .own && identity.userID < 1001
      return .arrived(
        key,
        .of(
          identity, usage, presence: below(4) == 0 ? .background : .inUse,
          privilege: isAdministrator ? .administrator : .asks))
    case 3: return .left(key)
    case 4: return .presence(key, below(2) == 0 ? .background : .inUse)
    case 5, 6: return .requestsWhenInUse(key)
    case 7, 8: return .requestsAlways(key)
    case 9, 10: return .requestsFullAccuracy(key, purposeKey: below(5) == 0 ? "other" : "turns")
    case 11: return .uses(key, below(3) > 0)
    case 12: return agents[agent] == nil ? .agentArrived(agent, one(of: Self.answerers)) : .agentLeft(agent)
    case 13: return .agentLeft(agent)
    case 14, 15, 16, 17:
      let number = one(of: script.desk.pending.map(\.number) + [PromptNumber(below(20))])
      let reduced: Bool? = one(of: [nil, true, false])
      return .answered(number, PromptAnswer(one(of: PromptAnswer.Choice.allCases), isReduced: reduced), by: agent)
    case 18: return .decided(identity, one(of: Self.decisions), by: one(of: Self.answerers))
    case _: return .switched(isOn: below(4) > 0, by: one(of: Self.answerers))
    }
  }

  private mutating func give(_ input: AuthorizationStateMachine.Input) {
    let before = script.desk.pending
    let wasOn = script.desk.isOn
    note(input)
    let actions = script.give(input)
    noteWord(input, actions, before)
    for action in actions { check(action) }
    checkSwitch(input, wasOn: wasOn)
    checkQuestions()
    checkClients()
    checkKept()
  }

  /// Notes which clients exist, as the host knows them.
  private mutating func note(_ input: AuthorizationStateMachine.Input) {
    switch input {
    case .arrived(let key, let client):
      clients[key] = (client.identity, client.privilege, client.presence)
      reported[key] = nil
      waiting.remove(key)
    case .left(let key):
      clients[key] = nil
      reported[key] = nil
      waiting.remove(key)
    case .presence(let key, let presence): clients[key]?.presence = presence
    case .requestsFullAccuracy(let key, _): if clients[key] != nil { waiting.insert(key) }
    case .agentLeft(let key):
      agents[key] = nil
      for number in asked.keys { asked[number]?.remove(key) }
    case .loaded, .describes, .requestsWhenInUse, .requestsAlways, .uses, .agentArrived, .answered, .decided, .switched,
      .configured, .wake:
      break
    }
  }

  /// Notes which answers were given.
  private mutating func noteWord(
    _ input: AuthorizationStateMachine.Input, _ actions: [AuthorizationStateMachine.Action],
    _ before: [AuthorizationPrompt]
  ) {
    let isRefused = actions.contains { if case .refused = $0 { true } else { false } }
    switch input {
    case .agentArrived(let key, let answerer):
      guard !isRefused else { return }
      agents[key] = answerer
    case .decided(let identity, let decision, _):
      guard !isRefused else { return }
      isAllowedOnce.remove(identity)
      switch decision {
      case .whenInUse, .always: isGranted.insert(identity)
      case .denied, .restricted: isGranted.remove(identity)
      case .forget:
        isGranted.remove(identity)
        hasAnsweredAlways.remove(identity)
      }
    case .answered(let number, let answer, let agent):
      guard let question = before.first(where: { $0.number == number }), asked[number]?.contains(agent) == true,
        !script.desk.pending.contains(where: { $0.number == number })
      else { return }
      asked[number]?.remove(agent)
      switch question.kind {
      case .first:
        switch answer.choice {
        case .no: break
        case .once: isAllowedOnce.insert(question.identity)
        case .whileInUse, .always: isGranted.insert(question.identity)
        }
      case .upgradeToAlways, .keepAlways: hasAnsweredAlways.insert(question.identity)
      case .fullAccuracy: break
      }
    case .arrived(_, let client):
      // An update may have made the authorization undetermined, and then every question may be asked again.
      if script.record(client.identity)?.level == .notDetermined { hasAnsweredAlways.remove(client.identity) }
    case .loaded, .left, .presence, .describes, .requestsWhenInUse, .requestsAlways, .requestsFullAccuracy, .uses,
      .agentLeft, .switched, .configured, .wake:
      break
    }
  }

  private mutating func check(_ action: AuthorizationStateMachine.Action) {
    switch action {
    case .ask(let question, let keys):
      if !script.desk.pending.contains(question) { fail("asks what is not pending") }
      for key in keys {
        guard let agent = agents[key] else { return fail("asks who is not there") }
        if !agent.hasAuthority(over: question.identity) || agent.identity.realm.isConfined {
          fail("\(agent) has no say")
        }
        if asked[question.number]?.contains(key) == true { fail("asks twice") }
        asked[question.number, default: []].insert(key)
      }
      if question.kind == .upgradeToAlways, hasAnsweredAlways.contains(question.identity) {
        fail("asks again for always")
      }
    case .withdraw(let number, let keys):
      for key in keys {
        if agents[key] == nil || asked[number]?.contains(key) != true { fail("withdraws what was not asked") }
        asked[number]?.remove(key)
      }
    case .authorizationChanged(let key, let authorization):
      if clients[key] == nil || reported[key] == authorization { fail("tells what is known") }
      reported[key] = authorization
    case .fullAccuracyAnswered(let key, let answer):
      if waiting.remove(key) == nil { fail("answers what was not asked") }
      if answer == .granted, script.desk.authorization(of: key).isReduced { fail("granted, and reduced") }
    case .keep(let identity, let record): kept[identity] = record
    case .ignored, .refused, .keepSwitch: break
    }
  }

  private mutating func checkSwitch(_ input: AuthorizationStateMachine.Input, wasOn: Bool) {
    guard case .switched(let isOn, let answerer) = input else { return }
    if script.desk.isOn != (answerer.isAdministrator ? isOn : wasOn) { fail("switched by \(answerer)") }
  }

  private mutating func checkQuestions() {
    let pending = script.desk.pending
    if Set(pending.map(\.identity)).count != pending.count { fail("two questions for one identity") }
    let open = Set(pending.map(\.number))
    for (number, keys) in asked where !open.contains(number) && !keys.isEmpty { fail("\(number) was not called off") }
    for key in waiting {
      let isOpen = pending.contains { $0.identity == clients[key]?.identity && $0.kind == .fullAccuracy }
      if !isOpen { fail("\(key) waits for nothing") }
    }
  }

  private mutating func checkClients() {
    let inUse = clients.values.filter { $0.presence == .inUse && $0.privilege == .asks }.map(\.identity)
    isAllowedOnce.formIntersection(inUse)
    for (key, client) in clients {
      let authorization = script.desk.authorization(of: key)
      if reported[key] != authorization { fail("\(key) was not told") }
      guard script.desk.isOn else {
        if authorization != .off { fail("\(key) has something of what is off") }
        continue
      }
      guard client.privilege == .asks else {
        if authorization != .level(.always) { fail("who is in charge has less than always") }
        continue
      }
      switch authorization.level {
      case .whenInUse, .always:
        if !isGranted.union(isAllowedOnce).contains(client.identity) { fail("\(client.identity) has no grant") }
      case .notDetermined, .restricted, .denied: if authorization.allows(client.presence) { fail("allows too much") }
      }
      let owner = script.record(client.identity.owner)?.level
      if client.identity.realm != .own, owner == .denied || owner == .restricted, authorization.allows(client.presence)
      {
        fail("has what its user is denied")
      }
      let question = script.desk.pending.first { $0.identity == client.identity && $0.kind != .keepAlways }
      if authorization.isPending != (question != nil) { fail("\(key) does not know that it is pending") }
      let isPut = question.map { asked[$0.number]?.isEmpty == false } ?? false
      if authorization.canBeAnswered != isPut { fail("\(key) does not know who could answer") }
    }
  }

  private mutating func checkKept() {
    func timeless(_ record: GrantRecord) -> GrantRecord {
      var record = record
      record.usedAt = nil
      return record
    }
    let grants = Dictionary(uniqueKeysWithValues: script.desk.grants.map { ($0.identity, timeless($0.record)) })
    if kept.mapValues(timeless) != grants { fail("what is kept is not what holds") }
  }
}
