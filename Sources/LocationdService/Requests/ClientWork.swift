import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy

/// One request of one client that is under way: the policy's machine, and its words in the client's terms.
struct ClientWork {
  /// What a machine's actions come to.
  enum Outcome {
    case tell(ServiceEvent)
    case failed(FailureReason)
  }

  /// Why a request has failed; the core adds which device it was.
  enum FailureReason {
    case oneShot(OneShotFailure)
    case noSource
    case known(LocationFailure)
  }

  private enum Machine {
    case oneShot(OneShot)
    case updates(OpenStream)
    /// A stream whose sources count, and no fix.
    case sky(OpenStream)
    case over
  }

  let client: ClientID
  let request: RequestID
  /// Whether a failure is answered with the last known fix.
  let acceptsLastKnown: Bool
  /// Path of the receiver whose fixes alone it takes; `nil`: any receiver's.
  let device: String?
  private let waitsForSource: Bool
  /// How a stream would have the receivers that are its service's own; a request for one fix changes nothing.
  let wish: ReceiverWish?
  /// What it asks of the sources, where somebody looks.
  private let demand: PowerDemand
  /// Whether it wants what the receiver said, and no estimate.
  private let isRaw: Bool
  private var machine: Machine
  /// What was told last, so that it is told once.
  var progress: LocationProgress?

  init(client: ClientID, request: RequestID, oneShot options: OneShotOptions) {
    self.client = client
    self.request = request
    acceptsLastKnown = options.acceptsLastKnown
    device = options.device
    waitsForSource = options.waitsForSource
    wish = nil
    isRaw = false
    // Wi-Fi never answers for a named receiver.
    demand = PowerDemand(
      sufficientRadius68: options.desiredRadius68, isWaitedFor: true, needsSatellites: options.device != nil)
    let request = OneShotRequest(
      desiredRadius68: options.desiredRadius68, timeout: options.timeout, maximumAge: options.maximumAge,
      waitsForSource: options.waitsForSource, accuracyRule: options.accuracyRule)
    machine = .oneShot(OneShot(request))
  }

  init(client: ClientID, request: RequestID, updates options: UpdateOptions) {
    self.client = client
    self.request = request
    acceptsLastKnown = false
    device = options.device
    waitsForSource = options.waitsForSource
    wish = options.setsReceivers ? ReceiverWish(options) : nil
    isRaw = options.isRaw
    let navigates = options.activity.map { $0 != .other && $0 != .fitness } ?? false
    var demand = PowerDemand(
      sufficientRadius68: options.sufficientRadius68, rateHertz: options.rateHertz, navigates: navigates,
      needsSatellites: options.device != nil)
    demand.isUnhurried = options.isUnhurried
    self.demand = demand
    let request = UpdateRequest(
      desiredRadius68: options.desiredRadius68, distanceFilter: options.distanceFilter,
      waitsForSource: options.waitsForSource, takesSuspectFixes: options.isRaw)
    machine = .updates(OpenStream(request))
  }

  /// A watch of the satellites.
  init(client: ClientID, request: RequestID, skyWaitsForSource: Bool) {
    self.client = client
    self.request = request
    acceptsLastKnown = false
    device = nil
    waitsForSource = skyWaitsForSource
    wish = nil
    isRaw = false
    demand = PowerDemand(needsSatellites: true)
    machine = .sky(OpenStream(UpdateRequest(waitsForSource: skyWaitsForSource)))
  }

  /// Whether it takes complete epochs only.
  var isStream: Bool {
    switch machine {
    case .updates, .sky: true
    case .oneShot, .over: false
    }
  }

  /// Whether it is told of satellites.
  var watchesSky: Bool { if case .sky = machine { true } else { false } }

  func demand(isInBackground: Bool) -> PowerDemand {
    var demand = demand
    demand.isInBackground = isInBackground
    return demand
  }

  /// Whether its last word has been said.
  var isOver: Bool { if case .over = machine { true } else { false } }

  var nextDeadline: Instant? {
    switch machine {
    case .oneShot(let machine): machine.nextDeadline
    case .updates(let stream), .sky(let stream): stream.filter.nextDeadline
    case .over: nil
    }
  }

  /// The same without copying the work out of its array.
  mutating func earliestDeadline() -> Instant? { nextDeadline }

  mutating func start(latest: PositionFix?, isTracked: Bool, at now: Instant) -> [Outcome] {
    feed(.start(lastFix: latest, isTracked: isTracked), .start(lastFix: latest), at: now)
  }

