import CCoreLocation
import Dispatch
import LocationIPC
import LocationPolicy
import Synchronization

/// The authorization of this process, for all its managers, live updates and sessions: watched through one request if a service
/// provides it.
final class ProcessAuthorization: Sendable {
  /// The shared instance. It looks for a service when it is first asked for the authorization.
  static let shared = ProcessAuthorization()

  /// Maximum wait for the service's first answer, in seconds; the answer usually takes some milliseconds.
  private static let patience = 1.0

  private struct State {
    var known = KnownAuthorization()
    var isBegun = false
    var listeners: [UInt64: @Sendable (AuthorizationState) -> Void] = [:]
    var nextListener: UInt64 = 1
    /// Callbacks that wait until the authorization is known.
    var waiting: [@Sendable (AuthorizationState) -> Void] = []
    /// The program's purpose, if a manager states one.
    var purpose: String?
    /// The closures to call for unanswered requests if the service stops.
    var unanswered: [RequestID: @Sendable () -> Void] = [:]
    /// Whether the program has requested any authorization.
    var hasAsked = false
  }

  private let state = Mutex(State())
  private let conversation = ServiceConversation()
  /// Left once the authorization is known.
  private let isAwaited = DispatchGroup()

  private init() { isAwaited.enter() }

  // MARK: - State

  /// The authorization of this process; `nil`: not known yet. Does not block.
  var known: AuthorizationState? {
    begin()
    return state.withLock { $0.known.current }
  }

  /// The authorization of this process, after waiting at most `patience` for the service's first answer; not determined
  /// if there is none by then.
  var current: AuthorizationState {
    if let known { return known }
    _ = isAwaited.wait(timeout: .now() + Self.patience)
    return state.withLock { $0.known.current }
      ?? AuthorizationState(Authorization(.notDetermined), presence: .inUse)
  }

  /// Calls `body` on every change from now on, on a thread of the service.
  func listen(_ body: @escaping @Sendable (AuthorizationState) -> Void) -> UInt64 {
    state.withLock { state in
      defer { state.nextListener += 1 }
      state.listeners[state.nextListener] = body
      return state.nextListener
    }
  }

  /// Removes a listener. It is not called any more, except by a call already in progress.
  func forget(_ listener: UInt64) { _ = state.withLock { $0.listeners.removeValue(forKey: listener) } }

  /// Calls `body` once the authorization is known.
  func whenKnown(_ body: @escaping @Sendable (AuthorizationState) -> Void) {
    begin()
    let known = state.withLock { state in
      if state.known.current == nil { state.waiting.append(body) }
      return state.known.current
    }
    if let known { body(known) }
  }

  /// Records whether this process can open the receivers that it drives itself.
  func setReadable(_ isReadable: Bool) { handle(.readable(isReadable)) }

  /// Handles the result of a request's search for a service.
  func receive(_ way: LocationService.Backend) {
    switch way {
    case .served:
      handle(.served)
      send(.authorizationChanges, as: LocationService.shared.numbers.next()) { [self] in receive($0) }
      DelayedCall.make(after: Self.patience) { self.handle(.overdue) }
    case .unserved: handle(.unserved)
    case .forbidden(let path):
      UsageWarning.forbiddenService(path: path).emit()
      handle(.forbidden)
    }
  }

  /// Whether a service has reported that the authorization is not determined and will remain so, because the program has not
  /// requested any. `false` if the service has not answered.
  func isUnasked(_ now: AuthorizationState) -> Bool {
    now.authorization.level == .notDetermined && !now.authorization.isPending
      && state.withLock { !$0.hasAsked && $0.known.isAnswered }
  }

  // MARK: - Requests

  /// Sets the purpose that a manager states (`CLLocationManager.purpose`): the description of requests that the Info.plist does not
  /// describe. At most 600 bytes of it are kept; the user sees at most 200.
  func setPurpose(_ purpose: String?) {
    let text = purpose.map { String(decoding: $0.utf8.prefix(600), as: UTF8.self) }
    state.withLock { $0.purpose = text?.isEmpty == true ? nil : text }
  }

  /// Requests a level, if the program describes its purpose. Calls `answered` once the service has accepted the
  /// request; also if there will be no prompt.
  func ask(always: Bool, _ answered: @escaping @Sendable () -> Void = {}) {
    let description = ProgramDescription.shared
    state.withLock { $0.hasAsked = true }
    let missing = description.missingKey(always: always)
    let purpose = missing == nil ? nil : state.withLock { $0.purpose }
    if let missing, purpose == nil {
      UsageWarning.undescribed(key: missing, folder: description.folder).emit()
      return answered()
    }
    guard state.withLock({ $0.known.isServed }) else { return answered() }
    send(.authorization(.ask(always: always, purpose: purpose))) { event in
      if case .failed(.notAuthorized(.notAsked(let reason), _))? = event {
        UsageWarning(reason, always: always)?.emit()
      }
      answered()
    }
  }

