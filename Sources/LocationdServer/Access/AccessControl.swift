import Geodesy
import LinuxIO
import LocationIPC
package import LocationPolicy
import LocationStore
import LocationdRecords
import LocationdService
import Regions

/// Access control for the daemon's clients: identifies clients by kernel credentials, watches whether they are in use, executes
/// the actions of `AccessGate`, stores decisions, and drives the indicator that shows use of location.
final class AccessControl {
  private let loop: EventLoop
  private let service: HostedService
  private let lamp: IndicatorLamp
  private let stateFolder: String
  private let book: GrantBook?
  private var gate: AccessGate
  /// Pseudo-clients that stand for monitoring lists, and the programs that wait for events of each list.
  private var monitored: [ClientID: (id: MonitoringListID, list: MonitoringList, receivers: Set<ClientID>)] = [:]
  private var complaints = ComplaintPace<ClientIdentity>()
  /// The reduced position that was last passed to `book`.
  private var keptPlace: ReducedPlace?
  private lazy var watch = PresenceWatch(loop) { [unowned self] in hear($0) }
  private lazy var timer = EarliestTimer(loop) { [unowned self] in feed(.wake) }

  /// Sends an event to its client.
  var onEvent: ((ClientID, ServiceEvent) -> Void)?
  /// Called when events were queued for clients other than the requester, and no service turn follows that would flush them.
  var onOthersTold: (() -> Void)?
  /// Called when a request is refused because a limit is reached.
  var onBoundReached: ((ServiceBound) -> Void)?
  private var isBatching = false
  /// Receives events for the journal.
  var onNews: ((AccessNews) -> Void)?

  /// - Parameters:
  ///   - stateFolder: where decisions are stored; `nil`: they are lost when the process ends.
  ///   - lamp: shows that location is used.
  init(loop: EventLoop, service: HostedService, stateFolder: String?, lamp: IndicatorLamp) throws(SystemError) {
    self.loop = loop
    self.service = service
    self.lamp = lamp
    self.stateFolder = stateFolder ?? ""
    book = if let stateFolder { try GrantBook(loop: loop, stateFolder: stateFolder) } else { nil }
    // The random start keeps a late answer to a prompt of a previous daemon from matching a prompt of this one.
    gate = AccessGate(key: nil, questionsAfter: .random(in: 0..<1 << 40))
    book?.onProblem = { [unowned self] in onNews?($0.map { .cannotKeep($0) } ?? .keptAgain) }
    book?.everything = { [unowned self] in
      gate.grants.map { .grant($0.identity, $0.record) } + [.switched(isOn: gate.isOn)]
        + (gate.reducedPlace.map { [.reduced($0)] } ?? [])
    }
    service.onPosition = { [unowned self] in feed(.noticed($0)) }
    service.setGate(
      deadline: { [unowned self] in gate.nextPauseDeadline }, wake: { [unowned self] in feed(.wake) })
    lamp.onProblem = { [weak self] in self?.onNews?(.cannotShow($0)) }
  }

  /// Loads the stored decisions.
  func begin() {
    lamp.show(IndicatorState())
    takeKey()
    guard let kept = book?.load() else { return }
    keptPlace = kept.reduced
    if case .unreadable = kept.loss { gate.serveExempt() }
    feed(.loaded(kept.grants, isOn: kept.isOn, kept.reduced))
    if let problem = kept.problem { onNews?(.cannotKeep(problem)) }
    guard let loss = kept.loss else { return }
    onNews?(.lost(loss, isOn: kept.isOn ?? false, refusals: kept.grants.count))
    if case .damaged = loss { book?.beginAnew() }
  }

  /// Tries again to load what could not be loaded from the state folder and may have been repaired.
  func reload() { takeKey() }

  private func takeKey() {
    guard !gate.canReduce else { return }
    do throws(GridKey.Problem) {
      let (low, high) = try GridKey.load(from: book == nil ? nil : stateFolder)
      feed(.keyed(low: low, high: high))
    } catch {
      onNews?(.noGrid(error))
    }
  }

