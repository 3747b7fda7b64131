import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService

/// A gate whose clock only advances when the test moves it.
struct GateBed {
  static let key = (low: UInt64(0x0706_0504_0302_0100), high: UInt64(0x0F0E_0D0C_0B0A_0908))
  var gate = AccessGate(key: key)
  var now = Instant(nanoseconds: 1_000_000_000_000)
  private let clock = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000)

  mutating func handle(_ input: AccessGate.Input) -> [AccessGate.Action] { gate.handle(input, at: now, clock: clock) }

  mutating func arrive(
    _ id: Int, user: UInt32, _ privilege: ClientPrivilege, presence: ClientPresence = .inUse, canReturn: Bool = true,
    name: String = "test"
  ) {
    arrive(.process(id), user: user, privilege, presence: presence, canReturn: canReturn, name: name)
  }

  mutating func arrive(
    _ id: ClientID, user: UInt32, _ privilege: ClientPrivilege, presence: ClientPresence = .inUse,
    canReturn: Bool = true,
    name: String = "test"
  ) {
    let client = AuthorizationClient(
      ClientIdentity(userID: user), privilege: privilege, presence: presence, canReturn: canReturn,
      usage: DeclaredUsage(whenInUse: "to test", always: "to test at night"), name: name)
    _ = handle(.arrived(id, client))
  }

  mutating func ask(_ id: Int, _ request: ClientRequest) -> [AccessGate.Action] { ask(.process(id), request) }

  mutating func ask(_ id: ClientID, _ request: ClientRequest) -> [AccessGate.Action] {
    handle(.request(id, request)).filter { !$0.isOfRecord }
  }

  /// Makes a decision like root on the command line.
  @discardableResult
  mutating func decide(_ decision: Decision, for user: UInt32) -> [AccessGate.Action] {
    if gate.gatedClient(ClientID.process(99)) == nil { arrive(99, user: 0, .administrator) }
    return handle(
      .request(ClientID.process(99), .authorization(RequestID(77), .decide(ClientIdentity(userID: user), decision))))
  }

  mutating func grants(_ id: Int) -> GrantList {
    for case .send(_, .authorization(_, .grants(let list))) in ask(id, .authorization(RequestID(88), .list)) {
      return list
    }
    return GrantList(isOn: false)
  }

  /// The service sends a fix for a stream.
  mutating func update(_ id: Int, _ request: UInt32, north: Double = 0, speed: Double? = nil) -> ServiceEvent? {
    update(.process(id), request, north: north, speed: speed)
  }

  mutating func update(_ id: ClientID, _ request: UInt32, north: Double = 0, speed: Double? = nil) -> ServiceEvent? {
    var fix = fix(north: north)
    fix.speedMetersPerSecond = speed
    if speed != nil { fix.receivedAt = now }
    return gate.passing(.update(RequestID(request), fix, age: .zero), to: id, at: now)
  }
}

extension AccessGate.Action {
  /// Whether the action is stored or shown, and not sent to a client.
  var isOfRecord: Bool {
    switch self {
    case .keep, .show: true
    case .pass, .send, .confirm, .keepSwitch, .ignored, .reached: false
    }
  }

  var isQuestion: Bool { if case .send(_, .authorization(_, .question)) = self { true } else { false } }
  var isFailure: Bool { if case .send(_, .failed) = self { true } else { false } }
}

func locate(_ id: UInt32) -> ClientRequest { .locate(RequestID(id), OneShotOptions()) }
func stream(_ id: UInt32) -> ClientRequest { .startUpdates(RequestID(id), UpdateOptions()) }

func failed(_ client: Int, _ request: UInt32, _ denial: AuthorizationDenial, user: UInt32? = nil) -> AccessGate.Action {
  let user = user ?? (client == 1 ? 0 : 1001)
  return .send(
    ClientID.process(client),
    .failed(RequestID(request), .notAuthorized(denial, identity: ClientIdentity(userID: user))))
}

func state(_ client: Int, _ request: UInt32, _ level: AuthorizationLevel) -> AccessGate.Action {
  .send(
    ClientID.process(client),
    .authorization(RequestID(request), .state(AuthorizationState(Authorization(level), presence: .inUse))))
}

/// In the center of Zurich, this many meters to the north.
func fix(north: Double = 0) -> PositionFix {
  PositionFix(
    time: GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000), timeValidity: .confirmed,
    receivedAt: Instant(nanoseconds: 999_000_000_000),
    coordinate: Coordinate(
      latitude: Angle(degrees: 47.37 + north / 111_000), longitude: Angle(degrees: 8.54)),
    horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: [.gnss])
}
