package import Geodesy
package import LocationIPC
package import LocationPolicy
import LocationReplay
package import LocationdService

/// Broadcasts the output of all receivers: each client receives it as a capture that starts with the client's request.
package final class CaptureBroadcaster: PortObserver {
  package let forbidsWriting = false
  // Clients that need fixes take precedence over captures.
  package let wantsBytesAlone = false

  /// Maximum number of clients; the diagnosis of receivers needs no more.
  package static let maximumListeners = 8

  private unowned let clients: any ServiceClients

  package init(for clients: any ServiceClients) { self.clients = clients }

  private struct Listener {
    let client: ClientID
    let request: RequestID
    let tap: CaptureRecorder
  }

  private var listeners: [Listener] = []

  /// Whether no client is registered.
  package var isEmpty: Bool { listeners.isEmpty }

  /// Sends a client all receiver output from now on; returns `nil` if the maximum number of clients is reached.
  ///
  /// - Parameter wallClock: the current wall-clock time; `nil` if it is unknown.
  /// - Returns: the client's recorder; the caller must report the open ports to it.
  package func admit(
    _ client: ClientID, _ request: RequestID, wallClock: GNSSTime?, at now: Instant
  ) -> CaptureRecorder? {
    guard listeners.count < Self.maximumListeners else { return nil }
    var writer = CaptureWriter()
    let tap = CaptureRecorder(origin: now, wallClock: wallClock) { [clients] in
      clients.send(.received(request, writer.encode($0)), to: client)
    }
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

  package func received(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) {
    for listener in listeners { listener.tap.received(bytes, on: id, at: now) }
  }
}