  /// Waits until all decisions are on the disk.
  func finish() {
    book?.finish()
    lamp.show(IndicatorState())
  }

  // MARK: - Clients

  /// Handles a client's hello. Kernel credentials identify the client, not its own claims; without them it gets no answer.
  func arrive(_ id: ClientID, _ hello: ClientHello, _ peer: consuming ConnectedPeer?) {
    guard let peer else { return onNews?(.unidentified(processID: nil)) ?? () }
    let (processID, userID) = (peer.credentials.processID, peer.credentials.userID)
    do throws(PeerError) {
      let vouched = try VouchedClient(peer)
      let presence = try watched(id, vouched, peer)
      service.note(id, isInBackground: presence == .background)
      feed(
        .arrived(
          id,
          AuthorizationClient(
            vouched.identity, standing: vouched.standing, presence: presence,
            canReturn: ClientPresence.canReturn(vouched.process), usage: hello.usage, name: hello.name)))
    } catch {
      // One line a minute for each user: a client that exits at once could fill the journal.
      guard complaints.isNew(ClientIdentity(userID: userID), at: loop.now) else { return }
      onNews?(.unidentified(processID: processID))
    }
  }

  /// Runs `body`, which handles input from one client; the service plans once, at the end.
  func batch(_ body: () -> Void) {
    isBatching = true
    service.batch(body)
    isBatching = false
    armTimer()
  }

  func send(_ request: ClientRequest, from id: ClientID) {
    if case .authorization(let number, .decide(let identity, let decision)) = request,
      gate.visitor(id)?.client.answerer.isInCharge == true, takes(decision, from: identity)
    {
      onEvent?(id, .failed(number, .notAuthorized(.decision(.byAccount), identity: identity)))
      return
    }
    feed(.request(id, request))
  }

  /// Whether a decision would revoke what an account grants, and so would have no effect.
  private func takes(_ decision: Decision, from identity: ClientIdentity) -> Bool {
    switch decision {
    case .denied, .restricted, .whenInUse, .always(isReduced: true): ClientStanding(ofAccount: identity) != .asks
    case .always(isReduced: false), .forget: false
    }
  }

  /// A log is also a client: it acts for its owner, in the background.
  func take(_ news: RecordingNews) {
    switch news {
    case .wanted(let request, let id, let log):
      if gate.visitor(id) == nil {
        service.note(id, isInBackground: true)
        feed(.arrived(id, recorder(of: log)))
      }
      feed(.request(id, request))
    case .left(let id): leave(id)
    }
  }

  /// A monitoring list is also a client: it acts for its owner, and is in use while a program that waits for its events is.
  func take(_ wish: MonitoringWish) {
    guard case .wanted(let list, let name, let uses, let receivers) = wish else { return }
    let id = ClientID(monitoring: list)
    monitored[id] = uses.isEmpty ? nil : (list, name, Set(receivers))
    guard !uses.isEmpty else { return leave(id) }
    if gate.visitor(id) == nil { feed(.arrived(id, monitor(of: name))) }
    feed(.presence(id, presence(of: receivers)))
    feed(.monitors(id, uses))
    tellAllowed(id)
  }

  /// The event, reduced to what the list's user may receive; `nil`: the user has no authorization for it anymore.
  func seen(_ event: MonitoringEvent, of list: MonitoringList, isShown: Bool) -> MonitoringEvent? {
    let uses = event.subject.use.union(isShown && event.subject.use == .regions ? .notices : [])
    // An undetermined state without a fix discloses no position, so its user receives it whatever the authorization is.
    if event.happening == .determined(.unknown), event.fix == nil { return event }
    let isAllowed = monitored.contains { $1.list == list && !gate.monitored(by: $0).isDisjoint(with: uses) }
    return isAllowed ? gate.reduced(event, for: list.identity) : nil
  }

  private func monitor(of list: MonitoringList) -> AuthorizationClient {
    AuthorizationClient(
      list.identity, standing: ClientStanding(ofAccount: list.identity), presence: .background, name: list.name)
  }

