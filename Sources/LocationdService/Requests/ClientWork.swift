import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy

/// One active request of one client: the policy's machine, and its actions translated into events for the client.
struct ClientWork {
  /// The result of a machine's actions.
  enum Outcome {
    case send(ServiceEvent)
    case failed(FailureReason)
  }

  /// Why a request failed; the core adds which device it was.
  enum FailureReason {
    case oneShot(OneShotFailure)
    case noSource
    case known(LocationFailure)
  }

  private enum Machine {
    case oneShot(OneShot)
    case updates(OpenStream)
    /// A satellite watch: it follows whether sources are available, and takes no fixes.
    case sky(OpenStream)
    case over
  }

  let client: ClientID
  let request: RequestID
  /// Whether a failure is answered with the last known fix.
  let acceptsLastKnown: Bool
  /// Path of the only receiver whose fixes it takes; `nil`: any receiver.
  let device: String?
  private let waitsForSource: Bool
  /// The configuration that a stream requests of receivers that the service owns; a request for one fix changes nothing.
  let requestedConfiguration: ReceiverConfigurationRequest?
  /// Its demand on the sources while its client is in the foreground.
  private let demand: PowerDemand
  /// Whether it takes the receiver's own fixes, and no estimate.
  private let isRaw: Bool
  private var machine: Machine
  /// The progress that was sent last, so that each change is sent once.
  var progress: LocationProgress?

  init(client: ClientID, request: RequestID, oneShot options: OneShotOptions) {
    self.client = client
    self.request = request
    acceptsLastKnown = options.acceptsLastKnown
    device = options.device
    waitsForSource = options.waitsForSource
    requestedConfiguration = nil
    isRaw = false
    // Wi-Fi never answers a request for a named receiver.
    demand = PowerDemand(
      sufficientRadius68: options.desiredRadius68, isWaitedFor: true, needsSatellites: options.device != nil)
    machine = .oneShot(OneShot(options))
  }

  init(client: ClientID, request: RequestID, updates options: UpdateOptions) {
    self.client = client
    self.request = request
    acceptsLastKnown = false
    device = options.device
    waitsForSource = options.waitsForSource
    requestedConfiguration = options.setsReceivers ? ReceiverConfigurationRequest(options) : nil
    isRaw = options.isRaw
    let navigates = options.activity.map { $0 != .other && $0 != .fitness } ?? false
    var demand = PowerDemand(
      sufficientRadius68: options.sufficientRadius68, rateHertz: options.rateHertz, navigates: navigates,
      needsSatellites: options.device != nil)
    demand.isUnhurried = options.isUnhurried
    self.demand = demand
    machine = .updates(OpenStream(options))
  }

  /// A satellite watch.
  init(client: ClientID, request: RequestID, skyWaitsForSource: Bool) {
    self.client = client
    self.request = request
    acceptsLastKnown = false
    device = nil
    waitsForSource = skyWaitsForSource
    requestedConfiguration = nil
    isRaw = false
    demand = PowerDemand(needsSatellites: true)
    machine = .sky(OpenStream(UpdateOptions(waitsForSource: skyWaitsForSource)))
  }

  /// Whether it takes complete epochs only.
  var isStream: Bool {
    switch machine {
    case .updates, .sky: true
    case .oneShot, .over: false
    }
  }

  /// Whether it receives satellite reports.
  var watchesSky: Bool { if case .sky = machine { true } else { false } }

  func demand(isInBackground: Bool) -> PowerDemand {
    var demand = demand
    demand.isInBackground = isInBackground
    return demand
  }

  /// Whether it has ended and sends nothing more.
  var isOver: Bool { if case .over = machine { true } else { false } }

  var nextDeadline: Instant? {
    switch machine {
    case .oneShot(let machine): machine.nextDeadline
    case .updates(let stream), .sky(let stream): stream.filter.nextDeadline
    case .over: nil
    }
  }

  /// The same as `nextDeadline` without copying the work out of its array.
  mutating func earliestDeadline() -> Instant? { nextDeadline }

