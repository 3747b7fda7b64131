import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import Synchronization

/// The updates of this process's managers and live updates, shared by their threads and the service's thread: one
/// stream from the service for all with equal settings, one location object per fix, and one wakeup per run loop.
final class SharedUpdates: Sendable {
  /// The shared instance.
  static let shared = SharedUpdates()

  private struct State {
    var streams = SharedStreams(numbers: LocationService.shared.numbers)
    var followers: [UInt64: any UpdateFollower] = [:]
    var nextManager: UInt64 = 1
    /// The latest delivered fix, and its location object.
    var latest: (fix: PositionFix, location: CLLocation)?
  }

  private let state = Mutex(State())
  private let conversation = ServiceConversation()

  private init() { _ = ProcessAuthorization.shared.listen { [self] in authorizationChanged($0) } }

  /// Registers a follower; returns its manager number in this process.
  func register(_ follower: any UpdateFollower) -> UInt64 {
    state.withLock { state in
      defer { state.nextManager += 1 }
      state.followers[state.nextManager] = follower
      return state.nextManager
    }
  }

  /// Called when a manager has been released, or an iteration has ended: it follows no stream and receives no callbacks.
  func forget(_ manager: UInt64) {
    // Released outside the lock.
    let follower = state.withLock { $0.followers.removeValue(forKey: manager) }
    handle(.gone(manager: manager))
    withExtendedLifetime(follower) {}
  }

  /// Handles a request of a manager, or the result of a request that is not shared.
  func handle(_ input: SharedStreams.Input) {
    let actions = state.withLock { state in
      let actions = state.streams.handle(input, at: MonotonicClock.now(), clock: WallClock.now())
      for action in actions { send(action) }
      return actions
    }
    conversation.flush { [self] in handle(.serviceEnded) }
    if case .join = input { complainIfUndecided(ProcessAuthorization.shared.known) }
    for action in actions {
      switch action {
      case .startUpdates, .locate, .cancel, .deferUpdates: break
      case .notifyBatch(let followers, let batch): notify(followers, nil) { .batch($0, batch) }
      case .deferralEnded(let follower, let call, let failure):
        notify([follower], nil) { _ in .deferralEnded(call, failure) }
      case .notify(let followers, let event):
        let position: PositionFix? = if case .reply(.fix(let fix, _)) = event { fix } else { nil }
        notify(followers, position) { .stream($0, event) }
      case .known(let followers, let fix): notify(followers, fix) { _ in .known(fix) }
      case .serviceEnded(let followers): notify(followers, nil) { _ in .serviceEnded }
      case .authorize(let isAllowed): authorize(isAllowed)
      }
    }
  }

  /// The latest location delivered to this process; `nil` before the first.
  var location: CLLocation? { state.withLock { $0.latest?.location } }

  /// Returns the same location object for the same fix, for all followers.
  func location(of fix: PositionFix) -> CLLocation {
    state.withLock { state in
      if let latest = state.latest, latest.fix == fix { return latest.location }
      let made = CLLocation(fix)
      if state.latest.map({ $0.fix.receivedAt < fix.receivedAt }) ?? true { state.latest = (fix, made) }
      return made
    }
  }

  // MARK: -

  /// Queues the request of an action.
  private func send(_ action: SharedStreams.Action) {
    switch action {
    case .startUpdates(let request, let options):
      conversation.send(.deferrableUpdates(options), as: request) { [self] event in
        let single: RequestEvent<FixEvent>
        switch event {
        case .reply(.batch(let batch, _)): return handle(.batch(request, batch))
        case .reply(.single(let reply)): single = .reply(reply)
        case .progress(let progress): single = .progress(progress)
        case .failed(let failure): single = .failed(failure)
        }
        UsageWarning(single)?.emit()
        handle(.stream(request, single))
      }
    case .locate(let request, let options):
      conversation.send(.locate(options), as: request) { [self] in handle(.answer(request, $0)) }
    case .cancel(let request): conversation.cancel(request)
    case .deferUpdates(let call, let stream, let limits):
      conversation.send(.deferUpdates(of: stream, limits), as: call) { [self] event in
        switch event {
        case .reply: handle(.deferralEnded(call: call, nil))
        case .failed(let failure): handle(.deferralEnded(call: call, failure))
        case .progress: break
        }
      }
    case .notify, .notifyBatch, .deferralEnded, .known, .serviceEnded, .authorize: break
    }
  }

  /// Passes an event to its followers. `input`: the event for a follower, made from its number for the stream.
  private func notify(
    _ followers: [SharedStreams.Follower], _ position: PositionFix?, _ input: (RequestID) -> ManagerMachine.Input
  ) {
    let location = position.map { self.location(of: $0) }
    let listeners = state.withLock { state in followers.map { state.followers[$0.manager] } }
    var calls = DeliveryCalls()
    for (follower, listener) in zip(followers, listeners) {
      listener?.receive(input(follower.request), as: location, &calls)
    }
    calls.make()
  }

  private func authorize(_ isAllowed: Bool) { ProcessAuthorization.shared.setReadable(isAllowed) }

  private func authorizationChanged(_ now: AuthorizationState) {
    if !now.isGranted || now.authorization.isReduced {
      state.withLock { $0.latest = nil }
      handle(.barred)
    }
    let followers = state.withLock { state in state.followers.sorted { $0.key < $1.key }.map(\.value) }
    for follower in followers { follower.authorizationChanged(now) }
    complainIfUndecided(now)
  }

  /// Delay of the message, in seconds: many programs start updates first, and request authorization afterwards.
  private static let patience = 1.0

  /// Without this message, a program that has not requested authorization would wait for locations silently.
  private func complainIfUndecided(_ known: AuthorizationState?) {
    guard let known, isUnanswered(known) else { return }
    DelayedCall.make(after: Self.patience) { [self] in
      if let known = ProcessAuthorization.shared.known, isUnanswered(known) { UsageWarning.undecided.emit() }
    }
  }

  private func isUnanswered(_ known: AuthorizationState) -> Bool {
    ProcessAuthorization.shared.isUnasked(known) && state.withLock { !$0.streams.isEmpty }
  }
}

/// A follower of shared updates: a manager, or an iteration of live updates.
protocol UpdateFollower: AnyObject, Sendable {
  /// Receives an event of a stream, with the shared `location` object of its fix; called on the service's thread, or
  /// from within a call of the follower. A manager that has to be woken is added to `calls`.
  func receive(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls)
  /// Called when this program's authorization is known, or has changed.
  func authorizationChanged(_ state: AuthorizationState)
}

extension ManagerEngine: UpdateFollower {
  func receive(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls) {
    if receive(input, as: location) { calls.add(self) }
  }
}