  private func presence(of receivers: some Sequence<ClientID>) -> ClientPresence {
    receivers.contains { gate.visitor($0)?.state.presence == .inUse } ? .inUse : .background
  }

  /// Informs the service which uses of a list are authorized, after a change.
  private func tellAllowed(_ id: ClientID) {
    guard let list = monitored[id]?.id else { return }
    service.allow(gate.monitored(by: id), of: list)
  }

  private func recorder(of log: KeptLog) -> AuthorizationClient {
    let owner = log.configuration.owner ?? LogOwner(ClientIdentity(userID: ProcessEnvironment.userID))
    var standing = ClientStanding(ofAccount: owner.identity)
    if standing == .asks, owner.isEntitled, !owner.identity.realm.isConfined { standing = .entitled }
    return AuthorizationClient(owner.identity, standing: standing, presence: .background, name: "log \(log.name)")
  }

  /// The owner of a log that a client starts.
  private func owner(of request: ClientRequest, _ client: AuthorizationClient) -> LogOwner {
    var owner = LogOwner(client.identity)
    if case .log(_, .start) = request, client.standing != .asks {
      owner.isEntitled = ClientStanding(ofAccount: client.identity) == .asks
    }
    return owner
  }

  func leave(_ id: ClientID) {
    watch.remove(id)
    feed(.left(id))
    service.leave(id)
  }

  /// Handles an event from the service for a client.
  func take(_ event: ServiceEvent, for id: ClientID) {
    guard case .update = event else { return feed(.event(id, event)) }
    if let event = gate.passing(event, to: id, at: service.present) { onEvent?(id, event) }
    keepPlace()
    if gate.hasPauses { feed(.wake) }
  }

  /// Fills in a client's identity, its authorization, and whether it is in use.
  func describe(_ id: ClientID, _ status: inout ClientStatus) {
    gate.describe(id, &status)
  }

  // MARK: -

  private func watched(
    _ id: ClientID, _ vouched: VouchedClient, _ peer: consuming ConnectedPeer
  ) throws(PeerError) -> ClientPresence {
    do throws(SystemError) {
      return try watch.add(id, vouched.process, peer)
    } catch {
      throw .system(error)
    }
  }

  private func hear(_ news: PresenceWatch.News) {
    switch news {
    case .changed(let id, let presence):
      service.note(id, isInBackground: presence == .background)
      feed(.presence(id, presence))
      for (list, wanted) in monitored where wanted.receivers.contains(id) {
        feed(.presence(list, self.presence(of: wanted.receivers)))
      }
    // Its socket closes too, unless another process holds it. That process was not authenticated by the kernel, so nothing is
    // sent to it.
    case .ended(let id):
      feed(.left(id))
      service.leave(id)
    }
  }

  private func feed(_ input: AccessGate.Input) {
    var hasToldOthers = false
    for action in gate.handle(input, at: loop.now, clock: WallClock.believable, present: service.present) {
      switch action {
      case .pass(let id, _) where monitored[id] != nil: tellAllowed(id)
      case .tell(let id, _) where monitored[id] != nil: break
      case .pass(let id, let request):
        // A client that the kernel did not authenticate gets nothing passed on.
        guard let client = gate.visitor(id)?.client else { continue }
        service.send(request, from: id, of: owner(of: request, client), allowance(of: id))
      case .tell(let id, let event):
        onEvent?(id, event)
        hasToldOthers = hasToldOthers || id != input.client
      case .keep(let identity, let record): book?.keep(.grant(identity, record))
      case .keepSwitch(let isOn):
        book?.keep(.switched(isOn: isOn))
        onNews?(.switched(isOn: isOn))
      case .confirm(let id, let request): confirm(request, of: id)
      case .show(let state): lamp.show(state)
      case .reached(let bound): onBoundReached?(bound)
      case .ignored(let id, let reason):
        guard let (client, _) = gate.visitor(id), complaints.isNew(client.identity, at: loop.now) else { continue }
        onNews?(.ignored(name: client.name ?? "", client.identity, reason))
      }
    }
    keepPlace()
    if hasToldOthers { onOthersTold?() }
    if !isBatching { armTimer() }
  }

