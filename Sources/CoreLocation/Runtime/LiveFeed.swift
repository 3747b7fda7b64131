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
      continuation.onTermination = { _ in feed.handle(.stop) }
      feed.handle(.start(UpdateOptions(activity: Activity(configuration), waitsForSource: true)))
    }
  }
}

/// One iteration of live updates, where the service's thread and the task meet.
private final class LiveFeed: Sendable {
  private let continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation
  private let machine = Mutex(ManagerMachine())
  private let connection = Mutex<ServiceConnection?>(nil)

  init(_ continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation) {
    self.continuation = continuation
    // The connection holds the feed, and ends with the iteration.
    let made = LocationService.shared.connect { [self] event in
      handle(event.map { .event($0) } ?? .serviceEnded)
    }
    connection.withLock { $0 = made }
  }

  func handle(_ input: ManagerMachine.Input) {
    let actions = machine.withLock { $0.handle(input) }
    for action in actions {
      switch action {
      case .send(let request): connection.withLock { $0 }?.send(request)
      case .deliver(let fix): continuation.yield(CLLocationUpdate(location: SharedUpdates.shared.location(of: fix)))
      case .fail(.locationUnknown): continuation.yield(CLLocationUpdate(location: nil, .locationUnavailable))
      case .fail(.denied): continuation.yield(CLLocationUpdate(location: nil, .authorizationDenied))
      }
    }
    if input == .stop { connection.withLock { $0 = nil } }
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
