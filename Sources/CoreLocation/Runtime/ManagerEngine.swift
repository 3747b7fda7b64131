import Foundation
import Geodesy
import LocationIPC
import Synchronization

/// What a location manager does where threads meet: it takes wishes from its manager's thread and events from the service's,
/// and keeps what is to be told until the run loop comes by. A slow client finds several locations waiting, the newest last.
final class ManagerEngine: Sendable {
  /// What the delegate is to be told.
  enum Outcome: Sendable {
    case locations([CLLocation])
    case failure(CLError.Code)
    case authorization
  }

  /// More locations are not kept for a client that does not come by: the oldest go.
  static let mostWaiting = 512

  private struct State {
    var machine = ManagerMachine()
    var waiting: [Outcome] = []
    var count = 0
    var location: CLLocation?
  }

  private let state = Mutex(State())
  private let delivery: RunLoopDelivery
  /// The number under which the manager listens; 0 before.
  private let listener = Atomic<UInt64>(0)
  private let connection = Mutex<ServiceConnection?>(nil)

  init(delivery: RunLoopDelivery) { self.delivery = delivery }

  /// Calls `body` on the manager's thread when there is something to tell.
  func listen(_ body: @escaping () -> Void) {
    listener.store(delivery.listen(body), ordering: .releasing)
    tell(.authorization)
  }

  /// The manager goes: nothing is told any more.
  func end() {
    delivery.forget(listener.load(ordering: .acquiring))
    connection.withLock { $0 = nil }
  }

  /// The latest location that this manager was given.
  var location: CLLocation? { state.withLock { $0.location } }

  /// Takes a wish of the manager.
  func handle(_ input: ManagerMachine.Input) { perform(state.withLock { $0.machine.handle(input) }) }

  /// Everything that waits to be told, in its order.
  func takeOutcomes() -> [Outcome] {
    state.withLock { state in
      defer {
        state.waiting.removeAll()
        state.count = 0
      }
      return state.waiting
    }
  }

  // MARK: -

  private func perform(_ actions: [ManagerMachine.Action]) {
    for action in actions {
      switch action {
      case .send(let request): service.send(request)
      case .deliver(let fix): tell(CLLocation(fix))
      case .fail(.locationUnknown): tell(.failure(.locationUnknown))
      case .fail(.denied):
        LocationService.shared.deny()
        tell(.authorization)
        tell(.failure(.denied))
      }
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

  private func tell(_ location: CLLocation) {
    state.withLock { state in
      state.location = location
      if case .locations(var locations)? = state.waiting.last {
        state.waiting.removeLast()
        if locations.count == Self.mostWaiting { locations.removeFirst() }
        locations.append(location)
        state.waiting.append(.locations(locations))
      } else {
        state.waiting.append(.locations([location]))
      }
    }
    wake()
  }

  /// Has the delegate told of something.
  func tell(_ outcome: Outcome) {
    state.withLock { state in
      // A client that never comes by has no use for the same word twice.
      guard state.count < Self.mostWaiting else { return }
      state.count += 1
      state.waiting.append(outcome)
    }
    wake()
  }

  /// Has the manager come by on its thread.
  func wake() {
    let number = listener.load(ordering: .acquiring)
    if number != 0 { delivery.wake(number) }
  }
}