  /// What is believed after a fix of a receiver, and the fix itself. A stream takes complete ones of one receiver; a request takes
  /// all, prompt ones too.
  mutating func take(
    _ told: PositionFix, raw: PositionFix, epoch: GNSSEpoch, isStreamed: Bool, at now: Instant
  ) -> [Outcome] {
    // Nearly all fixes go to streams, which take nothing else of them.
    if case .updates(let stream) = machine {
      return isStreamed ? outcomes(stream.filter.handle(.fix(isRaw ? raw : told), at: now)) : []
    }
    let fix = isRaw ? raw : told
    // An epoch that was joined half-way, or is not complete, can meet a stated accuracy but proves no convergence.
    let isSettled = epoch.isTracked && epoch.isWhole && epoch.stage == .complete
    return feed(.fix(fix, isTracked: isSettled), isStreamed ? .fix(fix) : nil, at: now)
  }

  /// What another process has remembered: it may answer a request for one fix, and no stream begins with it.
  mutating func take(remembered fix: PositionFix, isTracked: Bool, at now: Instant) -> [Outcome] {
    isStream ? [] : feed(.fix(fix, isTracked: isTracked), nil, at: now)
  }

  /// A position by Wi-Fi. `isAllThereIs`: no receiver will better it. `lasting`: until the next one may come.
  mutating func take(
    coarse fix: PositionFix, isAllThereIs: Bool, isStreamed: Bool, lasting: Duration, at now: Instant
  ) -> [Outcome] {
    guard device == nil else { return [] }
    return feed(.fix(fix, isTracked: isAllThereIs), isStreamed ? .fix(fix, lasting: lasting) : nil, at: now)
  }

  /// What a receiver says of its satellites.
  mutating func take(_ report: SkyReport) -> [Outcome] {
    guard watchesSky else { return [] }
    hasDelivered = true
    return [.tell(.sky(request, report))]
  }

  /// An epoch without a fix. `believed`: where the track of the stream's receiver went on; no request is answered by it.
  mutating func noFix(heard: Int?, believed: PositionFix?, at now: Instant) -> [Outcome] {
    feed(.satellites(inView: heard), isRaw ? nil : believed.map { .goesOn($0) }, at: now)
  }

  mutating func sourcesChanged(available: Bool, at now: Instant) -> [Outcome] {
    feed(.sourcesChanged(available: available), .sourcesChanged(available: available), at: now)
  }

  mutating func wake(at now: Instant) -> [Outcome] { feed(.wake, .wake, at: now) }

  /// No receiver says a word at any speed: a request that does not wait for another ends.
  mutating func failUnlessPatient(_ failure: LocationFailure) -> [Outcome] {
    guard !isOver, !waitsForSource, !hasDelivered else { return [] }
    machine = .over
    return [.failed(.known(failure))]
  }

  /// The sources are over for good: what is in hand has been given already.
  mutating func end(with failure: LocationFailure) -> [Outcome] {
    guard !isOver else { return [] }
    machine = .over
    return [.failed(.known(failure))]
  }

  /// Whether a stream, or a watch of the sky, has delivered anything.
  private var hasDelivered = false

  private mutating func feed(
    _ oneShotInput: OneShot.Input, _ updateInput: UpdateFilter.Input?, at now: Instant
  ) -> [Outcome] {
    switch machine {
    case .oneShot(var machine):
      let actions = machine.handle(oneShotInput, at: now)
      self.machine = .oneShot(machine)
      return actions.compactMap { outcome($0) }
    case .updates(let stream):
      guard let updateInput else { return [] }
      return outcomes(stream.filter.handle(updateInput, at: now))
    case .sky(let stream):
      guard let updateInput else { return [] }
      switch updateInput {
      case .fix, .goesOn: return []
      case .start, .sourcesChanged, .stop, .wake: break
      }
      return outcomes(stream.filter.handle(updateInput, at: now))
    case .over: return []
    }
  }

  private mutating func outcome(_ action: OneShot.Action) -> Outcome? {
    switch action {
    case .startSources: return nil
    case .stopSources:
      machine = .over
      return nil
    case .deliver(let fix, let age, let isCached):
      machine = .over
      return .tell(.located(request, fix, age: age, isCached: isCached))
    case .fail(let reason):
      // At once where the deadline was the beginning: then no sources are stopped.
      machine = .over
      return .failed(.oneShot(reason))
    }
  }

  private mutating func outcomes(_ actions: [UpdateFilter.Action]) -> [Outcome] {
    actions.isEmpty ? [] : actions.compactMap { outcome($0) }
  }

  private mutating func outcome(_ action: UpdateFilter.Action) -> Outcome? {
    switch action {
    case .startSources: return nil
    case .stopSources:
      machine = .over
      return nil
    case .failWithoutSource:
      machine = .over
      return .failed(.noSource)
    case .deliver(let fix, let age):
      hasDelivered = true
      return .tell(.update(request, fix, age: age))
    case .lost: return .tell(.streamChanged(request, .lost))
    case .back: return .tell(.streamChanged(request, .back))
    }
  }
}
