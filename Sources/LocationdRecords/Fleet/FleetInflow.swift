package import Fleet
import FleetDestinations
import Synchronization

/// The messages of one connection's helper that wait for the thread of the destinations, so that a hostile server or a helper that it has
/// taken over cannot fill the memory of the service.
package final class FleetInflow: Sendable {
  package enum Verdict: Hashable, Sendable {
    case accepted
    /// Not passed on: of a server's commands, only one in ten seconds is carried out anyway.
    case dropped
    /// No helper that keeps to the window sends so much: the connection has to end.
    case flooded
  }

  /// More than the answers to all messages that may be in flight.
  package static let most = 2 * (FleetKind.mqtt.window + FleetKind.mqtt.stateWindow)
  /// The most messages beside which a command is accepted. A command has up to 64 kB.
  package static let mostBesideCommand = 8

  private let count = Atomic<Int>(0)

  package init() {}

  /// Counts a message that arrives, unless it is one too many.
  package func arrive(_ message: FleetHelperMessage) -> Verdict {
    let waiting = count.load(ordering: .relaxed)
    switch message {
    // The last message of a connection.
    case .ended: break
    case .command where waiting >= Self.mostBesideCommand: return .dropped
    case .connect, .send, .close, .connected, .answered, .command:
      if waiting >= Self.most { return .flooded }
    }
    count.add(1, ordering: .relaxed)
    return .accepted
  }

  /// Called when the thread takes a message.
  package func handled() { count.subtract(1, ordering: .relaxed) }
}
