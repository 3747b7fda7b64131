import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// The rules about pauses and the background for a program that hosts the service itself, as `AccessControl` applies
/// them to a daemon's clients: such a program needs no authorization, but its streams are suspended and pause by the
/// same rules (Documentation/Behavior.md, "Authorization" and "Activity and automatic pause").
///
/// Created with the first stream that may be suspended or pause, or whose updates are deferred; few commands have such a stream.
final class HostedAccess {
  private let loop: EventLoop
  private let service: HostedService
  private unowned let host: EmbeddedHost
  private var gate = AccessGate(key: nil)
  private var clients: Set<ClientID> = []
  private var (presence, canReturn) = (ClientPresence.background, false)
  /// The number of the program in the presence watch.
  private static let program = ClientID.process(0)
  private lazy var watch = PresenceWatch(loop) { [unowned self] in receive($0) }
  private lazy var timer = EarliestTimer(loop) { [unowned self] in handle(.wake) }

  /// - Parameters:
  ///   - known: whether the program is in use, and can be in use again; `nil` to determine this from the system.
  ///   - host: delivers the events.
  init(
    loop: EventLoop, service: HostedService, _ known: (now: ClientPresence, canReturn: Bool)?, host: EmbeddedHost
  ) {
    (self.loop, self.service, self.host) = (loop, service, host)
    handle(.loaded([], isOn: true))
    if let known { (presence, canReturn) = known } else { identify() }
  }

  /// Whether a request is for a stream that may be suspended or pause, or defers the updates of any stream.
  static func concerns(_ request: ClientRequest) -> Bool {
    if case .deferUpdates = request { return true }
    guard case .startUpdates(_, let options) = request else { return false }
    return options.pausesAutomatically || !options.allowsBackground
  }

  /// Handles a request that concerns such a stream, and passes it on when allowed. Returns `false` for any other request.
  func receives(_ request: ClientRequest, from id: ClientID) -> Bool {
    if case .cancel(let number) = request {
      guard gate.hasUse(number, of: id) || gate.hasDeferral(number, of: id) else {
        release()
        return false
      }
    } else {
      guard Self.concerns(request) else {
        release()
        return false
      }
      if clients.insert(id).inserted { arrive(id) }
    }
    if case .deferUpdates = request { gate.hasReceiver = !service.runner.lacksReceiver }
    handle(.request(id, request))
    return true
  }

  /// Takes over a stream that the service has already, so that its updates can be deferred.
  func adopt(_ stream: ClientRequest, of id: ClientID) {
    if clients.insert(id).inserted { arrive(id) }
    for action in gate.handle(.request(id, stream), at: loop.now, clock: nil, present: service.present) {
      // The service is not asked again for what it does.
      if case .pass(_, stream) = action { continue }
      execute(action)
    }
    arm()
  }

  /// Delivers deferred updates, because the service ends, or this program is awake for another reason.
  func release() { if gate.isHolding { handle(.release) } }

  /// Handles an event of such a stream, and sends the client the part that it may receive. Returns `false` for any
  /// other event.
  func receives(_ event: ServiceEvent, for id: ClientID) -> Bool {
    guard gate.concerns(event.request, of: id) else { return false }
    guard case .update = event else {
      handle(.event(id, event))
      return true
    }
    if let event = gate.passing(event, to: id, at: service.present) { host.deliver(event, to: id) }
    if gate.isWakeDue { handle(.wake) }
    return true
  }

  func leave(_ id: ClientID) {
    if clients.remove(id) != nil { handle(.left(id)) }
  }

  // MARK: -

  /// If the system has no information about the program, the program counts as in use, so that nothing is suspended or
  /// paused.
  private func identify() {
    presence = .inUse
    guard let peer = try? ConnectedPeer.ofOwnProcess(), let process = try? peer.identify(),
      let now = try? watch.add(Self.program, process, peer)
    else { return }
    (presence, canReturn) = (now, ClientPresence.canReturn(process))
  }

  private func arrive(_ id: ClientID) {
    let client = AuthorizationClient(
      ClientIdentity(userID: ProcessEnvironment.userID), privilege: .administrator, presence: presence,
      canReturn: canReturn)
    handle(.arrived(id, client))
    service.note(id, isInBackground: presence == .background)
  }

  private func receive(_ event: PresenceWatch.Event) {
    guard case .changed(_, let now) = event else { return }
    presence = now
    for id in clients {
      service.note(id, isInBackground: now == .background)
      handle(.presence(id, now))
    }
  }

  private func handle(_ input: AccessGate.Input) {
    for action in gate.handle(input, at: loop.now, clock: nil, present: service.present) { execute(action) }
    arm()
  }

  private func execute(_ action: AccessGate.Action) {
    switch action {
    case .pass(let id, let request): service.send(request, from: id)
    case .send(let id, let event): host.deliver(event, to: id)
    // No decisions are made here, and no indicator is shown. The answer to a request reports that a limit was
    // reached.
    case .confirm, .keep, .keepSwitch, .show, .ignored, .reached: break
    }
  }

  private func arm() {
    let pauses = service.isVirtual ? nil : gate.nextPauseDeadline
    timer.arm(for: [gate.nextDeadline, pauses].compactMap(\.self).min())
    service.listenForGate(gate.awaitsMovement)
  }
}

extension HostedAccess: ServiceGate {
  var nextPauseDeadline: Instant? { gate.nextPauseDeadline }
  func wake() { handle(.wake) }
  func receive(_ position: PositionFix) { handle(.monitoringFix(position)) }
}