  /// Requests temporary full accuracy.
  func askFullAccuracy(purposeKey: String, _ answered: @escaping @Sendable (FullAccuracyAnswer) -> Void) {
    whenKnown { [self] known in
      guard state.withLock({ $0.known.isServed }) else {
        return answered(.promptDeclined(known.isGranted ? .isFull : .notAuthorized))
      }
      if known.authorization.isReduced, ProgramDescription.shared.usage.temporaryFullAccuracy[purposeKey] == nil {
        UsageWarning.undescribedPurpose(key: purposeKey, folder: ProgramDescription.shared.folder).emit()
      }
      send(.fullAccuracy(purposeKey: purposeKey)) { event in
        guard case .reply(let answer)? = event else {
          return answered(.promptDeclined(.noAgent))
        }
        answered(answer)
      }
    }
  }

  // MARK: -

  /// Looks for a service, unless that was done before.
  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else { return }
    LocationService.shared.connect()
    // If a service exists but cannot be reached now, only this timeout reports it.
    guard state.withLock({ $0.known.current == nil }) else { return }
    DelayedCall.make(after: Self.patience) { self.handle(.overdue) }
  }

  /// Sends a request; `answered` gets `nil` if the service stops first.
  private func send<Reply>(
    _ request: ServiceRequest<Reply>, _ answered: @escaping @Sendable (RequestEvent<Reply>?) -> Void
  ) {
    let id = LocationService.shared.numbers.next()
    state.withLock { $0.unanswered[id] = { answered(nil) } }
    send(request, as: id) { [self] event in
      if state.withLock({ $0.unanswered.removeValue(forKey: id) }) != nil { answered(event) }
    }
  }

  private func send<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) {
    conversation.send(request, as: id, receive)
    conversation.flush { [self] in serviceEnded() }
  }

  /// Until the service is reached again, the last state of the authorization remains valid.
  private func serviceEnded() {
    let unanswered = state.withLock { state in
      defer { state.unanswered = [:] }
      return state.unanswered.values.map(\.self)
    }
    for body in unanswered { body() }
  }

  private func receive(_ event: RequestEvent<AuthorizationState>) {
    switch event {
    case .reply(let state): handle(.received(state))
    // The service cannot identify its clients, and grants access to none.
    case .failed(.notAuthorized): handle(.forbidden)
    case .failed: handle(.broken)
    case .progress: break
    }
  }

  private func handle(_ input: KnownAuthorization.Input) {
    let (change, isFirst, waiting, listeners) = state.withLock { state in
      let isFirst = state.known.current == nil
      let change = state.known.handle(input)
      defer { if change != nil { state.waiting = [] } }
      return (change, isFirst, state.waiting, state.listeners.sorted { $0.key < $1.key }.map(\.value))
    }
    guard let change else { return }
    for listener in listeners { listener(change) }
    if isFirst { isAwaited.leave() }
    for body in waiting { body(change) }
  }
}

/// This program's authorization in Apple's types.
extension AuthorizationState {
  var status: CLAuthorizationStatus {
    switch authorization.level {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .denied: .denied
    case .whenInUse: .authorizedWhenInUse
    case .always: .authorizedAlways
    }
  }

  var accuracy: CLAccuracyAuthorization { authorization.isReduced ? .reducedAccuracy : .fullAccuracy }
}

extension DiagnosticFlags {
  /// The flags for missing or less accurate locations.
  init(_ state: AuthorizationState) {
    let diagnostics = AuthorizationDiagnostics(state.authorization, presence: state.presence)
    self = []
    if diagnostics.authorizationDenied { insert(.authorizationDenied) }
    // `authorizationDenied` is set as well, for programs that check only that flag.
    if diagnostics.authorizationDeniedGlobally { formUnion([.authorizationDenied, .authorizationDeniedGlobally]) }
    if diagnostics.authorizationRestricted { insert(.authorizationRestricted) }
    if diagnostics.insufficientlyInUse { insert(.insufficientlyInUse) }
    if diagnostics.authorizationRequestInProgress { insert(.authorizationRequestInProgress) }
    if diagnostics.accuracyLimited { insert(.accuracyLimited) }
    if diagnostics.alwaysAuthorizationDenied { insert(.alwaysAuthorizationDenied) }
  }
}

extension CLError {
  /// The error of an answer; a refusal by the user is not an error.
  init?(_ answer: FullAccuracyAnswer) {
    switch answer {
    case .granted, .refused: return nil
    case .promptDeclined: self.init(.promptDeclined)
    }
  }
}
