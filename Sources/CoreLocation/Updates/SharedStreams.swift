import Geodesy
import LocationIPC
import LocationPolicy

/// The streams that the managers of one process follow. Managers with equal options share one request to the service,
/// so that a fix is sent to the process once, however many managers receive it.
///
/// A new follower receives the current state: the latest fix, and whether there is no source or no valid fix any more. When no
/// source is left, a trial request determines why, because a missing permission differs from a missing receiver
/// (Documentation/Behavior.md, "Streams"). A manager that defers its updates has a stream of its own for that time, so that it holds back
/// no other manager.
struct SharedStreams: Sendable {
  /// A manager, and its number for the stream.
  struct Follower: Hashable, Sendable {
    let manager: UInt64
    let request: RequestID

    init(manager: UInt64, request: RequestID) {
      self.manager = manager
      self.request = request
    }
  }

  enum Input: Hashable, Sendable {
    case join(Follower, UpdateOptions)
    case leave(Follower)
    /// The manager was released.
    case gone(manager: UInt64)
    /// An event of the stream with that number.
    case stream(RequestID, RequestEvent<FixEvent>)
    /// Deferred updates of the stream with that number.
    case batch(RequestID, FixBatch)
    /// The follower's updates are to be deferred.
    case deferUpdates(Follower, call: RequestID, DeferralLimits)
    /// The service has ended that call; `nil`: its distance or time was reached.
    case deferralEnded(call: RequestID, LocationFailure?)
    /// An event of a request for one fix that this collection made.
    case answer(RequestID, RequestEvent<LocateReply>)
    /// The service ended by itself.
    case serviceEnded
    /// The fix that answered a request for one fix, which is not shared.
    case located(PositionFix)
    /// A request for one fix, which is not shared, failed because of a missing permission.
    case denied
    /// Earlier fixes must not be delivered again: the process has lost its authorization, or its full accuracy.
    case barred
  }

  enum Action: Hashable, Sendable {
    case startUpdates(RequestID, UpdateOptions)
    case locate(RequestID, OneShotOptions)
    /// No event follows for the request.
    case cancel(RequestID)
    case notify([Follower], RequestEvent<FixEvent>)
    /// Deferred updates for these followers.
    case notifyBatch([Follower], FixBatch)
    /// Defer the updates of the stream with the number `of`.
    case deferUpdates(call: RequestID, of: RequestID, DeferralLimits)
    /// A follower's call has ended; `nil`: its distance or time was reached.
    case deferralEnded(Follower, call: RequestID, LocationFailure?)
    /// An earlier fix, for followers that have received none.
    case known([Follower], PositionFix)
    /// The service ended by itself.
    case serviceEnded([Follower])
    /// Whether the process has the permission to open its receivers; sent when this changes.
    case authorize(Bool)
  }

  /// A receiver that opens and stays open for this long counts as readable.
  static let trialTimeout: Duration = .seconds(5)

  private var streams: [SharedStream] = []
  /// The followers of the calls that defer updates.
  private var calls: [RequestID: Follower] = [:]
  private var latest: KnownFix?
  private var isDenied = false
  /// The request for the fix of an earlier run; made once, and again after the service has ended or earlier fixes were barred.
  private var recollection: RequestID?
  /// The trial request that determines why there is no source.
  private var trial: RequestID?
  private let numbers: RequestNumbers

  /// Creates an empty collection.
  init(numbers: RequestNumbers) { self.numbers = numbers }

  /// Whether there are no followers.
  var isEmpty: Bool { streams.isEmpty }

  /// - Parameter clock: the machine's wall clock; fixes of an earlier run cannot be newer.
  mutating func handle(_ input: Input, at now: Instant, clock: GNSSTime) -> [Action] {
    switch input {
    case .join(let follower, let options): return join(follower, options, at: now)
    case .leave(let follower): return leave { $0 == follower }
    case .gone(let manager):
      calls = calls.filter { $0.value.manager != manager }
      return leave { $0.manager == manager }
    case .stream(let request, let event): return receive(event, of: request, at: now)
    case .batch(let request, let batch): return receive(batch, of: request)
    case .deferUpdates(let follower, let call, let limits): return deferUpdates(of: follower, call, limits)
    case .deferralEnded(let call, let failure): return endDeferral(call, failure)
    case .answer(let request, .reply(let located)): return found(located.fix, by: request, at: now, clock: clock)
    case .answer(let request, .failed(let failure)): return failed(request, failure)
    case .answer(_, .progress): return []
    case .serviceEnded:
      defer {
        (streams, calls) = ([], [:])
        (recollection, trial) = (nil, nil)
      }
      let ended = calls.sorted { $0.key.rawValue < $1.key.rawValue }
      return ended.map { .deferralEnded($0.value, call: $0.key, .deferral(.failed)) }
        + streams.map { .serviceEnded($0.followers) }
    case .located(let fix):
      note(fix, at: now)
      return authorize(true)
    case .denied: return authorize(false)
    case .barred:
      (latest, recollection) = (nil, nil)
      return []
    }
  }

