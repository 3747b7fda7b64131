package import Geodesy

/// What one location manager asks of the service, and what its client hears: updates and a request for one location exclude
/// each other, and every request is answered exactly once unless it is cancelled (Documentation/Behavior.md, "Streams" and "One
/// fix").
///
/// Its distance filter is applied here, so that managers that differ in nothing else may follow one stream.
package struct ManagerMachine: Sendable {
  package enum Input: Hashable, Sendable {
    /// `startUpdatingLocation`, with the manager's settings.
    case start(UpdateOptions)
    /// A setting has changed; what is under way follows it.
    case change(UpdateOptions)
    /// `stopUpdatingLocation`.
    case stop
    /// `requestLocation`.
    case request(OneShotOptions)
    case event(ServiceEvent)
    /// A fix from before: updates that have told nothing yet begin with it. A request for one location does not take it.
    case known(PositionFix)
    /// The service has ended of itself.
    case serviceEnded
  }

  package enum Action: Hashable, Sendable {
    case send(ClientRequest)
    case deliver(PositionFix)
    case fail(ManagerFailure)
    /// Updates have paused by themselves (Documentation/Behavior.md, "Activity and automatic pause").
    case pause
    case resume
  }

  private enum State {
    case idle
    case updating(ManagerUpdates)
    /// `trial`: asks why there is no source, where there is none; `nil`: nobody asks now.
    case requesting(RequestID, trial: RequestID?)
  }

  private var state = State.idle
  private var nextRequest: UInt32 = 1

  /// A manager that asks for nothing.
  package init() {}

  /// Whether anything is under way.
  package var isIdle: Bool { if case .idle = state { true } else { false } }

  package mutating func handle(_ input: Input) -> [Action] {
    switch (state, input) {
    case (.idle, .start(let options)): return begin(options)
    case (.requesting(let request, let trial), .start(let options)): return cancel(request, trial) + begin(options)
    case (.updating(let updates), .start(let options)) where updates.isPaused: return restart(updates, options)
    // Started already: nothing begins anew.
    case (.updating, .start): return []
    case (.updating(let updates), .change(let options)): return change(updates, to: options)
    case (.idle, .change), (.requesting, .change): return []
    case (.updating(let updates), .stop):
      state = .idle
      return [.send(.cancel(updates.request))]
    case (.requesting(let request, let trial), .stop):
      state = .idle
      return cancel(request, trial)
    case (.idle, .stop): return []
    case (.idle, .request(let options)):
      let request = newRequest()
      state = .requesting(request, trial: nil)
      return [.send(.locate(request, options))]
    // Updates answer already; and one request at a time.
    case (.updating, .request), (.requesting, .request): return []
    case (.updating(let updates), .event(let event)): return hear(event, updates)
    case (.requesting(let request, let trial), .event(let event)): return hear(event, answering: request, trial)
    case (.updating(var updates), .known(let fix)):
      guard updates.begins(with: fix) else { return [] }
      state = .updating(updates)
      return [.deliver(fix)]
    case (.idle, .known), (.requesting, .known): return []
    case (.updating, .serviceEnded), (.requesting, .serviceEnded):
      state = .idle
      return [.fail(.locationUnknown)]
    case (.idle, .serviceEnded): return []
    // An answer that was under way when it was cancelled.
    case (.idle, .event): return []
    }
  }

  private mutating func newRequest() -> RequestID {
    defer { nextRequest &+= 1 }
    return RequestID(nextRequest)
  }

  private mutating func begin(_ options: UpdateOptions) -> [Action] {
    let updates = ManagerUpdates(request: newRequest(), options)
    state = .updating(updates)
    return [.send(.startUpdates(updates.request, updates.streamOptions))]
  }

  /// Updates begin anew, with another stream, which knows of no pause.
  private mutating func restart(_ old: ManagerUpdates, _ options: UpdateOptions) -> [Action] {
    var updates = old
    updates.request = newRequest()
    updates.options = options
    updates.isPaused = false
    state = .updating(updates)
    return [.send(.startUpdates(updates.request, updates.streamOptions)), .send(.cancel(old.request))]
      + (old.isPaused ? [.resume] : [])
  }

  /// Another distance filter is no other stream.
  private mutating func change(_ old: ManagerUpdates, to options: UpdateOptions) -> [Action] {
    var updates = old
    updates.options = options
    if updates.streamOptions != old.streamOptions { return restart(old, options) }
    state = .updating(updates)
    return []
  }

  private mutating func hear(_ event: ServiceEvent, _ heard: ManagerUpdates) -> [Action] {
    var updates = heard
    let request = heard.request
    switch event {
    case .update(request, let fix, _):
      let isTold = updates.takes(fix)
      state = .updating(updates)
      return isTold ? [.deliver(fix)] : []
    // It goes on being looked for; told once, until there is one again.
    case .streamChanged(request, .lost), .progress(request, .waitingForSource):
      guard !updates.hasFailed else { return [] }
      updates.hasFailed = true
      state = .updating(updates)
      return [.fail(.locationUnknown)]
    case .streamChanged(request, .paused), .streamChanged(request, .unpaused):
      let isPaused = event == .streamChanged(request, .paused)
      guard updates.isPaused != isPaused else { return [] }
      updates.isPaused = isPaused
      state = .updating(updates)
      return [isPaused ? .pause : .resume]
    case .failed(request, let failure):
      state = .idle
      return [.fail(ManagerFailure(failure))]
    case .streamChanged, .located, .failed, .update, .progress, .devices, .sky, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      return []
    }
  }

  /// A request waits for a receiver that is still to be plugged in, or to be enumerated after boot. A receiver that is there and
  /// that this user may not open is nothing to wait for; a second request, which does not wait, finds out which it is.
  private mutating func hear(
    _ event: ServiceEvent, answering request: RequestID, _ trial: RequestID?
  ) -> [Action] {
    switch event {
    case .located(request, let fix, _, _):
      state = .idle
      return cancel(nil, trial) + [.deliver(fix)]
    case .failed(request, let failure):
      state = .idle
      return cancel(nil, trial) + [.fail(ManagerFailure(failure))]
    case .progress(request, .waitingForSource):
      guard trial == nil else { return [] }
      let trial = newRequest()
      state = .requesting(request, trial: trial)
      let options = OneShotOptions(timeout: SharedStreams.trialTimeout, maximumAge: .zero, ifUndecided: .fails)
      return [.send(.locate(trial, options))]
    case .failed(trial, .permissionDenied):
      state = .idle
      return [.send(.cancel(request)), .fail(.denied)]
    case .failed(trial, _), .located(trial, _, _, _):
      state = .requesting(request, trial: nil)
      return []
    case .located, .failed, .update, .streamChanged, .progress, .devices, .sky, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      return []
    }
  }

  private func cancel(_ request: RequestID?, _ trial: RequestID?) -> [Action] {
    [request, trial].compactMap { $0.map { .send(.cancel($0)) } }
  }
}

