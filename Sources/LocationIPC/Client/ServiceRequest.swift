package import FleetDestinations
package import Geodesy
package import LocationPolicy
import PlacesCore
package import WireFormats

/// A request to the service, with the type of its one reply, or of the events of a subscription. Only this file knows which
/// messages of the service are which replies: the sender of a request receives that type, and nothing else.
package struct ServiceRequest<Reply>: Sendable {
  /// The request as it is sent under a number.
  package let message: @Sendable (RequestID) -> ClientRequest
  private let reply: @Sendable (ServiceEvent) -> Reply?

  fileprivate init(
    _ message: @escaping @Sendable (RequestID) -> ClientRequest, _ reply: @escaping @Sendable (ServiceEvent) -> Reply?
  ) {
    self.message = message
    self.reply = reply
  }

  /// What the service has sent; `nil`: an answer to another kind of request.
  package func event(_ message: ServiceEvent) -> RequestEvent<Reply>? {
    if case .failed(_, let failure) = message { return .failed(failure) }
    if case .progress(_, let progress) = message { return .progress(progress) }
    return reply(message).map { .reply($0) }
  }

  /// The same; an answer to another kind of request ends this one with a failure, because no other answer follows.
  package func eventOrFailure(_ message: ServiceEvent) -> RequestEvent<Reply>? {
    event(message)
      ?? (message.isLast ? .failed(.serviceUnreadable(reason: "it has answered another request")) : nil)
  }

  /// The same request with converted replies.
  package func map<Converted>(
    _ convert: @escaping @Sendable (Reply) -> Converted
  ) -> ServiceRequest<Converted> {
    ServiceRequest<Converted>(message) { [reply] in reply($0).map(convert) }
  }
}

/// What the service sends for a request.
package enum RequestEvent<Reply> {
  case reply(Reply)
  /// What the request is waiting for.
  case progress(LocationProgress)
  /// The request is over.
  case failed(LocationFailure)

  /// The same event with a converted reply.
  package func map<Converted>(_ convert: (Reply) -> Converted) -> RequestEvent<Converted> {
    switch self {
    case .reply(let reply): .reply(convert(reply))
    case .progress(let progress): .progress(progress)
    case .failed(let failure): .failed(failure)
    }
  }
}

extension RequestEvent: Equatable where Reply: Equatable {}
extension RequestEvent: Hashable where Reply: Hashable {}
extension RequestEvent: Sendable where Reply: Sendable {}

/// The answer to a request for one fix.
package struct LocateReply: Hashable, Sendable {
  package var fix: PositionFix
  /// Time from the fix to the answer; the radius of `fix` includes the growth over it.
  package var age: Duration
  /// Whether the fix was computed before the request.
  package var isCached: Bool

  package init(_ fix: PositionFix, age: Duration, isCached: Bool) {
    (self.fix, self.age, self.isCached) = (fix, age, isCached)
  }
}

/// An event of a stream of fixes.
package enum FixEvent: Hashable, Sendable {
  case fix(PositionFix, age: Duration)
  case change(StreamChange)
}

/// An event of a stream of fixes whose client may defer its updates.
package enum DeferrableEvent: Hashable, Sendable {
  case single(FixEvent)
  /// Fixes that were held back, the oldest first; the age of the newest.
  case batch(FixBatch, age: Duration)
}

/// An event for an agent that shows authorization prompts.
package enum PromptEvent: Hashable, Sendable {
  case prompt(AuthorizationPrompt)
  case withdrawn(PromptNumber)
  /// The service has accepted an answer.
  case accepted
}

// MARK: - Fixes

extension ServiceRequest where Reply == LocateReply {
  package static func locate(_ options: OneShotOptions) -> Self {
    Self({ .locate($0, options) }) {
      guard case .located(_, let fix, let age, let isCached) = $0 else { return nil }
      return LocateReply(fix, age: age, isCached: isCached)
    }
  }
}

extension ServiceRequest where Reply == FixEvent {
  package static func updates(_ options: UpdateOptions) -> Self {
    Self({ .startUpdates($0, options) }) {
      if case .update(_, let fix, let age) = $0 { return .fix(fix, age: age) }
      if case .streamChanged(_, let change) = $0 { return .change(change) }
      return nil
    }
  }
}

extension ServiceRequest where Reply == DeferrableEvent {
  package static func deferrableUpdates(_ options: UpdateOptions) -> Self {
    let single = ServiceRequest<FixEvent>.updates(options)
    return Self(single.message) {
      if case .batch(_, let batch, let age) = $0 { return .batch(batch, age: age) }
      return single.reply($0).map { .single($0) }
    }
  }
}

extension ServiceRequest where Reply == SkyReport {
  package static func sky(waitsForSource: Bool) -> Self {
    Self({ .watchSky($0, waitsForSource: waitsForSource) }) { if case .sky(_, let report) = $0 { report } else { nil } }
  }
}

extension ServiceRequest where Reply == [UInt8] {
  /// The receivers' output, as parts of a capture; the first part begins it.
  package static var capture: Self {
    Self({ .listenIn($0) }) { if case .received(_, let lines) = $0 { lines } else { nil } }
  }
}

