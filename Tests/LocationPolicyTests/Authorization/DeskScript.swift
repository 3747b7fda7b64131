import Geodesy
import LocationPolicy
import Testing

/// An authorization state machine with its time, and the people in the transcripts.
struct DeskScript {
  var desk = AuthorizationStateMachine()
  var now = Instant.start
  /// `nil`: not reliable.
  var clock: GNSSTime? = DeskScript.noon

  static let noon = GNSSTime(nanosecondsSince1970: 1_795_262_400_000_000_000)

  /// A client in use that requests authorization, and an agent of an administrator.
  static func asking(_ client: AuthorizationClient = .of()) throws -> DeskScript {
    var script = DeskScript()
    #expect(script.give(.agentArrived(.agent, .alice)) == [])
    try #require(script.give(.arrived(.app, client)).count == 1)
    return script
  }

  /// Sends a request, and answers the resulting question.
  mutating func answer(
    _ request: AuthorizationStateMachine.Input, _ choice: PromptAnswer.Choice, isReduced: Bool? = nil
  ) throws -> [AuthorizationStateMachine.Action] {
    _ = give(request)
    let question = try #require(desk.pending.first)
    return give(.answered(question.number, PromptAnswer(choice, isReduced: isReduced), by: .agent))
  }

  mutating func give(_ input: AuthorizationStateMachine.Input) -> [AuthorizationStateMachine.Action] {
    desk.handle(input, at: now, clock: clock)
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    clock = clock.map { $0 + duration }
  }

  /// The record of an identity.
  func record(_ identity: ClientIdentity) -> GrantRecord? { desk.grants.first { $0.identity == identity }?.record }

  func level(_ client: ClientID) -> AuthorizationLevel { desk.authorization(of: client).level }
}

extension ClientID {
  static let app = ClientID.process(1)
  static let second = ClientID.process(2)
  static let third = ClientID.process(3)
  static let agent = ClientID.process(101)
  static let otherAgent = ClientID.process(102)
}

extension ClientIdentity {
  static let bob = ClientIdentity(userID: 1001)
  static let maps = ClientIdentity(userID: 1001, realm: .flatpak("org.gnome.Maps"))
  static let weather = ClientIdentity(userID: 990, realm: .service("weather.service"))
}

extension PromptResponder {
  static let root = PromptResponder(ClientIdentity(userID: 0), privilege: .administrator)
  /// A member of the group `location`.
  static let alice = PromptResponder(ClientIdentity(userID: 1000), privilege: .administrator)
  static let bob = PromptResponder(.bob, privilege: .asks)
}

extension DeclaredUsage {
  static let both = DeclaredUsage(whenInUse: "Shows the way", always: "Warns of weather")
  static let whileInUse = DeclaredUsage(whenInUse: "Shows the way")
  static let onlyAlways = DeclaredUsage(always: "Warns of weather")

  static let reduced = with(.both) { $0.prefersReduced = true }
  static let exactNow = with(.both) { $0.temporaryFullAccuracy = ["turns": "Turn by turn"] }

  static func with(_ usage: DeclaredUsage, _ change: (inout DeclaredUsage) -> Void) -> DeclaredUsage {
    var usage = usage
    change(&usage)
    return usage
  }
}

extension AuthorizationClient {
  static func of(
    _ identity: ClientIdentity = .maps, _ usage: DeclaredUsage = .both, presence: ClientPresence = .inUse,
    privilege: ClientPrivilege = .asks
  ) -> AuthorizationClient {
    AuthorizationClient(identity, privilege: privilege, presence: presence, usage: usage, name: "Maps")
  }
}

extension Authorization {
  static func level(
    _ level: AuthorizationLevel, reduced: Bool = false, pending: Bool = false, answerable: Bool = false,
    alwaysRefused: Bool = false
  ) -> Authorization {
    var authorization = Authorization(level)
    authorization.isReduced = reduced
    authorization.isPending = pending
    authorization.canBeAnswered = answerable
    authorization.isAlwaysRefused = alwaysRefused
    return authorization
  }

  static let off = {
    var authorization = Authorization(.denied)
    authorization.isOffForAll = true
    return authorization
  }()
}

extension Duration {
  static let day = Duration.seconds(86_400)
}
