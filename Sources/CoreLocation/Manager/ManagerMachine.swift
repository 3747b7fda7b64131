import Geodesy
import LocationIPC
import LocationPolicy

/// One location manager's requests to the service, and the events for its client: updates and a request for one location
/// exclude each other, and every request is answered exactly once unless it is canceled (Documentation/Behavior.md, "Streams"
/// and "One fix").
///
/// Applies the distance filter, so that managers that differ in nothing else can share one stream.
struct ManagerMachine: Sendable {
  enum Input: Hashable, Sendable {
    /// `startUpdatingLocation`, with the manager's settings.
    case start(UpdateOptions)
    /// A setting has changed. Updates continue with the new settings; a request for one location keeps those that it began with.
    case change(UpdateOptions)
    /// `stopUpdatingLocation`.
    case stop
    /// `requestLocation`.
    case request(OneShotOptions)
    /// An event of the stream that the manager follows under that number.
    case stream(RequestID, RequestEvent<FixEvent>)
    /// An event of the request for one location with that number.
    case answer(RequestID, RequestEvent<LocateReply>)
    /// `allowDeferredLocationUpdates`; `nil`: its arguments are negative or not numbers.
    case allowDeferral(DeferralLimits?)
    /// `disallowDeferredLocationUpdates`.
    case disallowDeferral
    /// Deferred updates of the stream that the manager follows under that number.
    case batch(RequestID, FixBatch)
    /// The request that defers updates has ended; `nil`: its distance or time was reached.
    case deferralEnded(RequestID, LocationFailure?)
    /// An earlier fix: updates that have delivered nothing yet begin with it. A request for one location ignores it.
    case known(PositionFix)
    /// The service ended by itself.
    case serviceEnded
  }

  enum Action: Hashable, Sendable {
    /// Follow a stream; its events come back under the number.
    case startUpdates(RequestID, UpdateOptions)
    case locate(RequestID, OneShotOptions)
    /// No event follows for the request.
    case cancel(RequestID)
    case deliver(PositionFix)
    /// Defer the updates of the stream with the number `of`; the request ends with `.deferralEnded`.
    case deferUpdates(RequestID, of: RequestID, DeferralLimits)
    /// Deliver deferred fixes together, the oldest first.
    case deliverTogether([PositionFix])
    case finishDeferral(DeferralOutcome)
    case fail(ManagerFailure)
    /// Updates have paused by themselves (Documentation/Behavior.md, "Activity and automatic pause").
    case pause
    case resume
  }

  private enum State {
    case idle
    case updating(ManagerUpdates)
    /// `trial`: the request that determines why there is no source; `nil` if none is pending.
    case requesting(RequestID, trial: RequestID?)
  }

  private var state = State.idle
  private var deferrals = ManagerDeferrals()
  private let numbers: RequestNumbers

  /// Creates a manager without a request.
  init(numbers: RequestNumbers) { self.numbers = numbers }

  /// Whether no request is pending.
  var isIdle: Bool { if case .idle = state { true } else { false } }

  /// Whether updates are deferred, or were until the end of their stream, and may still be delivered.
  var isDeferring: Bool { !deferrals.isEmpty }

