import Dispatch
import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import Synchronization

/// The updates of this process's managers and live updates, where their threads and the service's meet: one stream from the service for all
/// with equal wishes, one location a fix for all of them, one wakeup for each run loop.
final class SharedUpdates: Sendable {
  /// The only one.
  static let shared = SharedUpdates()

  private struct State {
    var streams = SharedStreams()
    var followers: [UInt64: any UpdateFollower] = [:]
    var nextManager: UInt64 = 1
    /// The latest fix that was told, and what it was told as.
    var latest: (fix: PositionFix, location: CLLocation)?
    var outbox = RequestOutbox()
  }

  private let state = Mutex(State())
  private let connection = Mutex<ServiceConnection?>(nil)

  private init() { _ = ProcessAuthorization.shared.listen { [self] in authorizationChanged($0) } }

  /// A manager's number in this process.
  func register(_ follower: any UpdateFollower) -> UInt64 {
    state.withLock { state in
      defer { state.nextManager += 1 }
      state.followers[state.nextManager] = follower
      return state.nextManager
    }
  }

  /// The manager follows nothing any more, and is told nothing.
  func forget(_ manager: UInt64) {
    // Let go of outside the lock.
    let follower = state.withLock { $0.followers.removeValue(forKey: manager) }
    handle(.gone(manager: manager))
    withExtendedLifetime(follower) {}
  }

  /// Takes what a manager wants, or what came of a request that is not shared.
  func handle(_ input: SharedStreams.Input) {
    let actions = state.withLock { state in
      let actions = state.streams.handle(input, at: MonotonicClock.now(), clock: WallClock.now())
      for case .send(let request) in actions { state.outbox.add(request) }
      return actions
    }
    send()
    if case .join = input { complainIfUndecided(ProcessAuthorization.shared.known) }
    for action in actions {
      switch action {
      case .send: break
      case .tell(let followers, let news): tell(followers, news)
      case .authorize(let isAllowed): authorize(isAllowed)
      }
    }
  }

  /// The latest location that this process was told; `nil` before the first.
  var location: CLLocation? { state.withLock { $0.latest?.location } }

  /// One and the same location for one fix, whoever is told of it.
  func location(of fix: PositionFix) -> CLLocation {
    state.withLock { state in
      if let latest = state.latest, latest.fix == fix { return latest.location }
      let made = CLLocation(fix)
      if state.latest.map({ $0.fix.receivedAt < fix.receivedAt }) ?? true { state.latest = (fix, made) }
      return made
    }
  }

  // MARK: -

  /// Hands on what waits, in its order; the service may answer from within.
  private func send() {
    guard state.withLock({ $0.outbox.begin() }) else { return }
    while let request = state.withLock({ $0.outbox.next() }) { service.send(request) }
  }

  private var service: ServiceConnection {
    connection.withLock { connection in
      if let connection { return connection }
      let made = LocationService.shared.connect { [self] event in
        event.flatMap { Complaint($0) }?.say()
        handle(event.map { .event($0) } ?? .serviceEnded)
      }
      connection = made
      return made
    }
  }

  private func tell(_ followers: [SharedStreams.Follower], _ news: StreamNews) {
    let location = news.position.map { self.location(of: $0) }
    let listeners = state.withLock { state in followers.map { state.followers[$0.manager] } }
    var calls = DeliveryCalls()
    for (follower, listener) in zip(followers, listeners) {
      listener?.hear(news.input(for: follower.request), as: location, &calls)
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

  /// Many programs begin updates first, and ask then.
  private static let patience = DispatchTimeInterval.seconds(1)

  /// A program that waits for locations, and has asked nobody, would wait in silence.
  private func complainIfUndecided(_ known: AuthorizationState?) {
    guard let known, isWaitingInVain(known) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
      if let known = ProcessAuthorization.shared.known, isWaitingInVain(known) { Complaint.undecided.say() }
    }
  }

  private func isWaitingInVain(_ known: AuthorizationState) -> Bool {
    ProcessAuthorization.shared.isUnasked(known) && state.withLock { !$0.streams.isEmpty }
  }
}

/// Whoever follows updates that are shared: a manager, or an iteration of live updates.
protocol UpdateFollower: AnyObject, Sendable {
  /// Hears what came of a stream, whose fix others are told as `location`; on the service's thread, or in one's own call. Where
  /// a manager is to come by for it, that is added to `calls`.
  func hear(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls)
  /// What this program may have is known, or has changed.
  func authorizationChanged(_ state: AuthorizationState)
}

extension ManagerEngine: UpdateFollower {
  func hear(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls) {
    if hear(input, as: location) { calls.add(self) }
  }
}
