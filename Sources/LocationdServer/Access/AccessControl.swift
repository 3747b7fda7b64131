package import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationStore
import LocationdHost
import LocationdRecords
import LocationdService
import Regions

/// The daemon around access control.
protocol AccessHost: AnyObject {
  var service: HostedService { get }
  var server: SocketServer { get }
  /// Programs at TCP ports; `nil`: no port is served.
  var network: NetworkServer? { get }
  /// Addresses to which NMEA 0183 is sent; `nil`: none.
  var targets: NMEATargets? { get }
}

/// Access control for the daemon's clients: identifies clients by kernel credentials, watches whether they are in use,
/// executes the actions of `AccessGate`, stores decisions, and drives the indicator that shows the use of location.
package final class AccessControl {
  private let loop: EventLoop
  private unowned let host: any AccessHost
  let journal: DaemonJournal
  private let lamp: IndicatorOutput
  private let stateFolder: String
  private let grantWriter: GrantWriter?
  var gate: AccessGate
  /// The clients that represent monitoring lists, with their lists and the programs that wait for the events of each
  /// list.
  var monitored: [ClientID: (id: MonitoringListID, list: MonitoringList, receivers: Set<ClientID>)] = [:]
  /// The destinations that get the machine's reduced position beside each exact one.
  var reducing: Set<ClientID> = []
  private var complaints = WarningRateLimiter<ClientIdentity>()
  /// The reduced position that was last passed to `grantWriter`.
  private var keptPlace: ReducedPositionState?
  private lazy var watch = PresenceWatch(loop) { [unowned self] in receive($0) }
  private lazy var timer = EarliestTimer(loop) { [unowned self] in handle(.wake) }

  private var isBatching = false

  var service: HostedService { host.service }

  /// - Parameters:
  ///   - grantWriter: stores decisions; `nil` if they are lost when the process ends.
  ///   - stateFolder: the folder of `grantWriter`.
  ///   - lamp: shows that location is used.
  init(
    loop: EventLoop, host: any AccessHost, journal: DaemonJournal, grantWriter: GrantWriter?, stateFolder: String?,
    lamp: IndicatorOutput
  ) {
    (self.loop, self.host, self.journal, self.grantWriter, self.lamp) = (loop, host, journal, grantWriter, lamp)
    self.stateFolder = stateFolder ?? ""
    // The random start keeps a late answer to a prompt of an earlier daemon from matching a prompt of this daemon.
    gate = AccessGate(key: nil, questionsAfter: .random(in: 0..<1 << 40))
  }

  /// Loads the stored decisions.
  func begin() {
    lamp.show(IndicatorState())
    takeKey()
    guard let kept = grantWriter?.load(for: self) else { return }
    keptPlace = kept.reduced
    if case .unreadable = kept.loss { gate.serveExempt() }
    handle(.loaded(kept.grants, isOn: kept.isOn, kept.reduced))
    if let problem = kept.problem { journal.write(.access(.cannotKeep(problem))) }
    guard let loss = kept.loss else { return }
    journal.write(.access(.lost(loss, isOn: kept.isOn ?? false, refusals: kept.grants.count)))
    if case .damaged = loss { grantWriter?.restart() }
  }

  /// Tries again to load the key, which may have been repaired in the state folder.
  func reload() { takeKey() }

  private func takeKey() {
    guard !gate.canReduce else { return }
    do throws(GridKey.Problem) {
      let (low, high) = try GridKey.load(from: grantWriter == nil ? nil : stateFolder)
      handle(.keyed(low: low, high: high))
    } catch {
      journal.write(.access(.noGrid(error)))
    }
  }

  /// Delivers the updates that clients defer, before the daemon disconnects them.
  func release() {
    guard gate.isHolding else { return }
    handle(.release)
    host.server.flush()
  }

  /// Waits until all decisions are on disk or cannot be written, and clears the indicator.
  func finish() {
    grantWriter?.finish()
    lamp.show(IndicatorState())
  }

  // MARK: - Clients

  /// Handles a client's hello. A client is identified by kernel credentials, not by its own claims; without credentials
  /// all of its requests fail (`AuthorizationDenial.unidentified`).
  func arrive(_ id: ClientID, _ hello: ClientHello, _ peer: consuming ConnectedPeer?) {
    guard let peer else { return journal.write(.access(.unidentified(processID: nil))) }
    let (processID, userID) = (peer.credentials.processID, peer.credentials.userID)
    do throws(PeerError) {
      let authenticatedPeer = try AuthenticatedPeer(peer)
      let presence = try watched(id, authenticatedPeer, peer)
      service.note(id, isInBackground: presence == .background)
      let privilege = authenticatedPeer.privilege
      var client = AuthorizationClient(
        authenticatedPeer.identity, privilege: hello.caller == nil ? privilege : GeoClueRight.privilege(privilege),
        presence: presence,
        canReturn: ClientPresence.canReturn(authenticatedPeer.process), usage: hello.usage, name: hello.name)
      client.takesOnlyReduced = hello.caller?.isReduced == true
      handle(.arrived(id, client))
    } catch {
      // At most one line per minute for each user: a client that exits at once could fill the journal.
      guard complaints.isNew(ClientIdentity(userID: userID), at: loop.now) else { return }
      journal.write(.access(.unidentified(processID: processID)))
    }
  }

  /// Handles new clients at a TCP port, of which the kernel knows the user and the control group.
  func arrive(_ id: ClientID, _ process: PeerProcess, name: String, purpose: String) {
    let presence = watch.add(id, process)
    service.note(id, isInBackground: presence == .background)
    var usage = DeclaredUsage()
    (usage.whenInUse, usage.always) = (purpose, purpose)
    handle(
      .arrived(
        id,
        AuthorizationClient(
          ClientIdentity(process), privilege: ClientPrivilege(process), presence: presence,
          canReturn: ClientPresence.canReturn(process), usage: usage, name: name)))
  }

  /// Runs `body`, which handles input from one client; the service plans its sources once, at the end.
  func batch(_ body: () -> Void) {
    isBatching = true
    service.batch(body)
    isBatching = false
    armTimer()
  }

  func send(_ request: ClientRequest, from id: ClientID) {
    if case .authorization(let number, .decide(let identity, let decision)) = request,
      gate.gatedClient(id)?.client.answerer.isAdministrator == true, takes(decision, from: identity)
    {
      deliver(.failed(number, .notAuthorized(.decision(.byAccount), identity: identity)), to: id)
      return
    }
    if case .deferUpdates = request { gate.hasReceiver = !service.runner.lacksReceiver }
    handle(.request(id, request))
  }

  /// Whether a decision would revoke access that an account provides, and would therefore have no effect.
  private func takes(_ decision: Decision, from identity: ClientIdentity) -> Bool {
    if identity.isDestination { return false }
    return switch decision {
    case .denied, .restricted, .whenInUse, .always(isReduced: true): ClientPrivilege(ofAccount: identity) != .asks
    case .always(isReduced: false), .forget: false
    }
  }

  /// The client as an owner of logs and monitoring lists. `isEntitled` is determined only for a log that the client starts.
  private func owner(of request: ClientRequest, _ client: AuthorizationClient) -> LogOwner {
    var owner = LogOwner(client.identity)
    if case .log(_, .start) = request, client.privilege != .asks {
      owner.isEntitled = ClientPrivilege(ofAccount: client.identity) == .asks
    }
    return owner
  }

  /// Called when a client has disconnected, or a log is no longer recorded.
  package func leave(_ id: ClientID) {
    watch.remove(id)
    reducing.remove(id)
    handle(.left(id))
    service.leave(id)
  }

  /// Fills in a client's identity, its authorization, and whether it is in use.
  func describe(_ id: ClientID, _ status: inout ClientStatus) {
    gate.describe(id, &status)
  }

  // MARK: -

  private func watched(
    _ id: ClientID, _ authenticatedPeer: AuthenticatedPeer, _ peer: consuming ConnectedPeer
  ) throws(PeerError) -> ClientPresence {
    do throws(SystemError) {
      return try watch.add(id, authenticatedPeer.process, peer)
    } catch {
      throw .system(error)
    }
  }

  private func receive(_ event: PresenceWatch.Event) {
    switch event {
    case .changed(let id, let presence):
      service.note(id, isInBackground: presence == .background)
      handle(.presence(id, presence))
      for (list, wanted) in monitored where wanted.receivers.contains(id) {
        handle(.presence(list, self.presence(of: wanted.receivers)))
      }
    // The client's socket closes too, unless another process holds it. The kernel has not authenticated that process;
    // therefore the client's requests end, and further ones fail.
    case .ended(let id):
      handle(.left(id))
      service.leave(id)
    }
  }

  /// Passes an event to its client, which has access to it.
  private func deliver(_ event: ServiceEvent, to client: ClientID) {
    switch client {
    case .process: host.server.send(event, to: client)
    case .network: host.network?.receive(event, for: client)
    case .target: host.targets?.receive(event, for: client)
    case .log: service.logs?.receive(event, for: client)
    case .fleet:
      var reduced: PositionFix?
      if reducing.contains(client), case .update(_, let fix, _) = event { reduced = gate.reduced(fix) }
      service.fleet?.receive(event, reduced: reduced, for: client)
    // Monitoring has its own positions, and lists only represent their owners.
    case .list, .monitoring: break
    }
  }

  /// Writes events that were queued for clients other than the requester, because no turn of the service follows that
  /// would write them. Deferred, so that it does not run while the requester is being answered.
  private func flushSoon() {
    loop.schedule(at: loop.now) { [unowned self] in
      host.server.flush()
      host.network?.flush()
      host.targets?.flush()
    }
  }

  func handle(_ input: AccessGate.Input) {
    var hasToldOthers = false
    for action in gate.handle(input, at: loop.now, clock: WallClock.believable, present: service.present) {
      switch action {
      case .pass(let id, _) where monitored[id] != nil: notifyAllowedClients(id)
      case .send(let id, _) where monitored[id] != nil: break
      case .pass(let id, let request):
        // Nothing is passed on for a client that the kernel did not authenticate.
        guard let client = gate.gatedClient(id)?.client else { continue }
        service.send(request, from: id, of: owner(of: request, client), allowance(of: id))
      case .send(let id, let event):
        deliver(event, to: id)
        hasToldOthers = hasToldOthers || id != input.client
      case .keep(let identity, let record): grantWriter?.keep(.grant(identity, record))
      case .keepSwitch(let isOn):
        grantWriter?.keep(.switched(isOn: isOn))
        journal.write(.access(.switched(isOn: isOn)))
      case .confirm(let id, let request): confirm(request, of: id)
      case .show(let state): lamp.show(state)
      case .reached(let bound): journal.reached(bound)
      case .ignored(let id, let reason):
        guard let (client, _) = gate.gatedClient(id), complaints.isNew(client.identity, at: loop.now) else { continue }
        journal.write(.access(.ignored(name: client.name ?? "", client.identity, reason)))
      }
    }
    keepPlace()
    if hasToldOthers { flushSoon() }
    if !isBatching { armTimer() }
  }

  private func armTimer() {
    let pauses = service.isVirtual ? nil : gate.nextPauseDeadline
    timer.arm(for: Instant.earlier(gate.nextDeadline, pauses))
    service.listenForGate(gate.awaitsMovement)
  }
}

