import Foundation
import LocationIPC
import Synchronization

/// Live updates of the process's service: begun with the iteration, ended with it. The newest counts, as places go stale.
struct HostedLocationStream: LocationStream {
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let feed = LiveFeed(continuation)
      continuation.onTermination = { _ in feed.end() }
      feed.begin(UpdateOptions(activity: Activity(configuration), waitsForSource: true))
    }
  }
}

/// One iteration of live updates, where the service's thread and the task meet.
private final class LiveFeed: UpdateFollower {
  private let continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation
  private let machine = Mutex(ManagerMachine())
  /// Its number among those who follow; 0 before.
  private let number = Atomic<UInt64>(0)

  init(_ continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation) {
    self.continuation = continuation
  }

  func begin(_ options: UpdateOptions) {
    // It is held there, and let go of with the iteration's end.
    number.store(SharedUpdates.shared.register(self), ordering: .releasing)
    handle(.start(options), as: nil)
  }

  func end() {
    handle(.stop, as: nil)
    SharedUpdates.shared.forget(number.load(ordering: .acquiring))
  }

  func hear(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls) {
    handle(input, as: location)
  }

  /// A denial comes as the failure of the stream.
  func authorizationChanged() {}

  private func handle(_ input: ManagerMachine.Input, as location: CLLocation?) {
    for action in machine.withLock({ $0.handle(input) }) {
      switch action {
      case .send(let request): send(request)
      case .deliver(let fix):
        continuation.yield(CLLocationUpdate(location: location ?? SharedUpdates.shared.location(of: fix)))
      case .fail(.locationUnknown): continuation.yield(CLLocationUpdate(location: nil, .locationUnavailable))
      case .fail(.denied): continuation.yield(CLLocationUpdate(location: nil, .authorizationDenied))
      }
    }
  }

  private func send(_ request: ClientRequest) {
    let follower = SharedStreams.Follower(manager: number.load(ordering: .acquiring), request: request.id)
    switch request {
    case .startUpdates(_, let options): SharedUpdates.shared.handle(.join(follower, options))
    case .cancel: SharedUpdates.shared.handle(.leave(follower))
    // Updates ask for nothing else.
    case .locate, .watchSky, .listenIn, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log,
      .authorization:
      break
    }
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
    }
  }
}
