package import Geodesy

/// What one location manager asks of the service, and what its client hears: updates and a request for one location exclude
/// each other, and every request is answered exactly once unless it is cancelled (spec/behaviour.md §2 and §3).
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
    /// The service has ended of itself.
    case serviceEnded
  }

  package enum Action: Hashable, Sendable {
    case send(ClientRequest)
    case deliver(PositionFix)
    case fail(ManagerFailure)
  }

  private enum State {
    case idle
    case updating(RequestID, UpdateOptions, hasFailed: Bool)
    case requesting(RequestID)
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
    case (.requesting(let request), .start(let options)): return [.send(.cancel(request))] + begin(options)
    // Started already: nothing begins anew.
    case (.updating, .start): return []
    case (.updating(let request, let old, _), .change(let options)):
      return options == old ? [] : begin(options) + [.send(.cancel(request))]
    case (.idle, .change), (.requesting, .change): return []
    case (.updating(let request, _, _), .stop), (.requesting(let request), .stop):
      state = .idle
      return [.send(.cancel(request))]
    case (.idle, .stop): return []
    case (.idle, .request(let options)):
      let request = newRequest()
      state = .requesting(request)
      return [.send(.locate(request, options))]
    // Updates answer already; and one request at a time.
    case (.updating, .request), (.requesting, .request): return []
    case (.updating(let request, let options, let hasFailed), .event(let event)):
      return hear(event, of: request, options, hasFailed: hasFailed)
    case (.requesting(let request), .event(let event)): return hear(event, answering: request)
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
    let request = newRequest()
    state = .updating(request, options, hasFailed: false)
    return [.send(.startUpdates(request, options))]
  }

  private mutating func hear(
    _ event: ServiceEvent, of request: RequestID, _ options: UpdateOptions, hasFailed: Bool
  ) -> [Action] {
    switch event {
    case .update(request, let fix, _):
      state = .updating(request, options, hasFailed: false)
      return [.deliver(fix)]
    // It goes on being looked for; told once, until there is one again.
    case .streamChanged(request, .lost), .progress(request, .waitingForSource):
      guard !hasFailed else { return [] }
      state = .updating(request, options, hasFailed: true)
      return [.fail(.locationUnknown)]
    case .failed(request, let failure):
      state = .idle
      return [.fail(ManagerFailure(failure))]
    case .streamChanged, .located, .failed, .update, .progress, .devices, .sky, .done: return []
    }
  }

  private mutating func hear(_ event: ServiceEvent, answering request: RequestID) -> [Action] {
    switch event {
    case .located(request, let fix, _, _):
      state = .idle
      return [.deliver(fix)]
    case .failed(request, let failure):
      state = .idle
      return [.fail(ManagerFailure(failure))]
    case .located, .failed, .update, .streamChanged, .progress, .devices, .sky, .done: return []
    }
  }
}
