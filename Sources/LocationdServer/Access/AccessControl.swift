import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdRecords
import LocationdService
import Regions

/// Who may know, for the daemon's clients: finds out from the kernel who they are and whether they are in use, carries out what
/// the gate says, keeps what was decided, and shows that location is used.
final class AccessControl {
  private let loop: EventLoop
  private let service: HostedService
  private let lamp: IndicatorLamp
  private let stateFolder: String
  private let book: GrantBook?
  private var gate: AccessGate
  /// Clients that stand for lists of what is monitored, and the programs that wait for them.
  private var monitored: [ClientID: (id: MonitoringListID, list: MonitoringList, receivers: Set<ClientID>)] = [:]
  private var complaints = ComplaintPace<ClientIdentity>()
  /// What is told roughly, as it was handed to the book last.
  private var keptPlace: ReducedPlace?
  private lazy var watch = PresenceWatch(loop) { [unowned self] in hear($0) }
  private lazy var timer = EarliestTimer(loop) { [unowned self] in feed(.wake) }

  /// Carries an event to its client.
  var onEvent: ((ClientID, ServiceEvent) -> Void)?
  /// Other clients than the one that asked were told something, with no turn of the service's after it.
  var onOthersTold: (() -> Void)?
  /// Hears that something was refused as there is as much of it as may be.
  var onBoundReached: ((ServiceBound) -> Void)?
  private var isBatching = false
  /// Hears what is worth a line.
  var onNews: ((AccessNews) -> Void)?

  /// - Parameters:
  ///   - stateFolder: where decisions are kept; `nil`: they go with the process.
  ///   - lamp: shows that location is used.
  init(loop: EventLoop, service: HostedService, stateFolder: String?, lamp: IndicatorLamp) throws(SystemError) {
    self.loop = loop
    self.service = service
    self.lamp = lamp
    self.stateFolder = stateFolder ?? ""
    book = if let stateFolder { try GrantBook(loop: loop, stateFolder: stateFolder) } else { nil }
    // A late answer to a question of the daemon before this one is an answer to none of its.
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

  /// Takes up what was decided before.
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

  /// Takes up what has been mended in the state folder.
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

  /// A client has said who it is; the kernel knows better. One that the kernel does not vouch for is answered nothing.
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
      // One line a minute for each user: whoever ends at once could fill the journal.
      guard complaints.isNew(ClientIdentity(userID: userID), at: loop.now) else { return }
      onNews?(.unidentified(processID: processID))
    }
  }

  /// Gathers what comes of one client at a time: the service plans for all of it at the end.
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

  /// Whether a decision would take what an account gives, and so would change nothing.
  private func takes(_ decision: Decision, from identity: ClientIdentity) -> Bool {
    switch decision {
    case .denied, .restricted, .whenInUse, .always(isReduced: true): ClientStanding(ofAccount: identity) != .asks
    case .always(isReduced: false), .forget: false
    }
  }

  /// A log is a client, too: of its owner's, in the background.
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

  /// What is monitored for a list is a client's, too: of its owner's, in use while a program of its own that waits for it is.
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

  /// An event as the user of its list may know it; `nil`: not any more.
  func seen(_ event: MonitoringEvent, of list: MonitoringList, isShown: Bool) -> MonitoringEvent? {
    let uses = event.subject.use.union(isShown && event.subject.use == .regions ? .notices : [])
    // That nobody can tell where a machine is says nothing of where it is, and is for its user to learn whatever is allowed.
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

  /// What of a list may be told, where that has changed.
  private func tellAllowed(_ id: ClientID) {
    guard let list = monitored[id]?.id else { return }
    service.allow(gate.monitored(by: id), of: list)
  }

  private func recorder(of log: KeptLog) -> AuthorizationClient {
    let owner = log.wish.owner ?? LogOwner(ClientIdentity(userID: ProcessEnvironment.userID))
    var standing = ClientStanding(ofAccount: owner.identity)
    if standing == .asks, owner.isEntitled, !owner.identity.realm.isConfined { standing = .entitled }
    return AuthorizationClient(owner.identity, standing: standing, presence: .background, name: "log \(log.name)")
  }

  /// Whose the log would be that a client begins.
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

  /// The service has something for a client.
  func take(_ event: ServiceEvent, for id: ClientID) {
    guard case .update = event else { return feed(.event(id, event)) }
    if let event = gate.passing(event, to: id, at: service.present) { onEvent?(id, event) }
    keepPlace()
    if gate.hasPauses { feed(.wake) }
  }

  /// Whose a client is, what it may have, and whether it is in use.
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
    // Its socket closes too, unless it has left it to another: to nobody that the kernel vouched for.
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
        // Somebody whom the kernel does not vouch for is handed nothing on.
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

/// What a client may take up of the service.
extension AccessControl {
  /// What is known of a client's user as it connects, by its account and by what its user was granted.
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
  /// Another answer to reduced accuracy holds over a restart, too.
  private func keepPlace() {
    guard let place = gate.reducedPlace, place != keptPlace else { return }
    keptPlace = place
    book?.keep(.reduced(place))
  }

  /// Tells one who has decided that it is done when it is kept, or that it is not.
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
  /// Whose turn it is: what it is told is written at its end.
  fileprivate var client: ClientID? {
    switch self {
    case .request(let id, _), .event(let id, _): id
    case .loaded, .keyed, .arrived, .left, .presence, .monitors, .noticed, .wake: nil
    }
  }
}

extension ClientID {
  /// Stands for a list of what is monitored; logs have the numbers above these.
  fileprivate init(monitoring list: MonitoringListID) { self.init(Int.min / 2 + Int(list.rawValue)) }
}