extension AccessControl: ServiceClients {
  /// Sends an event of the service to a client, as far as the client has access to it.
  package func send(_ event: ServiceEvent, to id: ClientID) {
    switch event {
    case .update:
      if let event = gate.passing(event, to: id, at: service.present) { deliver(event, to: id) }
      keepPlace()
      if gate.isWakeDue { handle(.wake) }
    case .sky, .progress, .received:
      // Held updates are delivered first.
      guard !gate.defers(id) else { return handle(.event(id, event)) }
      if let event = gate.passing(event, to: id, at: service.present) { deliver(event, to: id) }
    default: handle(.event(id, event))
    }
  }
}

extension AccessControl: ServiceGate {
  package var nextPauseDeadline: Instant? { gate.nextPauseDeadline }
  package func wake() { handle(.wake) }
  package func receive(_ position: PositionFix) { handle(.monitoringFix(position)) }
}

extension AccessControl: GrantOwner {
  var everything: [GrantChange] {
    gate.grants.map { .grant($0.identity, $0.record) } + [.switched(isOn: gate.isOn)]
      + (gate.reducedPlace.map { [.reduced($0)] } ?? [])
  }

  func receive(_ problem: GrantStorageProblem?) {
    journal.write(.access(problem.map { .cannotKeep($0) } ?? .keptAgain))
  }
}

