import CCoreLocation
import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// The part of a location manager that is shared between threads: it receives requests from the manager's thread and events from
/// the service's thread, and queues the outcomes until the manager's run loop delivers them. A slow client receives several
/// locations at once, the newest last.
final class ManagerEngine: Sendable {
  /// An outcome to deliver to the delegate.
  enum Outcome: Sendable {
    case locations([CLLocation])
    /// Deferred updates, which are delivered in one callback.
    case deferredLocations([CLLocation])
    /// A call that deferred updates has ended; without an error if its distance or time was reached.
    case deferralFinished(CLError.Code?)
    case failure(CLError.Code)
    case authorization
    /// Updates have paused automatically, or have resumed.
    case paused
    case resumed
    /// The answer to a request for full accuracy, by its number.
    case fullAccuracy(UInt64, FullAccuracyAnswer)
    case monitored(MonitoringNotification)
  }

  /// As many locations wait only if the client is slow, or its run loop does not run.
  private static let manyWaiting = 8

  private struct State {
    var machine = ManagerMachine(numbers: LocationService.shared.numbers)
    var waiting = WaitingOutcomes()
    var location: CLLocation?
    /// The authorization that was, or is about to be, delivered to the delegate; `nil` if there is none yet.
    var authorization: (status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization)?
    /// Whether a delegate has received the authorization, which is a manager's first callback.
    var isIntroduced = false
    /// Whether a wakeup of the manager is pending.
    var isCalled = false

    /// Marks the wakeup as pending; returns whether the manager has to be woken.
    mutating func call() -> Bool {
      defer { isCalled = true }
      return !isCalled
    }
  }

  private let state = Mutex(State())
  let delivery: RunLoopDelivery
  /// The manager's number as a listener of its run loop; 0 before it listens.
  private let listener = Atomic<UInt64>(0)
  /// The manager's number in the process; 0 before it listens.
  private let managerNumber = Atomic<UInt64>(0)
  /// The requests for one location, which are not shared.
  private let conversation = ServiceConversation()

  init(delivery: RunLoopDelivery) { self.delivery = delivery }

  /// Calls `body` on the manager's thread when outcomes are pending.
  func listen(_ body: @escaping () -> Void) {
    listener.store(delivery.listen(body), ordering: .releasing)
    managerNumber.store(SharedUpdates.shared.register(self), ordering: .releasing)
    if let known = ProcessAuthorization.shared.known { authorizationChanged(known) }
  }

  /// Delivers the authorization to the delegate once, and then every change.
  func authorizationChanged(_ now: AuthorizationState) {
    let (isUpdate, isIntroduced) = state.withLock { state in
      // Discards undelivered locations when access ends.
      if !now.isGranted {
        state.waiting.dropLocations(alsoMoves: true)
        state.location = nil
      }
      let event = (now.status, now.accuracy)
      if let known = state.authorization, known == event { return (false, state.isIntroduced) }
      state.authorization = event
      return (true, state.isIntroduced)
    }
    guard isUpdate else { return }
    if isIntroduced { enqueue(.authorization) } else { wake() }
  }

  /// Called when the manager is released: no callbacks follow.
  func end() {
    delivery.forget(listener.load(ordering: .acquiring))
    SharedMonitoring.shared.forget(self)
    if let manager { SharedUpdates.shared.forget(manager) }
    conversation.end()
  }

  /// The latest location of this manager, or else the latest of this process.
  var location: CLLocation? { state.withLock { $0.location } ?? SharedUpdates.shared.location }