  mutating func start(latest: PositionFix?, isTracked: Bool, at now: Instant) -> [Outcome] {
    handle(.start(lastFix: latest, isTracked: isTracked), .start(lastFix: latest), at: now)
  }

  /// Handles a fix of a receiver: `reported` is the fused fix, `raw` the receiver's own. A stream takes complete fixes
  /// of one receiver; a request for one fix takes all, including the early fixes of incomplete epochs.
  mutating func receive(
    _ reported: PositionFix, raw: PositionFix, epoch: GNSSEpoch, isStreamed: Bool, at now: Instant
  ) -> [Outcome] {
    // Nearly all fixes go to streams, which use nothing else of the epoch.
    if case .updates(let stream) = machine {
      return isStreamed ? outcomes(stream.filter.handle(.fix(isRaw ? raw : reported), at: now)) : []
    }
    let fix = isRaw ? raw : reported
    // An epoch that was joined midway, or is incomplete, can meet a requested accuracy but does not prove convergence.
    let isSettled = epoch.isTracked && epoch.isWhole && epoch.stage == .complete
    return handle(.fix(fix, isTracked: isSettled), isStreamed ? .fix(fix) : nil, at: now)
  }

  /// Handles a fix that another process remembered: it may answer a request for one fix, but no stream begins with it.
  mutating func receive(remembered fix: PositionFix, isTracked: Bool, at now: Instant) -> [Outcome] {
    isStream ? [] : handle(.fix(fix, isTracked: isTracked), nil, at: now)
  }

  /// Handles a position by Wi-Fi. `isAllThereIs`: no receiver will improve on it. `lasting`: how long until the next
  /// one may come.
  mutating func receive(
    coarse fix: PositionFix, isAllThereIs: Bool, isStreamed: Bool, lasting: Duration, at now: Instant
  ) -> [Outcome] {
    guard device == nil else { return [] }
    return handle(.fix(fix, isTracked: isAllThereIs), isStreamed ? .fix(fix, lasting: lasting) : nil, at: now)
  }

  /// Handles the satellite report of a receiver.
  mutating func receive(_ report: SkyReport) -> [Outcome] {
    guard watchesSky else { return [] }
    hasDelivered = true
    return [.send(.sky(request, report))]
  }

  /// Handles an epoch without a fix. `believed`: the extrapolated track of the stream's receiver, which cannot answer a request
  /// for one fix.
  mutating func noFix(received: Int?, believed: PositionFix?, at now: Instant) -> [Outcome] {
    handle(.satellites(inView: received), isRaw ? nil : believed.map { .extrapolated($0) }, at: now)
  }

  mutating func sourcesChanged(available: Bool, at now: Instant) -> [Outcome] {
    handle(.sourcesChanged(available: available), .sourcesChanged(available: available), at: now)
  }

  mutating func wake(at now: Instant) -> [Outcome] { handle(.wake, .wake, at: now) }

  /// No source can give a position: ends a request that has delivered nothing and does not wait for another source.
  mutating func failUnlessWaiting(_ failure: LocationFailure) -> [Outcome] {
    guard !isOver, !waitsForSource, !hasDelivered else { return [] }
    machine = .over
    return [.failed(.known(failure))]
  }

  /// The sources have ended for good: all available fixes have been delivered already.
  mutating func end(with failure: LocationFailure) -> [Outcome] {
    guard !isOver else { return [] }
    machine = .over
    return [.failed(.known(failure))]
  }

  /// Whether a stream, or a satellite watch, has delivered anything.
  private var hasDelivered = false

  private mutating func handle(
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
      case .fix, .extrapolated: return []
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
      return .send(.located(request, fix, age: age, isCached: isCached))
    case .fail(let reason):
      // This happens at once if the deadline was the start: then no sources are stopped.
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
      return .send(.update(request, fix, age: age))
    case .lost: return .send(.streamChanged(request, .lost))
    case .back: return .send(.streamChanged(request, .back))
    }
  }
}

/// The filter of an active stream, as an object: it is large and is used with every epoch, so that moving it in and out of its work
/// would cost more than its work.
final class OpenStream {
  var filter: UpdateFilter

  init(_ options: UpdateOptions) { filter = UpdateFilter(options) }
}
