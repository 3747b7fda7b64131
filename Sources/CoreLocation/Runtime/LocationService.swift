import LocationIPC
import LocationdClient
import Synchronization

/// This process's location service: its clients, and the transport that was chosen for all of them.
final class LocationService: Sendable {
  /// The shared instance; its transport starts with the first request.
  static let shared = LocationService()

  /// Where the service runs.
  enum Way: Hashable, Sendable {
    /// In another process.
    case served
    /// Only in this process, or not at all.
    case unserved
    /// In another process that this user may not connect to; no service is hosted here instead.
    case forbidden(path: String)
  }

  private struct State {
    var transport: (any ServiceTransport)?
    var hasHostingFailed = false
    var listeners: [ServiceTransport.Client: @Sendable (ServiceEvent?) -> Void] = [:]
    var nextClient = 1
  }
  private let state = Mutex(State())

  /// Adds a client, which receives its events on the service's thread. An event of `nil`: the service has stopped, and sends
  /// nothing more.
  func connect(_ listener: @escaping @Sendable (ServiceEvent?) -> Void) -> ServiceConnection {
    let client = state.withLock { state in
      let client = state.nextClient
      state.nextClient += 1
      state.listeners[client] = listener
      return client
    }
    return ServiceConnection(service: self, client: client)
  }

  /// Connects to the service of another process, unless already connected; starts none here.
  func meet() { _ = reach(isWanted: false) }

  /// Whether conditions of an earlier run may be monitored under that name: in the connected service, or in this user's own lists.
  func mayMonitor(_ list: String) -> Bool {
    if state.withLock({ $0.transport is SocketTransport }) { return true }
    #if Embedded
      return HostedTransport.monitors(list)
    #else
      return false
    #endif
  }

  fileprivate func send(_ request: ClientRequest, from client: ServiceTransport.Client) {
    switch reach(isWanted: true) {
    case (let transport?, _): transport.send(request, from: client)
    case (nil, .forbidden): tell(.failed(request.id, .notAuthorized(.denied, identity: nil)), to: client)
    case (nil, .served), (nil, .unserved), (nil, nil): tell(.failed(request.id, .noSource), to: client)
    }
  }

  fileprivate func disconnect(_ client: ServiceTransport.Client) {
    let transport = state.withLock { state in
      state.listeners[client] = nil
      return state.transport
    }
    transport?.leave(client)
  }

  /// The transport to the service, and where the service was just found. `isWanted`: if none is found, one is started here.
  private func reach(isWanted: Bool) -> ((any ServiceTransport)?, Way?) {
    let (transport, found) = state.withLock { state -> ((any ServiceTransport)?, Way?) in
      if let transport = state.transport { return (transport, nil) }
      let listener: ServiceTransport.Listener = { [self] event in
        switch event {
        case .told(let client, let event): tell(event, to: client)
        case .ended(let isForGood): fail(isForGood: isForGood)
        }
      }
      do throws(BarredService) {
        state.transport = try Self.met(listener)
      } catch {
        // A temporary error is not a denial; but no other service replaces this one either.
        return (nil, error.isForbidden ? .forbidden(path: error.path) : nil)
      }
      if state.transport != nil { return (state.transport, .served) }
      if isWanted, !state.hasHostingFailed { state.transport = Self.hosted(listener) }
      return (state.transport, .unserved)
    }
    if let found { ProcessAuthorization.shared.hear(found) }
    return (transport, found)
  }

  /// The service at the socket, if there is one. If the environment names a source for this program, the program drives it itself.
  private static func met(
    _ listener: @escaping ServiceTransport.Listener
  ) throws(BarredService) -> (any ServiceTransport)? {
    isOwnWanted ? nil : try SocketTransport.meet(listener)
  }

  /// A service hosted by this program.
  private static func hosted(_ listener: @escaping ServiceTransport.Listener) -> (any ServiceTransport)? {
    #if Embedded
      HostedTransport(listener)
    #else
      nil
    #endif
  }

  private static var isOwnWanted: Bool {
    #if Embedded
      HostedTransport.isWanted
    #else
      false
    #endif
  }

  private func tell(_ event: ServiceEvent?, to client: ServiceTransport.Client) {
    let listener = state.withLock { $0.listeners[client] }
    listener?(event)
  }

  /// The service has stopped: notifies the listeners. `isForGood`: hosting is not tried again.
  private func fail(isForGood: Bool) {
    let listeners = state.withLock { state in
      state.transport = nil
      state.hasHostingFailed = isForGood
      return state.listeners
    }
    for listener in listeners.values { listener(nil) }
  }
}

/// One client of the process's service; it disconnects when this object is released.
final class ServiceConnection: Sendable {
  private let service: LocationService
  private let client: ServiceTransport.Client

  fileprivate init(service: LocationService, client: ServiceTransport.Client) {
    self.service = service
    self.client = client
  }

  deinit { service.disconnect(client) }

  /// Sends a request; the listener receives the answer.
  func send(_ request: ClientRequest) { service.send(request, from: client) }
}

extension ServiceEvent {
  /// Replaces a denial with "no source": the device that this user cannot open may be available in another way, or concern another
  /// process; the program itself was not denied access.
  var withoutDenial: ServiceEvent {
    guard case .failed(let id, .permissionDenied) = self else { return self }
    return .failed(id, .noSource)
  }
}