/// Access checks for connections and limits.
extension AccessControl {
  /// Ranks a client's user at connection time, by the user's account and grants.
  func member(_ peer: borrowing ConnectedPeer) -> ClientBounds.Member {
    let userID = peer.credentials.userID
    if userID == 0 || userID == ProcessEnvironment.userID { return ClientBounds.Member(.administrator, userID: userID) }
    if GeoClueRight.isHeld(byUser: userID) { return ClientBounds.Member(.granted, userID: userID) }
    let rank: ClientBounds.Rank =
      switch ClientPrivilege(ofUser: peer.account) {
      case .administrator: .administrator
      case .entitled: .granted
      case .asks: gate.hasGrant(userID) ? .granted : .untrusted
      }
    return ClientBounds.Member(rank, userID: userID, isInNamespace: peer.hasOwnUsers())
  }

  /// The same for a process at the other end of a TCP connection.
  func member(_ process: PeerProcess) -> ClientBounds.Member {
    let userID = process.credentials.userID
    let rank: ClientBounds.Rank =
      switch ClientPrivilege(process) {
      case .administrator: .administrator
      case .entitled: .granted
      case .asks: gate.hasGrant(userID) ? .granted : .untrusted
      }
    return ClientBounds.Member(rank, userID: userID)
  }