// MARK: - The service and its devices

extension ServiceRequest where Reply == Void {
  /// A request that the service only carries out or refuses.
  private init(carryingOut message: @escaping @Sendable (RequestID) -> ClientRequest) {
    self.init(message) { if case .done = $0 { () } else { nil } }
  }

  package static func trustDevice(_ selector: String) -> Self {
    Self(carryingOut: { .trustDevice($0, selector: selector) })
  }
  package static func forgetDevice(_ selector: String) -> Self {
    Self(carryingOut: { .forgetDevice($0, selector: selector) })
  }
  package static func setOwner(_ owner: DeviceOwner, of selector: String) -> Self {
    Self(carryingOut: { .setOwner($0, selector: selector, owner: owner) })
  }
  /// Defers the updates of the stream with that number.
  package static func deferUpdates(of stream: RequestID, _ limits: DeferralLimits) -> Self {
    Self(carryingOut: { .deferUpdates($0, of: stream, limits) })
  }
  package static func log(_ request: LogRequest) -> Self { Self(carryingOut: { .log($0, request) }) }
  package static func time(_ request: TimeRequest) -> Self { Self(carryingOut: { .time($0, request) }) }
  package static func fleet(_ request: FleetRequest) -> Self { Self(carryingOut: { .fleet($0, request) }) }
  package static func wifi(_ request: WiFiRequest) -> Self { Self(carryingOut: { .wifi($0, request) }) }
  package static func monitoring(_ request: MonitoringRequest) -> Self {
    Self(carryingOut: { .monitoring($0, request) })
  }
  package static func authorization(_ request: AuthorizationRequest) -> Self {
    Self(carryingOut: { .authorization($0, request) })
  }
}

extension ServiceRequest where Reply == [DeviceDescription] {
  package static var devices: Self {
    Self({ .listDevices($0) }) { if case .devices(_, let list) = $0 { list } else { nil } }
  }
}

extension ServiceRequest where Reply == ServiceStatus {
  package static var status: Self {
    Self({ .status($0) }) { if case .status(_, let status) = $0 { status } else { nil } }
  }
}

// MARK: - Destinations

extension ServiceRequest where Reply == [FleetReport] {
  package static var fleet: Self {
    Self({ .fleet($0, .list) }) { if case .fleet(_, .destinations(let list)) = $0 { list } else { nil } }
  }
}

extension ServiceRequest where Reply == FleetTestResult {
  package static func fleetTest(of name: String) -> Self {
    Self({ .fleet($0, .test(name: name)) }) { if case .fleet(_, .tested(let result)) = $0 { result } else { nil } }
  }
}

// MARK: - Logs

extension ServiceRequest where Reply == [LogDescription] {
  package static var logs: Self {
    Self({ .log($0, .list) }) { if case .log(_, .logs(let logs)) = $0 { logs } else { nil } }
  }
}

extension ServiceRequest where Reply == LogPage {
  /// A page of a log: the first one by `.read` or `.follow`, the following ones by `.readOn` or `.followOn`.
  package static func logPage(_ request: LogRequest) -> Self {
    Self({ .log($0, request) }) { if case .log(_, .page(let page)) = $0 { page } else { nil } }
  }
}

extension ServiceRequest where Reply == EncryptedPage {
  /// A page of an encrypted log: the first one by `.readSealed` or `.followSealed`, the following ones by `.readOn` or `.followOn`.
  package static func sealedLogPage(_ request: LogRequest) -> Self {
    Self({ .log($0, request) }) { if case .log(_, .sealed(let page)) = $0 { page } else { nil } }
  }
}

extension ServiceRequest where Reply == (notes: [StoredNote], next: Int?, damaged: Int) {
  package static func logNotes(_ name: String, from index: Int) -> Self {
    Self({ .log($0, .notes(name: name, from: index)) }) {
      if case .log(_, .notes(let notes, let next, let damaged)) = $0 { (notes, next, damaged) } else { nil }
    }
  }
}

extension ServiceRequest where Reply == LogImportReport {
  /// A part of an import: `.addImported` or `.finishImport`.
  package static func logImport(_ request: LogRequest) -> Self {
    Self({ .log($0, request) }) { if case .log(_, .imported(let report)) = $0 { report } else { nil } }
  }
}

// MARK: - Wi-Fi

extension ServiceRequest where Reply == WiFiObservation {
  package static var wifiScan: Self { receivedAccessPoints(.scan) }
  package static var wifiPosition: Self { receivedAccessPoints(.locate) }

  private static func receivedAccessPoints(_ request: WiFiRequest) -> Self {
    Self({ .wifi($0, request) }) { if case .wifi(_, .received(let observation)) = $0 { observation } else { nil } }
  }
}

extension ServiceRequest where Reply == WiFiAccount {
  package static var wifiAccount: Self {
    Self({ .wifi($0, .account) }) { if case .wifi(_, .account(let account)) = $0 { account } else { nil } }
  }
}