  mutating func handle(_ input: Input) -> [Action] {
    switch (state, input) {
    case (.idle, .start(let options)): return begin(options)
    case (.requesting(let request, let trial), .start(let options)): return cancel(request, trial) + begin(options)
    case (.updating(let updates), .start(let options)) where updates.isPaused: return restart(updates, options)
    // Already started: nothing restarts.
    case (.updating, .start): return []
    case (.updating(let updates), .change(let options)): return change(updates, to: options)
    case (.idle, .change), (.requesting, .change): return []
    case (.updating(let updates), .stop):
      state = .idle
      return leave(updates)
    case (.requesting(let request, let trial), .stop):
      state = .idle
      return cancel(request, trial)
    case (.idle, .stop): return []
    case (.idle, .request(let options)):
      let request = numbers.next()
      state = .requesting(request, trial: nil)
      return [.locate(request, options)]
    // Updates provide the answer, and only one request may be pending.
    case (.updating, .request), (.requesting, .request): return []
    case (.updating(let updates), .stream(let id, let event)) where id == updates.request:
      return receive(event, updates)
    case (.requesting(let request, let trial), .answer(let id, let event)) where id == request:
      return receive(event, request, trial)
    case (.requesting(let request, let trial), .answer(let id, let event)) where id == trial:
      return receive(event, ofTrialFor: request)
    case (.updating(let updates), .allowDeferral(let limits)):
      let failure = limits == nil ? .failed : DeferralConditions(updates.options).failure
      guard let limits, failure == nil else {
        return deferrals.refuse(on: updates.request, .failed(failure ?? .failed), numbers)
      }
      return [deferrals.allow(on: updates.request, limits, numbers)]
    case (.idle, .allowDeferral(let limits)), (.requesting, .allowDeferral(let limits)):
      return [.finishDeferral(.failed(limits == nil ? .failed : .notUpdating))]
    case (.updating(let updates), .disallowDeferral): return deferrals.end(on: updates.request, numbers)
    case (.idle, .disallowDeferral), (.requesting, .disallowDeferral): return []
    case (.updating(var updates), .batch(let id, let batch)) where id == updates.request:
      let fixes = batch.fixes.filter { updates.delivers($0) }
      state = .updating(updates)
      return fixes.isEmpty ? [] : [.deliverTogether(fixes)]
    case (_, .batch(let id, let batch)): return deferrals.isEnding(id) ? [.deliverTogether(batch.fixes)] : []
    case (_, .deferralEnded(let call, let failure)): return deferrals.ended(call, failure)
    case (.updating(var updates), .known(let fix)):
      guard updates.begins(with: fix) else { return [] }
      state = .updating(updates)
      return [.deliver(fix)]
    case (.idle, .known), (.requesting, .known): return []
    case (.updating, .serviceEnded), (.requesting, .serviceEnded):
      state = .idle
      return [.fail(.locationUnknown)]
    case (.idle, .serviceEnded): return []
    case (_, .stream(let id, .failed)):
      deferrals.streamEnded(id)
      return []
    // An event that was already under way when its request was canceled.
    case (_, .stream), (_, .answer): return []
    }
  }

  /// Ends a stream, after the updates that the service holds for it were delivered.
  private mutating func leave(_ updates: ManagerUpdates) -> [Action] {
    deferrals.leave(updates.request, numbers) ?? [.cancel(updates.request)]
  }

  private mutating func begin(_ options: UpdateOptions) -> [Action] {
    let updates = ManagerUpdates(request: numbers.next(), options)
    state = .updating(updates)
    return [.startUpdates(updates.request, updates.streamOptions)]
  }

  /// Restarts updates with another stream, which is not paused.
  private mutating func restart(_ old: ManagerUpdates, _ options: UpdateOptions) -> [Action] {
    var updates = old
    updates.request = numbers.next()
    updates.options = options
    updates.isPaused = false
    state = .updating(updates)
    // What is held comes before what the new stream delivers.
    let ending = deferrals.leave(old.request, numbers)
    return (ending ?? []) + [.startUpdates(updates.request, updates.streamOptions)]
      + (ending == nil ? [.cancel(old.request)] : []) + (old.isPaused ? [.resume] : [])
  }

  /// If only the distance filter has changed, the stream is kept.
  private mutating func change(_ old: ManagerUpdates, to options: UpdateOptions) -> [Action] {
    var updates = old
    updates.options = options
    let failure = DeferralConditions(options).failure
    if let failure { deferrals.fail(on: old.request, failure) }
    if updates.streamOptions != old.streamOptions { return restart(old, options) }
    state = .updating(updates)
    return failure == nil ? [] : deferrals.end(on: old.request, numbers)
  }

  private mutating func receive(_ event: RequestEvent<FixEvent>, _ current: ManagerUpdates) -> [Action] {
    var updates = current
    switch event {
    case .reply(.fix(let fix, _)):
      let isDelivered = updates.delivers(fix)
      state = .updating(updates)
      return isDelivered ? [.deliver(fix)] : []
    // The search continues; report its failure once, until the next fix.
    case .reply(.change(.lost)), .progress(.waitingForSource):
      guard !updates.hasFailed else { return [] }
      updates.hasFailed = true
      state = .updating(updates)
      return [.fail(.locationUnknown)]
    case .reply(.change(.paused)), .reply(.change(.unpaused)):
      let isPaused = event == .reply(.change(.paused))
      guard updates.isPaused != isPaused else { return [] }
      updates.isPaused = isPaused
      state = .updating(updates)
      return [isPaused ? .pause : .resume]
    case .failed(let failure):
      state = .idle
      return [.fail(ManagerFailure(failure))]
    case .reply(.change(.back)), .reply(.change(.suspended)), .reply(.change(.resumed)), .progress: return []
    }
  }

