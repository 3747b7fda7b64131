import CCoreLocation
import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// What a location manager does where threads meet: it takes wishes from its manager's thread and events from the service's,
/// and keeps what is to be told until the run loop comes by. A slow client finds several locations waiting, the newest last.
final class ManagerEngine: Sendable {
  /// What the delegate is to be told.
  enum Outcome: Sendable {
    case locations([CLLocation])
    case failure(CLError.Code)
    case authorization
    /// Updates have paused by themselves, or go on.
    case paused
    case resumed
    /// What came of a request for full accuracy, by its number.
    case fullAccuracy(UInt64, FullAccuracyAnswer)
    case monitored(MonitoringNotice)
  }

  /// So many locations wait only for a client that is slow, or does not come by at all.
  private static let manyWaiting = 8

  private struct State {
    var machine = ManagerMachine()
    var waiting = WaitingOutcomes()
    var location: CLLocation?
    /// What the delegate knows, or is to be told, that the program may have; `nil`: nothing yet.
    var authorization: (status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization)?
    /// Whether a delegate has been told of the authorization, which is the first callback of a manager.
    var isIntroduced = false
    /// Whether the manager has been called to come by, and has not come yet.
    var isCalled = false

    /// Whether the manager has to be called, as it has not been.
    mutating func call() -> Bool {
      defer { isCalled = true }
      return !isCalled
    }
  }

  private let state = Mutex(State())
  let delivery: RunLoopDelivery
  /// The number under which the manager listens; 0 before.
  private let listener = Atomic<UInt64>(0)
  /// The manager's number in the process; 0 before it listens.
  private let managerNumber = Atomic<UInt64>(0)
  /// For requests for one location, which are not shared.
  private let connection = Mutex<ServiceConnection?>(nil)

  init(delivery: RunLoopDelivery) { self.delivery = delivery }

  /// Calls `body` on the manager's thread when there is something to tell.
  func listen(_ body: @escaping () -> Void) {
    listener.store(delivery.listen(body), ordering: .releasing)
    managerNumber.store(SharedUpdates.shared.register(self), ordering: .releasing)
    if let known = ProcessAuthorization.shared.known { authorizationChanged(known) }
  }

  /// The delegate is told once what the program may have, and then of every change.
  func authorizationChanged(_ now: AuthorizationState) {
    let (isNews, isIntroduced) = state.withLock { state in
      // What came before is not told any more.
      if !now.isGranted {
        state.waiting.dropLocations(alsoMoves: true)
        state.location = nil
      }
      let news = (now.status, now.accuracy)
      if let known = state.authorization, known == news { return (false, state.isIntroduced) }
      state.authorization = news
      return (true, state.isIntroduced)
    }
    guard isNews else { return }
    if isIntroduced { tell(.authorization) } else { wake() }
  }

  /// The manager goes: nothing is told any more.
  func end() {
    delivery.forget(listener.load(ordering: .acquiring))
    SharedMonitoring.shared.forget(self)
    if let manager { SharedUpdates.shared.forget(manager) }
    connection.withLock { $0 = nil }
  }

  /// The latest location that this manager was given, else the latest of this process.
  var location: CLLocation? { state.withLock { $0.location } ?? SharedUpdates.shared.location }

  /// The number under which the manager is called; `nil` before it listens.
  var number: RunLoopDelivery.Number? {
    let number = listener.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// The manager's number in the process; `nil` before it listens.
  var manager: UInt64? {
    let manager = managerNumber.load(ordering: .acquiring)
    return manager == 0 ? nil : manager
  }

  /// Takes a wish of the manager.
  func handle(_ input: ManagerMachine.Input) { if hear(input, as: nil) { call() } }

  /// Takes a wish, or an event, whose fix others are told as `location`; whether the manager is to be called for it.
  func hear(_ input: ManagerMachine.Input, as location: CLLocation?) -> Bool {
    let actions = state.withLock { state in
      // Who has stopped is not told what came before.
      if case .stop = input { state.waiting.dropLocations() }
      return state.machine.handle(input)
    }
    var isToBeCalled = false
    for action in actions {
      switch action {
      case .send(let request): send(request)
      case .deliver(let fix):
        if let location {
          isToBeCalled = add(location) || isToBeCalled
        } else {
          SharedUpdates.shared.handle(.located(fix))
          isToBeCalled = add(SharedUpdates.shared.location(of: fix)) || isToBeCalled
        }
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

  /// Has the delegate told of something.
  func tell(_ outcome: Outcome) { if add(outcome) { call() } }

  /// Has the delegate told of what is monitored; `false`: too much waits for a manager that does not come by.
  func tell(_ notice: MonitoringNotice) -> Bool {
    let (isTaken, isToBeCalled) = state.withLock { state in
      state.waiting.add(.monitored(notice)) ? (true, state.call()) : (false, false)
    }
    if isToBeCalled { call() }
    return isTaken
  }

  /// The manager is about to tell of a significant change; it may have been given a newer location meanwhile.
  func note(_ location: CLLocation) {
    state.withLock { state in
      if state.location.map({ $0.timestamp <= location.timestamp }) ?? true { state.location = location }
    }
  }

  /// Has the manager come by on its thread.
  func wake() { if state.withLock({ $0.call() }) { call() } }

  /// The manager has come by: how much it finds. What is added from now on is for the next time. `nil`: the authorization is not
  /// known yet, and everything waits for it; the manager is called again once it is.
  func beginTelling() -> Int? {
    state.withLock { state in
      state.isCalled = false
      return state.authorization == nil ? nil : state.waiting.count
    }
  }

  /// Whether a delegate is to be told of the authorization before all else; it counts as told then.
  func introduce() -> Bool {
    state.withLock { state in
      defer { state.isIntroduced = true }
      return !state.isIntroduced
    }
  }

  /// The manager has a delegate, the first of which is told of the authorization.
  func delegateChanged() { if state.withLock({ !$0.isIntroduced }) { wake() } }

  /// What is to be told next; `nil` where it was taken back meanwhile.
  func nextOutcome() -> Outcome? { state.withLock { $0.waiting.next() } }

  // MARK: -

  private func send(_ request: ClientRequest) {
    let manager = managerNumber.load(ordering: .acquiring)
    switch request {
    case .startUpdates(let id, let options):
      SharedUpdates.shared.handle(.join(SharedStreams.Follower(manager: manager, request: id), options))
    case .cancel(let id):
      SharedUpdates.shared.handle(.leave(SharedStreams.Follower(manager: manager, request: id)))
      // Where it was a request for one location.
      connection.withLock { $0 }?.send(request)
    case .locate, .watchSky, .listenIn, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log,
      .authorization, .wifi, .monitoring:
      service.send(request)
    }
  }

  private var service: ServiceConnection {
    connection.withLock { connection in
      if let connection { return connection }
      let made = LocationService.shared.connect { [weak self] event in
        self?.handle(event.map { .event($0) } ?? .serviceEnded)
      }
      connection = made
      return made
    }
  }

  /// Whether the manager is to be called for it.
  private func add(_ location: CLLocation) -> Bool {
    let (isToBeCalled, count) = state.withLock { state in
      state.location = location
      let count = state.waiting.add(location)
      return (state.call(), count)
    }
    // It was called before, and has not come by.
    if !isToBeCalled, let number { delivery.complainIfDeaf(number, isLate: count >= Self.manyWaiting) }
    return isToBeCalled
  }

  private func add(_ outcome: Outcome) -> Bool {
    state.withLock { state in
      state.waiting.add(outcome)
      return state.call()
    }
  }

  private func call() { if let number { delivery.wake([number]) } }
}