  // MARK: - Followers

  private mutating func join(_ follower: Follower, _ options: UpdateOptions, at now: Instant) -> [Action] {
    var actions: [Action] = []
    if let latest { actions.append(.known([follower], latest.fix(at: now))) }
    if let index = streams.firstIndex(where: { $0.options == options && !$0.isExclusive }) {
      if streams[index].standing == .paused { actions += restart(index) }
      streams[index].followers.append(follower)
      if let event = streams[index].standing.event { actions.append(.notify([follower], event)) }
      return actions
    }
    if latest == nil, recollection == nil {
      let request = numbers.next()
      recollection = request
      // The request is overdue at once: it is answered by the last known fix, without opening a receiver or prompting a
      // user.
      let options = OneShotOptions(
        timeout: .zero, maximumAge: .zero, acceptsLastKnown: true, waitsForSource: true, whenNotDetermined: .fails)
      actions.append(.locate(request, options))
    }
    let stream = SharedStream(request: numbers.next(), options: options, followers: [follower])
    streams.append(stream)
    return actions + [.startUpdates(stream.request, options)]
  }

  /// Starting a paused stream ends the pause for all its followers.
  private mutating func restart(_ index: Int) -> [Action] {
    let paused = streams[index].request
    streams[index].request = numbers.next()
    streams[index].standing = .flowing
    let stream = streams[index]
    return [
      .cancel(paused), .startUpdates(stream.request, stream.options),
      .notify(stream.followers, .reply(.change(.unpaused))),
    ]
  }

  private mutating func leave(_ isGone: (Follower) -> Bool) -> [Action] {
    var actions: [Action] = []
    for index in streams.indices.reversed() {
      streams[index].followers.removeAll(where: isGone)
      guard streams[index].followers.isEmpty else { continue }
      actions.append(.cancel(streams.remove(at: index).request))
    }
    if streams.isEmpty, let trial {
      actions.append(.cancel(trial))
      self.trial = nil
    }
    return actions
  }

  // MARK: - Deferral

  private mutating func deferUpdates(
    of follower: Follower, _ call: RequestID, _ limits: DeferralLimits
  ) -> [Action] {
    guard var index = streams.firstIndex(where: { $0.followers.contains(follower) }) else {
      return [.deferralEnded(follower, call: call, .deferral(.notUpdating))]
    }
    var actions: [Action] = []
    if streams[index].followers.count > 1 {
      streams[index].followers.removeAll { $0 == follower }
      let own = SharedStream(request: numbers.next(), options: streams[index].options, followers: [follower])
      index = streams.endIndex
      streams.append(own)
      actions.append(.startUpdates(own.request, own.options))
    }
    streams[index].isExclusive = true
    calls[call] = follower
    return actions + [.deferUpdates(call: call, of: streams[index].request, limits)]
  }

  private mutating func endDeferral(_ call: RequestID, _ failure: LocationFailure?) -> [Action] {
    guard let follower = calls.removeValue(forKey: call) else { return [] }
    if !calls.values.contains(follower) {
      for index in streams.indices where streams[index].followers == [follower] { streams[index].isExclusive = false }
    }
    return [.deferralEnded(follower, call: call, failure)]
  }

  private mutating func receive(_ batch: FixBatch, of request: RequestID) -> [Action] {
    guard let index = index(of: request) else { return [] }
    streams[index].standing = .flowing
    // The radius of a fix in a batch has not been grown.
    if let fix = batch.fixes.last(where: { $0.qualityFlag == nil }), latest.map({ $0.isOlder(than: fix) }) ?? true {
      latest = KnownFix(fix, reportedAt: fix.receivedAt)
    }
    return authorize(true) + [.notifyBatch(streams[index].followers, batch)]
  }

  // MARK: - The service

