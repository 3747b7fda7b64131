package import Geodesy
package import LocationIPC
package import LocationdService
import Replay

/// The clients that listen in: each hears, as a capture that begins with its request, what all receivers say.
package final class ListeningPost: PortTap {
  package let forbidsWriting = false
  // The other clients' fixes come first.
  package let wantsBytesAlone = false

  /// More is not for people who look after a receiver.
  package static let maximumListeners = 8

  package init() {}

  private struct Listener {
    let client: ClientID
    let request: RequestID
    let tap: CaptureTap
  }

  private var listeners: [Listener] = []

  /// Whether nobody listens.
  package var isEmpty: Bool { listeners.isEmpty }

  /// Has a client hear what comes from now on; `nil` where there are as many as may be.
  ///
  /// - Parameters:
  ///   - wallClock: the time of now; `nil` where nobody knows it.
  ///   - hear: takes the next lines of its capture.
  /// - Returns: what hears for it: it has to be told which ports are open.
  package func admit(
    _ client: ClientID, _ request: RequestID, wallClock: GNSSTime?, at now: Instant, hear: @escaping ([UInt8]) -> Void
  ) -> CaptureTap? {
    guard listeners.count < Self.maximumListeners else { return nil }
    var writer = CaptureWriter()
    let tap = CaptureTap(origin: now, wallClock: wallClock) { hear(writer.encode($0)) }
    listeners.append(Listener(client: client, request: request, tap: tap))
    return tap
  }

  package func cancel(_ client: ClientID, _ request: RequestID) {
    listeners.removeAll { $0.client == client && $0.request == request }
  }

  package func leave(_ client: ClientID) { listeners.removeAll { $0.client == client } }

  package func note(_ input: ServiceCore.Input, at now: Instant) {
    for listener in listeners { listener.tap.note(input, at: now) }
  }

  package func note(_ action: ServiceCore.Action, at now: Instant) {
    for listener in listeners { listener.tap.note(action, at: now) }
  }

  package func heard(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) {
    for listener in listeners { listener.tap.heard(bytes, on: id, at: now) }
  }
}
