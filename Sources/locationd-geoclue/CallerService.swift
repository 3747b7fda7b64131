import Geodesy
import GeoClueBridge
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient

/// A connection to the service on behalf of one caller: its authorization, and its positions.
final class CallerService {
  enum Event {
    case authorization(AuthorizationAnswerState)
    case asked
    case fix(PositionFix)
    case failed(isUnreachable: Bool)

    func input(for client: Int) -> BridgeInput {
      switch self {
      case .authorization(let state): .authorization(client: client, state)
      case .asked: .asked(client: client)
      case .fix(let fix): .fix(client: client, fix)
      case .failed(let isUnreachable): .failed(client: client, isUnreachable: isUnreachable)
      }
    }
  }

  /// A fix of the service that is not older answers at once.
  private static let longestAge: Duration = .seconds(30)
  /// What is good enough for a coarse position: the sources that give it need little power.
  private static let coarseRadius = Meters(3000)

  private let client: SocketClient
  private let requests: ServiceRequests
  private let deliver: (Event) -> Void
  private var isClosed = false

  /// `nil`: the service cannot be reached, or there is no caller.
  init?(_ loop: EventLoop, _ caller: BridgedCaller?, name: String, _ receive: @escaping (Event) -> Void) {
    // GeoClue's programs state no purpose; the person who is asked sees the name that the program has given.
    let purpose = "\(name) asks through GeoClue"
    guard let caller,
      let client = try? ServiceSocket.connect(
        on: loop,
        ClientHello(
          versions: BridgedCaller.firstVersion...ProtocolVersion.current, name: name,
          usage: DeclaredUsage(whenInUse: purpose, always: purpose), onBehalfOf: caller))
    else { return nil }
    self.client = client
    deliver = receive
    requests = ServiceRequests { client.send($0) }
    client.begin(for: self)
    requests.send(.authorizationChanges) { [unowned self] event in
      switch event {
      case .reply(let state):
        self.receive(.authorization(AuthorizationAnswerState(state.authorization, state.presence)))
      case .progress: break
      case .failed(let failure): fail(failure)
      }
    }
  }

  /// Asks a person for access.
  func ask() {
    requests.send(.authorization(.ask(always: false))) { [unowned self] event in
      if case .progress = event { return }
      receive(.asked)
    }
  }

  /// Requests a position that is known already, and those to come.
  func update(isReduced: Bool) {
    let locating = OneShotOptions(
      timeout: .seconds(2), maximumAge: Self.longestAge, waitsForSource: false, whenNotDetermined: .fails)
    requests.send(.locate(locating)) { [unowned self] event in
      if case .reply(let reply) = event, !reply.isCached || reply.age <= Self.longestAge { receive(.fix(reply.fix)) }
    }
    let options = UpdateOptions(
      waitsForSource: true, whenNotDetermined: .fails, sufficientRadius68: isReduced ? Self.coarseRadius : nil)
    requests.send(.updates(options)) { [unowned self] event in
      switch event {
      case .reply(.fix(let fix, _)): receive(.fix(fix))
      case .reply(.change), .progress: break
      case .failed(let failure): fail(failure)
      }
    }
  }

  /// Delivers nothing from now on.
  func close() { isClosed = true }

  private func receive(_ event: Event) { if !isClosed { deliver(event) } }

  private func fail(_ failure: LocationFailure) {
    if case .notAuthorized = failure { return receive(.failed(isUnreachable: false)) }
    receive(.failed(isUnreachable: true))
  }
}

extension CallerService: SocketClientObserver {
  func receive(_ event: ServiceEvent) { requests.receive(event) }
  func receive(_ refusal: DisconnectReason) {}
}

/// Which accuracy the machine's sources can have, by the devices that the service knows.
final class SourceWatch {
  private let client: SocketClient?
  private let requests: ServiceRequests?
  private let receive: (AccuracyLevel) -> Void

  init(_ loop: EventLoop, _ receive: @escaping (AccuracyLevel) -> Void) {
    self.receive = receive
    let connected = try? ServiceSocket.connect(on: loop, ClientHello(name: "locationd-geoclue"))
    client = connected
    requests = connected.map { client in ServiceRequests { client.send($0) } }
    guard let client, let requests else { return }
    client.begin(for: requests)
    refresh()
  }

  /// Asks the service again.
  func refresh() {
    requests?.send(.status) { [unowned self] event in
      if case .reply(let status) = event { receive(Self.level(of: status)) }
    }
  }

  /// A source that is no device, such as a recording, counts as a receiver: Qt's programs give up at less.
  private static func level(of status: ServiceStatus) -> AccuracyLevel {
    guard status.isOn else { return .none }
    let hasReceiver = status.devices.contains { $0.kind != .adapter }
    if hasReceiver || status.source != "auto" { return .exact }
    return status.wifi == nil ? .city : .street
  }
}