  private mutating func receive(_ event: RequestEvent<FixEvent>, of request: RequestID, at now: Instant) -> [Action] {
    guard let index = index(of: request) else { return [] }
    switch event {
    case .reply(.fix(let fix, _)):
      // Another instance of the service now provides the stream, and has no record of the pause.
      let wasPaused = streams[index].standing == .paused
      streams[index].standing = .flowing
      note(fix, at: now)
      return authorize(true) + (wasPaused ? [.notify(streams[index].followers, .reply(.change(.unpaused)))] : [])
        + [.notify(streams[index].followers, event)]
    case .reply(.change(let change)):
      switch change {
      case .lost: streams[index].standing = .lost
      case .paused: streams[index].standing = .paused
      case .unpaused, .back: streams[index].standing = .flowing
      // In the background no fixes arrive, and no event reports that (Documentation/Behavior.md, "Authorization").
      case .suspended, .resumed: return []
      }
      return [.notify(streams[index].followers, event)]
    case .progress(.waitingForSource):
      streams[index].standing = .doubtful
      return ask()
    case .progress:
      if streams[index].standing != .lost { streams[index].standing = .flowing }
      return []
    case .failed: return [.notify(streams.remove(at: index).followers, event)]
    }
  }

  /// Starts the trial: a request that does not wait for a source fails with the reason.
  private mutating func ask() -> [Action] {
    guard trial == nil else { return [] }
    let request = numbers.next()
    trial = request
    return [.locate(request, OneShotOptions(timeout: Self.trialTimeout, maximumAge: .zero, whenNotDetermined: .fails))]
  }

  private mutating func found(
    _ fix: PositionFix, by request: RequestID, at now: Instant, clock: GNSSTime
  ) -> [Action] {
    if request == trial {
      trial = nil
      for index in streams.indices where streams[index].standing == .doubtful { streams[index].standing = .flowing }
      return []
    }
    // A fix from the future is invalid.
    guard request == recollection, latest == nil, fix.qualityFlag == nil, fix.time <= clock else { return [] }
    note(fix, at: now)
    return streams.map { .known($0.followers, fix) }
  }

  private mutating func failed(_ request: RequestID, _ failure: LocationFailure) -> [Action] {
    guard request == trial else { return [] }
    trial = nil
    return conclude(failure)
  }

  /// Handles the end of the trial: the reason for the missing source is known.
  private mutating func conclude(_ failure: LocationFailure) -> [Action] {
    guard case .permissionDenied = failure else {
      var actions: [Action] = []
      for index in streams.indices where streams[index].standing == .doubtful {
        streams[index].standing = .waiting
        actions.append(.notify(streams[index].followers, .progress(.waitingForSource)))
      }
      return actions
    }
    defer { streams = [] }
    return authorize(false)
      + streams.flatMap { [.cancel($0.request), .notify($0.followers, .failed(failure))] }
  }

  // MARK: -

  private mutating func note(_ fix: PositionFix, at now: Instant) {
    if fix.qualityFlag == nil { latest = KnownFix(fix, reportedAt: now) }
  }

  private mutating func authorize(_ isAllowed: Bool) -> [Action] {
    guard isDenied == isAllowed else { return [] }
    isDenied = !isAllowed
    return [.authorize(isAllowed)]
  }

  private func index(of request: RequestID) -> Int? { streams.firstIndex { $0.request == request } }
}

/// One stream of the service, and its followers.
struct SharedStream: Sendable {
  /// The state of a stream.
  enum State {
    case flowing
    /// There is no source, and a trial is under way to determine why.
    case doubtful
    /// There is no source.
    case waiting
    /// There is no valid fix any more.
    case lost
    /// The service has paused the stream automatically.
    case paused

    /// The event that a new follower receives.
    var event: RequestEvent<FixEvent>? {
      switch self {
      case .flowing, .doubtful: nil
      case .waiting: .progress(.waitingForSource)
      case .lost: .reply(.change(.lost))
      case .paused: .reply(.change(.paused))
      }
    }
  }

  var request: RequestID
  let options: UpdateOptions
  var followers: [SharedStreams.Follower]
  var standing = State.flowing
  /// Whether its only follower defers its updates: no other manager joins.
  var isExclusive = false
}

/// The latest fix that a process received, for later followers.
struct KnownFix: Sendable {
  private let fix: PositionFix
  /// When it was delivered; its radius had been grown to that time.
  private let reportedAt: Instant

  init(_ fix: PositionFix, reportedAt: Instant) {
    self.fix = fix
    self.reportedAt = reportedAt
  }

  func isOlder(than other: PositionFix) -> Bool { fix.receivedAt < other.receivedAt }

  /// The fix as delivered at `now`, with its original time.
  func fix(at now: Instant) -> PositionFix {
    var fix = fix
    // The radius must grow only once for the same period.
    fix.receivedAt = reportedAt
    fix = fix.grown(to: now)
    fix.receivedAt = self.fix.receivedAt
    return fix
  }
}
