import LocationIPC
import LocationPolicy

/// How a call that deferred a manager's updates has ended.
enum DeferralOutcome: Hashable, Sendable {
  /// Its distance or time was reached.
  case reached
  case failed(DeferralFailure)
  /// The program's access was revoked or reduced.
  case denied

  fileprivate init(_ failure: LocationFailure?) {
    switch failure {
    case nil: self = .reached
    case .deferral(let failure)?: self = .failed(failure)
    case .notAuthorized?: self = .denied
    default: self = .failed(.failed)
    }
  }
}

/// The calls of one manager that defer updates, and the streams that end once the service has delivered what it holds for them.
///
/// The service ends a call when another one of the same stream arrives. Therefore a call that ends at once, of which the client learns
/// nothing, asks the service for what it holds; its answer follows the fixes and the end of the call before.
struct ManagerDeferrals: Sendable {
  private struct Call {
    let request: RequestID
    let stream: RequestID
    /// What the delegate learns at the end.
    var end: End
  }

  private enum End: Hashable {
    /// The outcome that the service states; `canceled`, if it says so: the reason for which this manager has canceled it.
    case ofService(canceled: DeferralFailure)
    case always(DeferralOutcome)
    /// Nothing.
    case silent
  }

  private var calls: [Call] = []
  /// Streams that are canceled with the end of their last call.
  private var ending: Set<RequestID> = []

  /// Whether no call is pending.
  var isEmpty: Bool { calls.isEmpty }

  /// Whether the stream only continues until its updates have been delivered.
  func isEnding(_ stream: RequestID) -> Bool { ending.contains(stream) }

  /// Defers the updates of a stream.
  mutating func allow(
    on stream: RequestID, _ limits: DeferralLimits, _ numbers: RequestNumbers
  ) -> ManagerMachine.Action {
    make(on: stream, limits, .ofService(canceled: .canceled), numbers)
  }

  /// Refuses a call, which still ends the one before.
  mutating func refuse(
    on stream: RequestID, _ outcome: DeferralOutcome, _ numbers: RequestNumbers
  ) -> [ManagerMachine.Action] {
    guard hasCalls(on: stream) else { return [.finishDeferral(outcome)] }
    return [make(on: stream, .ended, .always(outcome), numbers)]
  }

  /// Ends the deferral of a stream.
  mutating func end(on stream: RequestID, _ numbers: RequestNumbers) -> [ManagerMachine.Action] {
    hasCalls(on: stream) ? [make(on: stream, .ended, .silent, numbers)] : []
  }

  /// Notes why the calls of a stream are about to end.
  mutating func fail(on stream: RequestID, _ failure: DeferralFailure) {
    for index in calls.indices
    where calls[index].stream == stream && calls[index].end == .ofService(canceled: .canceled) {
      calls[index].end = .ofService(canceled: failure)
    }
  }

  /// Ends a stream after its updates were delivered; `nil`: it can be canceled at once.
  mutating func leave(_ stream: RequestID, _ numbers: RequestNumbers) -> [ManagerMachine.Action]? {
    guard hasCalls(on: stream) else { return nil }
    ending.insert(stream)
    return end(on: stream, numbers)
  }

  /// The service has ended a stream by itself; it ends the calls, too.
  mutating func streamEnded(_ stream: RequestID) { ending.remove(stream) }

  /// The service has ended a call.
  mutating func ended(_ request: RequestID, _ failure: LocationFailure?) -> [ManagerMachine.Action] {
    guard let index = calls.firstIndex(where: { $0.request == request }) else { return [] }
    let call = calls.remove(at: index)
    var actions: [ManagerMachine.Action] = []
    switch call.end {
    case .ofService(let reason):
      let outcome = DeferralOutcome(failure)
      actions.append(.finishDeferral(outcome == .failed(.canceled) ? .failed(reason) : outcome))
    case .always(let outcome): actions.append(.finishDeferral(outcome))
    case .silent: break
    }
    if !hasCalls(on: call.stream), ending.remove(call.stream) != nil { actions.append(.cancel(call.stream)) }
    return actions
  }

  private func hasCalls(on stream: RequestID) -> Bool { calls.contains { $0.stream == stream } }

  private mutating func make(
    on stream: RequestID, _ limits: DeferralLimits, _ end: End, _ numbers: RequestNumbers
  ) -> ManagerMachine.Action {
    let request = numbers.next()
    calls.append(Call(request: request, stream: stream, end: end))
    return .deferUpdates(request, of: stream, limits)
  }
}
