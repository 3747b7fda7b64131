import Geodesy
import LocationIPC
import LocationPolicy
import Positioning
import TrackFormats
import WireFormats

/// A request to the service, with the type of the replies that it calls for. Only this file knows which events are which replies.
struct ServiceRequest<Reply> {
  /// The message for the service, with the number of the request.
  let message: (RequestID) -> ClientRequest
  /// The reply in an event; `nil` if the event is not one that the request calls for.
  let reply: (ServiceEvent) -> Reply?

  init(_ message: @escaping (RequestID) -> ClientRequest, _ reply: @escaping (ServiceEvent) -> Reply?) {
    self.message = message
    self.reply = reply
  }

  /// The same request with converted replies.
  func map<Converted>(_ convert: @escaping (Reply) -> Converted) -> ServiceRequest<Converted> {
    ServiceRequest<Converted>(message) { [reply] in reply($0).map(convert) }
  }
}

/// An event of a stream of fixes.
enum FixEvent {
  case fix(PositionFix, age: Duration)
  case change(StreamChange)
}

/// An event for the agent that shows authorization prompts.
enum PromptEvent {
  case prompt(LocationPolicy.Question)
  case withdrawn(QuestionNumber)
  /// The service has accepted an answer.
  case accepted
}

// MARK: - Fixes

extension ServiceRequest where Reply == LocatedFix {
  static func fix(_ options: OneShotOptions) -> Self {
    Self({ .locate($0, options) }) {
      guard case .located(_, let fix, let age, let isCached) = $0 else { return nil }
      return LocatedFix(fix, age: age, isCached: isCached)
    }
  }
}

extension ServiceRequest where Reply == FixEvent {
  static func updates(_ options: UpdateOptions) -> Self {
    Self({ .startUpdates($0, options) }) {
      if case .update(_, let fix, let age) = $0 { return .fix(fix, age: age) }
      if case .streamChanged(_, let change) = $0 { return .change(change) }
      return nil
    }
  }
}

extension ServiceRequest where Reply == SkyReport {
  static func sky(waitsForSource: Bool) -> Self {
    Self({ .watchSky($0, waitsForSource: waitsForSource) }) { if case .sky(_, let report) = $0 { report } else { nil } }
  }
}

// MARK: - The service and its devices

extension ServiceRequest where Reply == Void {
  /// A request that the service only carries out or refuses.
  private init(carryingOut message: @escaping (RequestID) -> ClientRequest) {
    self.init(message) { if case .done = $0 { () } else { nil } }
  }

  static func trustDevice(_ selector: String) -> Self { Self(carryingOut: { .trustDevice($0, selector: selector) }) }
  static func forgetDevice(_ selector: String) -> Self { Self(carryingOut: { .forgetDevice($0, selector: selector) }) }
  static func setOwner(_ owner: DeviceOwner, of selector: String) -> Self {
    Self(carryingOut: { .setOwner($0, selector: selector, owner: owner) })
  }
  static func log(_ request: LogRequest) -> Self { Self(carryingOut: { .log($0, request) }) }
  static func wifi(_ request: WiFiRequest) -> Self { Self(carryingOut: { .wifi($0, request) }) }
  static func monitoring(_ request: MonitoringRequest) -> Self { Self(carryingOut: { .monitoring($0, request) }) }
  static func authorization(_ request: AuthorizationRequest) -> Self {
    Self(carryingOut: { .authorization($0, request) })
  }
}

extension ServiceRequest where Reply == [DeviceDescription] {
  static var devices: Self { Self({ .listDevices($0) }) { if case .devices(_, let list) = $0 { list } else { nil } } }
}

extension ServiceRequest where Reply == ServiceStatus {
  static var status: Self { Self({ .status($0) }) { if case .status(_, let status) = $0 { status } else { nil } } }
}

// MARK: - Logs

extension ServiceRequest where Reply == [LogDescription] {
  static var logs: Self {
    Self({ .log($0, .list) }) { if case .log(_, .logs(let logs)) = $0 { logs } else { nil } }
  }
}