  private func armTimer() {
    let pauses = service.isVirtual ? nil : gate.nextPauseDeadline
    timer.arm(for: [gate.nextDeadline, pauses].compactMap(\.self).min())
    service.listenForGate(gate.awaitsMovement)
  }
}

/// Access checks for connections and limits.
extension AccessControl {
  /// Ranks a client's user at connection time, by its account and by the user's grants.
  func member(_ peer: borrowing ConnectedPeer) -> ClientBounds.Member {
    let userID = peer.credentials.userID
    if userID == 0 || userID == ProcessEnvironment.userID { return ClientBounds.Member(.administrator, userID: userID) }
    let rank: ClientBounds.Rank =
      switch ClientStanding(ofUser: peer.account) {
      case .inCharge: .administrator
      case .entitled: .granted
      case .asks: gate.hasGrant(userID) ? .granted : .untrusted
      }
    return ClientBounds.Member(rank, userID: userID, isInNamespace: peer.hasOwnUsers())
  }

  /// Whether a user has been granted something.
  func hasGrant(_ userID: UInt32) -> Bool { gate.hasGrant(userID) }

  /// Whether a client has been granted something, or needs no grant.
  func isTrusted(_ id: ClientID) -> Bool {
    guard let (client, state) = gate.visitor(id) else { return false }
    return client.answerer.isExempt || [.whenInUse, .always].contains(state.authorization.level)
  }

  private func allowance(of id: ClientID) -> MonitoringAllowance { isTrusted(id) ? .granted : .undecided }
}

extension AccessControl {
  /// Stores a changed reduced position, so that it survives a restart.
  private func keepPlace() {
    guard let place = gate.reducedPlace, place != keptPlace else { return }
    keptPlace = place
    book?.keep(.reduced(place))
  }

  /// Confirms a decision to the client that made it once it is on disk, or reports that it was not stored.
  private func confirm(_ request: RequestID, of id: ClientID) {
    guard let book else { onEvent?(id, .done(request)); return }
    var isInTurn = true
    book.whenKept { [unowned self] problem in
      onEvent?(id, problem.map { .failed(request, .notKept(path: stateFolder, $0)) } ?? .done(request))
      if !isInTurn { onOthersTold?() }
    }
    isInTurn = false
  }
}

extension LocationFailure {
  fileprivate static func notKept(path: String, _ problem: KeepingProblem) -> LocationFailure {
    switch problem {
    case .failed(let reason, let cause): .notKept(path: path, reason: reason, cause)
    case .late(let patience):
      .notKept(path: path, reason: "the disk has not answered for \(patience.components.seconds) seconds", .busy)
    }
  }
}

extension AccessGate.Input {
  /// The client whose turn this is: events for it are written at the end of the turn.
  fileprivate var client: ClientID? {
    switch self {
    case .request(let id, _), .event(let id, _): id
    case .loaded, .keyed, .arrived, .left, .presence, .monitors, .noticed, .wake: nil
    }
  }
}

extension ClientID {
  /// The client that stands for a monitoring list; logs have the numbers above these.
  fileprivate init(monitoring list: MonitoringListID) { self.init(Int.min / 2 + Int(list.rawValue)) }
}

/// Authorization events that the daemon logs; they never contain a position.
package enum AccessNews: Hashable, Sendable {
  /// The kernel does not authenticate a client, so the daemon answers it nothing.
  case unidentified(processID: Int32?)
  /// A client requested authorization, and no prompt is shown.
  case ignored(name: String, ClientIdentity, IgnoredRequest)
  case switched(isOn: Bool)
  /// The stored decisions are lost, except for the given number of refusals.
  case lost(RememberedGrants.Loss, isOn: Bool, refusals: Int)
  /// Decisions cannot be written.
  case cannotKeep(KeepingProblem)
  /// Decisions can be written again after a failure.
  case keptAgain
  /// No reduced position can be computed, so none is sent.
  case noGrid(GridKey.Problem)
  case cannotShow(IndicatorProblem)
}