extension ServiceRequest where Reply == (places: [KnownAccessPoint], next: BSSID?) {
  package static func knownAccessPoints(_ kind: AccessPointOrigin, after address: BSSID?) -> Self {
    Self({ .wifi($0, .read(kind, after: address)) }) {
      if case .wifi(_, .places(let places, let next)) = $0 { (places, next) } else { nil }
    }
  }
}

// MARK: - Places

extension ServiceRequest where Reply == [Place] {
  /// The places that the configured server knows.
  package static func places(_ request: PlacesRequest) -> Self {
    Self({ .places($0, request) }) { if case .places(_, let places) = $0 { places } else { nil } }
  }
}

// MARK: - Monitoring

extension ServiceRequest where Reply == MonitoringAnswer? {
  /// A request of any kind about monitoring, and its answers of any kind; `nil`: it was carried out (`.done`).
  package static func anyMonitoring(_ request: MonitoringRequest) -> Self {
    Self({ .monitoring($0, request) }) {
      if case .monitoring(_, let answer) = $0 { return .some(answer) }
      if case .done = $0 { return .some(nil) }
      return nil
    }
  }
}

extension ServiceRequest where Reply == (regions: [MonitoredRegion], next: UInt32?) {
  package static func regions(of list: String, from index: UInt32) -> Self {
    Self({ .monitoring($0, .read(list: list, from: index)) }) {
      if case .monitoring(_, .regions(let regions, let next)) = $0 { (regions, next) } else { nil }
    }
  }
}

extension ServiceRequest where Reply == [MonitoringListReport] {
  package static var monitoringLists: Self {
    Self({ .monitoring($0, .lists) }) { if case .monitoring(_, .lists(let lists)) = $0 { lists } else { nil } }
  }
}

extension ServiceRequest where Reply == [Visit] {
  package static func visits(of list: String, from time: GNSSTime?) -> Self {
    Self({ .monitoring($0, .visits(list: list, from: time)) }) {
      if case .monitoring(_, .visits(let visits)) = $0 { visits } else { nil }
    }
  }
}

extension ServiceRequest where Reply == (visits: [Visit], next: UInt32?) {
  package static func importedVisits(from time: GNSSTime?, index: UInt32) -> Self {
    Self({ .monitoring($0, .importedVisits(from: time, index: index)) }) {
      if case .monitoring(_, .importedVisits(let visits, let next)) = $0 { (visits, next) } else { nil }
    }
  }
}

extension ServiceRequest where Reply == Int {
  /// Deletes visits; the reply is their number.
  package static func removeVisits(of list: String?, from: GNSSTime?, to: GNSSTime?) -> Self {
    Self({ .monitoring($0, .removeVisits(list: list, from: from, to: to)) }) {
      if case .monitoring(_, .removedVisits(let count)) = $0 { count } else { nil }
    }
  }
}

extension ServiceRequest where Reply == (added: Int, known: Int, beyond: Int) {
  package static func importVisits(_ visits: [Visit]) -> Self {
    Self({ .monitoring($0, .importVisits(visits)) }) {
      if case .monitoring(_, .importedCounts(let added, let known, let beyond)) = $0 {
        (added, known, beyond)
      } else {
        nil
      }
    }
  }
}

extension ServiceRequest where Reply == MonitoringQuota {
  package static var monitoringRoom: Self {
    Self({ .monitoring($0, .room) }) { if case .monitoring(_, .room(let room)) = $0 { room } else { nil } }
  }
}

extension ServiceRequest where Reply == (event: MonitoringEvent, list: String) {
  /// The events of all lists that this user may see.
  package static var monitoringEvents: Self {
    Self({ .monitoring($0, .follow(list: nil, receives: false)) }) {
      if case .monitoring(_, .event(let event, let list)) = $0 { (event, list) } else { nil }
    }
  }
}

// MARK: - Authorization

extension ServiceRequest where Reply == AuthorizationState {
  package static var authorizationChanges: Self {
    Self({ .authorization($0, .watch) }) { if case .authorization(_, .state(let state)) = $0 { state } else { nil } }
  }
}

extension ServiceRequest where Reply == FullAccuracyAnswer {
  package static func fullAccuracy(purposeKey: String) -> Self {
    Self({ .authorization($0, .askFullAccuracy(purposeKey: purposeKey)) }) {
      if case .authorization(_, .fullAccuracy(let answer)) = $0 { answer } else { nil }
    }
  }
}

extension ServiceRequest where Reply == GrantList {
  package static var grants: Self {
    Self({ .authorization($0, .list) }) { if case .authorization(_, .grants(let list)) = $0 { list } else { nil } }
  }
}

extension ServiceRequest where Reply == PromptEvent {
  package static var prompts: Self {
    Self({ .authorization($0, .serveQuestions) }) {
      if case .authorization(_, .question(let question)) = $0 { return .prompt(question) }
      if case .authorization(_, .withdrawn(let number)) = $0 { return .withdrawn(number) }
      return nil
    }
  }
}