extension ServiceRequest where Reply == LogPage {
  /// A page of a log: the first one by `.read`, the following ones by `.readOn`.
  static func logPage(_ request: LogRequest) -> Self {
    Self({ .log($0, request) }) { if case .log(_, .page(let page)) = $0 { page } else { nil } }
  }
}

extension ServiceRequest where Reply == SealedPage {
  /// A page of an encrypted log: the first one by `.readSealed`, the following ones by `.readOn`.
  static func sealedLogPage(_ request: LogRequest) -> Self {
    Self({ .log($0, request) }) { if case .log(_, .sealed(let page)) = $0 { page } else { nil } }
  }
}

// MARK: - Wi-Fi

extension ServiceRequest where Reply == WiFiHearing {
  static var wifiScan: Self { receivedAccessPoints(.scan) }
  static var wifiPosition: Self { receivedAccessPoints(.locate) }

  private static func receivedAccessPoints(_ request: WiFiRequest) -> Self {
    Self({ .wifi($0, request) }) { if case .wifi(_, .heard(let hearing)) = $0 { hearing } else { nil } }
  }
}

extension ServiceRequest where Reply == WiFiAccount {
  static var wifiAccount: Self {
    Self({ .wifi($0, .account) }) { if case .wifi(_, .account(let account)) = $0 { account } else { nil } }
  }
}

extension ServiceRequest where Reply == (places: [KnownAccessPoint], next: BSSID?) {
  static func knownAccessPoints(_ kind: WiFiKnowledge, after address: BSSID?) -> Self {
    Self({ .wifi($0, .read(kind, after: address)) }) {
      if case .wifi(_, .places(let places, let next)) = $0 { (places, next) } else { nil }
    }
  }
}

// MARK: - Monitoring

extension ServiceRequest where Reply == (regions: [MonitoredRegion], next: UInt32?) {
  static func regions(of list: String, from index: UInt32) -> Self {
    Self({ .monitoring($0, .read(list: list, from: index)) }) {
      if case .monitoring(_, .regions(let regions, let next)) = $0 { (regions, next) } else { nil }
    }
  }
}

extension ServiceRequest where Reply == [MonitoringListReport] {
  static var monitoringLists: Self {
    Self({ .monitoring($0, .lists) }) { if case .monitoring(_, .lists(let lists)) = $0 { lists } else { nil } }
  }
}

extension ServiceRequest where Reply == [Visit] {
  static func visits(of list: String, from time: GNSSTime?) -> Self {
    Self({ .monitoring($0, .visits(list: list, from: time)) }) {
      if case .monitoring(_, .visits(let visits)) = $0 { visits } else { nil }
    }
  }
}

extension ServiceRequest where Reply == MonitoringRoom {
  static var monitoringRoom: Self {
    Self({ .monitoring($0, .room) }) { if case .monitoring(_, .room(let room)) = $0 { room } else { nil } }
  }
}

extension ServiceRequest where Reply == (event: MonitoringEvent, list: String) {
  /// The events of all lists that this user may see.
  static var monitoringEvents: Self {
    Self({ .monitoring($0, .follow(list: nil, receives: false)) }) {
      if case .monitoring(_, .event(let event, let list)) = $0 { (event, list) } else { nil }
    }
  }
}

// MARK: - Authorization

extension ServiceRequest where Reply == AuthorizationState {
  static var authorizationChanges: Self {
    Self({ .authorization($0, .watch) }) { if case .authorization(_, .state(let state)) = $0 { state } else { nil } }
  }
}

extension ServiceRequest where Reply == GrantList {
  static var grants: Self {
    Self({ .authorization($0, .list) }) { if case .authorization(_, .grants(let list)) = $0 { list } else { nil } }
  }
}

extension ServiceRequest where Reply == PromptEvent {
  static var prompts: Self {
    Self({ .authorization($0, .serveQuestions) }) {
      if case .authorization(_, .question(let question)) = $0 { return .prompt(question) }
      if case .authorization(_, .withdrawn(let number)) = $0 { return .withdrawn(number) }
      return nil
    }
  }
}