  /// The number of the manager in its run loop's delivery; `nil` before it listens.
  var number: RunLoopDelivery.Number? {
    let number = listener.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// The manager's number in the process; `nil` before it listens.
  var manager: UInt64? {
    let manager = managerNumber.load(ordering: .acquiring)
    return manager == 0 ? nil : manager
  }

  func handle(_ input: ManagerMachine.Input) { if receive(input, as: nil) { call() } }

  /// Handles a request or an event; `location` is the shared location object of its fix. Returns whether the manager
  /// has to be woken.
  func receive(_ input: ManagerMachine.Input, as location: CLLocation?) -> Bool {
    let actions = state.withLock { state in
      // After a stop, undelivered locations are discarded, except for deferred ones and those before them.
      if case .stop = input, !state.machine.isDeferring { state.waiting.dropLocations() }
      return state.machine.handle(input)
    }
    var isToBeCalled = false
    for action in actions {
      switch action {
      case .startUpdates(let request, let options):
        SharedUpdates.shared.handle(.join(follower(request), options))
      case .locate(let request, let options):
        conversation.send(.locate(options), as: request) { [weak self] in self?.handle(.answer(request, $0)) }
        flush()
      case .cancel(let request):
        SharedUpdates.shared.handle(.leave(follower(request)))
        // Has an effect only if the request was for one location.
        conversation.cancel(request)
        flush()
      case .deliver(let fix):
        if let location {
          isToBeCalled = add(location) || isToBeCalled
        } else {
          SharedUpdates.shared.handle(.located(fix))
          isToBeCalled = add(SharedUpdates.shared.location(of: fix)) || isToBeCalled
        }
      case .deferUpdates(let call, let stream, let limits):
        SharedUpdates.shared.handle(.deferUpdates(follower(stream), call: call, limits))
      case .deliverTogether(let fixes):
        isToBeCalled = add(fixes.map { SharedUpdates.shared.location(of: $0) }) || isToBeCalled
      case .finishDeferral(let outcome): isToBeCalled = add(.deferralFinished(CLError.Code(outcome))) || isToBeCalled
      case .fail(.locationUnknown): isToBeCalled = add(.failure(.locationUnknown)) || isToBeCalled
      case .pause: isToBeCalled = add(.paused) || isToBeCalled
      case .resume: isToBeCalled = add(.resumed) || isToBeCalled
      case .fail(.denied):
        SharedUpdates.shared.handle(.denied)
        isToBeCalled = add(.failure(.denied)) || isToBeCalled
      }
    }
    return isToBeCalled
  }

  /// Queues an outcome for the delegate.
  func enqueue(_ outcome: Outcome) { if add(outcome) { call() } }

  /// Queues a monitoring outcome for the delegate; returns `false` if the queue is full, because the manager's run loop
  /// does not run.
  func enqueue(_ notice: MonitoringNotification) -> Bool {
    let (isTaken, isToBeCalled) = state.withLock { state in
      state.waiting.add(.monitored(notice)) ? (true, state.call()) : (false, false)
    }
    if isToBeCalled { call() }
    return isTaken
  }

  /// Records the location of a significant change that is about to be delivered, unless the manager has a newer one.
  func note(_ location: CLLocation) {
    state.withLock { state in
      if state.location.map({ $0.timestamp <= location.timestamp }) ?? true { state.location = location }
    }
  }

  /// Schedules a call of the manager on its thread.
  func wake() { if state.withLock({ $0.call() }) { call() } }

  /// Called on the manager's run loop; returns the number of pending outcomes. Outcomes added later wait for the next
  /// call. `nil`: the authorization is not known yet, so all outcomes wait, and the manager is woken again once it is
  /// known.
  func beginDelivery() -> Int? {
    state.withLock { state in
      state.isCalled = false
      return state.authorization == nil ? nil : state.waiting.count
    }
  }

  /// Whether a delegate is to receive the authorization before anything else; marks it as delivered.
  func introduce() -> Bool {
    state.withLock { state in
      defer { state.isIntroduced = true }
      return !state.isIntroduced
    }
  }

  /// Called when the manager has a new delegate; the first delegate receives the authorization.
  func delegateChanged() { if state.withLock({ !$0.isIntroduced }) { wake() } }

  /// The next outcome to deliver; `nil` if it was discarded in the meantime.
  func nextOutcome() -> Outcome? { state.withLock { $0.waiting.next() } }

  // MARK: -

  private func follower(_ request: RequestID) -> SharedStreams.Follower {
    SharedStreams.Follower(manager: managerNumber.load(ordering: .acquiring), request: request)
  }

  private func flush() { conversation.flush { [weak self] in self?.handle(.serviceEnded) } }

  /// Queues a location; returns whether the manager has to be woken.
  private func add(_ location: CLLocation) -> Bool {
    let (isToBeCalled, count) = state.withLock { state in
      state.location = location
      let count = state.waiting.add(location)
      return (state.call(), count)
    }
    // A wakeup is already pending, and the run loop has not reacted to it.
    if !isToBeCalled, let number { delivery.complainIfDeaf(number, isLate: count >= Self.manyWaiting) }
    return isToBeCalled
  }

  /// Queues deferred locations; returns whether the manager has to be woken.
  private func add(_ locations: [CLLocation]) -> Bool {
    state.withLock { state in
      state.location = locations.last
      state.waiting.add(locations)
      return state.call()
    }
  }

  private func add(_ outcome: Outcome) -> Bool {
    state.withLock { state in
      state.waiting.add(outcome)
      return state.call()
    }
  }

  private func call() { if let number { delivery.wake([number]) } }
}
