import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdService

/// Pauses and the background for a program that hosts the service itself, as `AccessControl` has them for a daemon's clients: nobody
/// else has to allow it anything, but its streams rest and pause by the same rules (Documentation/Behavior.md, "Authorization" and
/// "Activity and automatic pause").
///
/// Begun with the first stream that may rest or pause; a command never has one.
final class HostedAccess {
  private let loop: EventLoop
  private let service: HostedService
  private let tell: (ClientID, ServiceEvent) -> Void
  private var gate = AccessGate(key: nil)
  private var clients: Set<ClientID> = []
  private var (presence, canReturn) = (ClientPresence.background, false)
  /// The program, as the presence watch counts it.
  private static let program = ClientID(0)
  private lazy var watch = PresenceWatch(loop) { [unowned self] in hear($0) }
  private lazy var timer = EarliestTimer(loop) { [unowned self] in feed(.wake) }

  /// - Parameters:
  ///   - known: whether the program is in use, and can be again; `nil`: the system says.
  ///   - tell: carries an event to its client.
  init(
    loop: EventLoop, service: HostedService, _ known: (now: ClientPresence, canReturn: Bool)?,
    tell: @escaping (ClientID, ServiceEvent) -> Void
  ) {
    (self.loop, self.service, self.tell) = (loop, service, tell)
    service.onPosition = { [unowned self] in feed(.noticed($0)) }
    service.setGate(
      deadline: { [unowned self] in gate.nextPauseDeadline }, wake: { [unowned self] in feed(.wake) })
    feed(.loaded([], isOn: true))
    if let known { (presence, canReturn) = known } else { identify() }
  }

  /// Whether a request is for a stream that may rest or pause.
  static func concerns(_ request: ClientRequest) -> Bool {
    guard case .startUpdates(_, let options) = request else { return false }
    return options.pausesAutomatically || !options.allowsBackground
  }

  /// Takes a request, if it is of its concern, and hands it on when it may.
  func takes(_ request: ClientRequest, from id: ClientID) -> Bool {
    if case .cancel(let number) = request {
      guard gate.hasUse(number, of: id) else { return false }
    } else {
      guard Self.concerns(request) else { return false }
      if clients.insert(id).inserted { arrive(id) }
    }
    feed(.request(id, request))
    return true
  }

  /// Takes what the service has for a client, if it is of its concern, and tells it as it may be told.
  func takes(_ event: ServiceEvent, for id: ClientID) -> Bool {
    guard gate.concerns(event.request, of: id) else { return false }
    guard case .update = event else {
      feed(.event(id, event))
      return true
    }
    if let event = gate.passing(event, to: id, at: service.present) { tell(id, event) }
    if gate.hasPauses { feed(.wake) }
    return true
  }

  func leave(_ id: ClientID) {
    if clients.remove(id) != nil { feed(.left(id)) }
  }

  // MARK: -

  /// A program that the system tells nothing of is taken for one in use, where nothing rests or pauses.
  private func identify() {
    presence = .inUse
    guard let peer = try? ConnectedPeer.ofOwnProcess(), let process = try? peer.identify(),
      let now = try? watch.add(Self.program, process, peer)
    else { return }
    (presence, canReturn) = (now, ClientPresence.canReturn(process))
  }

  private func arrive(_ id: ClientID) {
    let client = AuthorizationClient(
      ClientIdentity(userID: ProcessEnvironment.userID), standing: .inCharge, presence: presence, canReturn: canReturn)
    feed(.arrived(id, client))
    service.note(id, isInBackground: presence == .background)
  }

  private func hear(_ news: PresenceWatch.News) {
    guard case .changed(_, let now) = news else { return }
    presence = now
    for id in clients {
      service.note(id, isInBackground: now == .background)
      feed(.presence(id, now))
    }
  }

  private func feed(_ input: AccessGate.Input) {
    for action in gate.handle(input, at: loop.now, clock: nil, present: service.present) {
      switch action {
      case .pass(let id, let request): service.send(request, from: id)
      case .tell(let id, let event): tell(id, event)
      // Nobody decides anything here, and nothing is shown. A bound that this program reaches is an answer to its request.
      case .confirm, .keep, .keepSwitch, .show, .ignored, .reached: break
      }
    }
    let pauses = service.isVirtual ? nil : gate.nextPauseDeadline
    timer.arm(for: [gate.nextDeadline, pauses].compactMap(\.self).min())
    service.listenForGate(gate.awaitsMovement)
  }
}