  /// Whether a user has been granted access.
  func hasGrant(_ userID: UInt32) -> Bool { gate.hasGrant(userID) }

  /// Whether a client has been granted access, or needs no grant.
  func isTrusted(_ id: ClientID) -> Bool {
    guard let (client, state) = gate.gatedClient(id) else { return false }
    return client.answerer.isExempt || [.whenInUse, .always].contains(state.authorization.level)
  }

  private func allowance(of id: ClientID) -> MonitoringAllowance { isTrusted(id) ? .granted : .undecided }
}

extension AccessControl {
  /// Stores the reduced position if it has changed, so that it survives a restart.
  private func keepPlace() {
    guard let place = gate.currentReducedPlace(), place != keptPlace else { return }
    keptPlace = place
    grantWriter?.keep(.reduced(place))
  }

  /// Confirms a decision to the client that made it once the decision is on disk, or reports that it was not stored.
  private func confirm(_ request: RequestID, of id: ClientID) {
    guard let grantWriter else { return deliver(.done(request), to: id) }
    var isInTurn = true
    grantWriter.whenKept { [unowned self] problem in
      deliver(problem.map { .failed(request, .notKept(path: stateFolder, $0)) } ?? .done(request), to: id)
      if !isInTurn { flushSoon() }
    }
    isInTurn = false
  }
}

extension LocationFailure {
  fileprivate static func notKept(path: String, _ problem: GrantStorageProblem) -> LocationFailure {
    switch problem {
    case .failed(let reason, let cause): .notKept(path: path, reason: reason, cause)
    case .late(let patience):
      .notKept(path: path, reason: "the disk has not answered for \(patience.components.seconds) seconds", .busy)
    }
  }
}

extension AccessGate.Input {
  /// The client whose input this is: its events are written at the end of the turn.
  fileprivate var client: ClientID? {
    switch self {
    case .request(let id, _), .event(let id, _): id
    case .loaded, .configured, .keyed, .arrived, .left, .presence, .monitors, .monitoringFix, .destination, .release,
      .wake:
      nil
    }
  }
}