  /// A request waits for a receiver that is plugged in later, or enumerated after boot. It must not wait if a receiver
  /// is present that this user may not open. A second request, which does not wait, determines which of the two
  /// applies.
  private mutating func receive(_ event: RequestEvent<LocateReply>, _ request: RequestID, _ trial: RequestID?)
    -> [Action]
  {
    switch event {
    case .reply(let located):
      state = .idle
      return cancel(nil, trial) + [.deliver(located.fix)]
    case .failed(let failure):
      state = .idle
      return cancel(nil, trial) + [.fail(ManagerFailure(failure))]
    case .progress(.waitingForSource):
      guard trial == nil else { return [] }
      let trial = numbers.next()
      state = .requesting(request, trial: trial)
      let options = OneShotOptions(timeout: SharedStreams.trialTimeout, maximumAge: .zero, whenNotDetermined: .fails)
      return [.locate(trial, options)]
    case .progress: return []
    }
  }

  private mutating func receive(_ event: RequestEvent<LocateReply>, ofTrialFor request: RequestID) -> [Action] {
    switch event {
    case .failed(.permissionDenied):
      state = .idle
      return [.cancel(request), .fail(.denied)]
    case .failed, .reply:
      state = .requesting(request, trial: nil)
      return []
    case .progress: return []
    }
  }

  private func cancel(_ request: RequestID?, _ trial: RequestID?) -> [Action] {
    [request, trial].compactMap { $0.map { .cancel($0) } }
  }
}

/// One manager's updates while they run: its stream, and the state of the delegate.
struct ManagerUpdates: Sendable {
  /// The request that the stream answers.
  var request: RequestID
  /// The manager's options, including its distance filter.
  var options: UpdateOptions
  /// Whether the delegate's last report was that there is no location.
  var hasFailed = false
  /// Whether the delegate's last report was a pause.
  var isPaused = false
  /// The fix that the distance filter measures from: the last delivered one without a quality flag; `nil`: there is none yet.
  private var lastDelivered: PositionFix?

  init(request: RequestID, _ options: UpdateOptions) {
    self.request = request
    self.options = options
  }

  /// The options sent to the service: without the distance filter, which is applied here.
  var streamOptions: UpdateOptions {
    var options = options
    options.distanceFilter = nil
    return options
  }

  /// Whether updates begin with an earlier fix: only if no fix without a quality flag has been delivered yet.
  mutating func begins(with known: PositionFix) -> Bool {
    guard lastDelivered == nil else { return false }
    lastDelivered = known
    return true
  }

  /// Whether a fix of the stream is delivered.
  mutating func delivers(_ fix: PositionFix) -> Bool {
    defer { hasFailed = false }
    if let lastDelivered {
      // The stream repeats the fix with which the updates began.
      if fix.time == lastDelivered.time, fix.device == lastDelivered.device { return false }
      // After a loss, every position counts as new.
      if let distance = options.distanceFilter, !hasFailed, !fix.isUpdate(after: lastDelivered, beyond: distance) {
        return false
      }
    }
    // A flagged fix is delivered, but no distance is measured from it.
    if fix.qualityFlag == nil { lastDelivered = fix }
    return true
  }
}

/// Why a manager has no location, in the two cases that its client can distinguish.
enum ManagerFailure: Hashable, Sendable {
  /// There is no location now; there may be one later.
  case locationUnknown
  /// This user, or this program, has no access.
  case denied

  init(_ failure: LocationFailure) {
    switch failure {
    case .permissionDenied: self = .denied
    case .notAuthorized(let denial, _): self = denial.isRefusal ? .denied : .locationUnknown
    case .noSource, .noKnownAccessPoint, .radio, .placesNotKept, .noGPSD, .noReceiverAtGPSD, .untrustedAdapters,
      .portInUse, .cannotOpen, .nothingReceived,
      .nothingReceivedYet, .noSatellites, .noFixYet, .notAccurateEnough,
      .noUsableFix, .sourceEnded, .badRecording, .unknownDevice,
      .tooManyRequests, .cannotStore, .notKept, .notHandedOver, .serviceLost, .serviceBusy, .serviceSilent,
      .serviceRefused, .serviceUnreadable, .log, .monitoring, .fleet, .places,
      .deferral:
      self = .locationUnknown
    }
  }
}