/// One manager's updates while they run: the stream that it follows, and what of it the delegate is told.
struct ManagerUpdates: Sendable {
  /// The request that the stream answers.
  var request: RequestID
  /// What the manager wants, its distance filter too.
  var options: UpdateOptions
  /// Whether the delegate was told that there is no location, and has got none since.
  var hasFailed = false
  /// Whether the delegate was told that they have paused.
  var isPaused = false
  /// The fix that the distance filter measures from; `nil`: nothing was told yet.
  private var told: PositionFix?

  init(request: RequestID, _ options: UpdateOptions) {
    self.request = request
    self.options = options
  }

  /// What is asked of the service: everything, as the distance filter is applied here.
  var streamOptions: UpdateOptions {
    var options = options
    options.distanceFilter = nil
    return options
  }

  /// Whether updates begin with a fix from before: where they have not begun with another.
  mutating func begins(with known: PositionFix) -> Bool {
    guard told == nil else { return false }
    told = known
    return true
  }

  /// Whether a fix of the stream is told.
  mutating func takes(_ fix: PositionFix) -> Bool {
    defer { hasFailed = false }
    if let told {
      // The one that they began with.
      if fix.time == told.time, fix.device == told.device { return false }
      // After a loss every place is news.
      if let distance = options.distanceFilter, !hasFailed, !fix.isNews(after: told, beyond: distance) { return false }
    }
    // A suspect fix is told, but nothing is measured from it.
    if fix.suspicion == nil { told = fix }
    return true
  }
}

/// Why a manager has no location, in the two ways that its client can tell apart.
package enum ManagerFailure: Hashable, Sendable {
  /// None now; there may be one later.
  case locationUnknown
  /// This user may not have one.
  case denied

  init(_ failure: LocationFailure) {
    switch failure {
    case .permissionDenied: self = .denied
    case .notAuthorized(let denial, _): self = denial.isRefusal ? .denied : .locationUnknown
    case .noSource, .noKnownAccessPoint, .radio, .placesNotKept, .noGPSD, .noReceiverAtGPSD, .untrustedAdapters,
      .portInUse, .cannotOpen, .nothingHeard,
      .nothingHeardYet, .noSatellites, .noFixYet, .notAccurateEnough,
      .noUsableFix, .sourceEnded, .badRecording, .unknownDevice,
      .tooManyRequests, .cannotStore, .notKept, .notHandedOver, .serviceLost, .serviceBusy, .serviceSilent,
      .serviceRefused, .serviceUnreadable, .log, .monitoring:
      self = .locationUnknown
    }
  }
}
