import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// Live updates of the process's service, which start and stop with the iteration. Only the newest update is buffered,
/// because locations become stale.
struct HostedLocationStream: LocationStream {
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      // While access is not determined, the stream waits and prompts no one: the session requests access.
      let feed = LiveFeed(
        continuation,
        UpdateOptions(
          activity: Activity(configuration), waitsForSource: true, whenNotDetermined: .waits,
          allowsBackground: LiveFeed.allowsBackground))
      continuation.onTermination = { _ in feed.end() }
      feed.begin()
    }
  }
}

/// One iteration of live updates, shared by the service's thread and the task.
private final class LiveFeed: UpdateFollower {
  private let continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation
  private let machine: Mutex<LiveMachine>
  /// Its number as a follower of updates; 0 before it follows them.
  private let number = Atomic<UInt64>(0)
  /// Its number as a listener to the program's sessions; 0 before it listens.
  private let sessions = Atomic<UInt64>(0)

  /// Whether updates continue in the background: the Info.plist must allow it, and the program must have
  /// `authorizedAlways`, which the service checks, or stay in use.
  static var allowsBackground: Bool {
    guard ProgramDescription.shared.mayRunInBackground else { return false }
    return ProcessSessions.shared.isActive || ProcessAuthorization.shared.known?.status == .authorizedAlways
  }

  init(_ continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation, _ options: UpdateOptions) {
    self.continuation = continuation
    let session = SessionMachine(
      SessionRequirement(authorization: .whenInUse, isImplicit: true),
      isExplicit: ProgramDescription.shared.requiresSession, coverage: ProcessSessions.shared.coverage)
    machine = Mutex(LiveMachine(options, session: session, numbers: LocationService.shared.numbers))
  }

  func begin() {
    // `SharedUpdates` keeps this object until the iteration ends.
    number.store(SharedUpdates.shared.register(self), ordering: .releasing)
    let listener = ProcessSessions.shared.listen { [weak self] in
      self?.handle(.background(Self.allowsBackground), as: nil)
      self?.handle(.session(.coverage(ProcessSessions.shared.coverage)), as: nil)
    }
    sessions.store(listener, ordering: .releasing)
    if let known = ProcessAuthorization.shared.known { handle(.session(.state(known)), as: nil) }
    handle(.begin, as: nil)
  }

  func end() {
    handle(.end, as: nil)
    ProcessSessions.shared.forget(sessions.load(ordering: .acquiring))
    SharedUpdates.shared.forget(number.load(ordering: .acquiring))
  }

  func receive(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls) {
    handle(.updates(input), as: location)
  }

  func authorizationChanged(_ state: AuthorizationState) {
    handle(.background(Self.allowsBackground), as: nil)
    handle(.session(.state(state)), as: nil)
  }

  private func handle(_ input: LiveMachine.Input, as location: CLLocation?) {
    for action in machine.withLock({ $0.handle(input) }) {
      switch action {
      case .startUpdates(let request, let options): SharedUpdates.shared.handle(.join(follower(request), options))
      case .cancel(let request): SharedUpdates.shared.handle(.leave(follower(request)))
      case .askWhenInUse:
        ProcessAuthorization.shared.ask(always: false) { [weak self] in self?.handle(.session(.asked), as: nil) }
      case .deliver(let fix, let circumstances):
        continuation.yield(
          CLLocationUpdate(location: location ?? SharedUpdates.shared.location(of: fix), circumstances))
      case .report(let circumstances): continuation.yield(CLLocationUpdate(location: nil, circumstances))
      }
    }
  }

  private func follower(_ request: RequestID) -> SharedStreams.Follower {
    SharedStreams.Follower(manager: number.load(ordering: .acquiring), request: request)
  }
}

extension Activity {
  fileprivate init(_ configuration: CLLocationUpdate.LiveConfiguration) {
    switch configuration {
    case .default: self = .other
    case .automotiveNavigation: self = .automotiveNavigation
    case .otherNavigation: self = .otherNavigation
    case .fitness: self = .fitness
    case .airborne: self = .airborne
    case .maritime: self = .maritime
    }
  }
}
