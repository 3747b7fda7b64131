import LocationIPC
import LocationdClient
import Synchronization

/// The location service as this process has it: its clients, and the transport that was chosen for all of them.
final class LocationService: Sendable {
  /// The only one; its transport begins with the first request.
  static let shared = LocationService()

  /// Where the service is.
  enum Way: Hashable, Sendable {
    /// In another process.
    case served
    /// Nowhere but in this process.
    case unserved
    /// In another process, to which this user may not speak: it is not gone round.
    case forbidden(path: String)
  }

  private struct State {
    var transport: (any ServiceTransport)?
    var hasHostingFailed = false
    var listeners: [ServiceTransport.Client: @Sendable (ServiceEvent?) -> Void] = [:]
    var nextClient = 1
  }
  private let state = Mutex(State())

  /// A client, which hears its events on the service's thread; `nil`: the service has ended of itself, and answers no more.
  func connect(_ listener: @escaping @Sendable (ServiceEvent?) -> Void) -> ServiceConnection {
    let client = state.withLock { state in
      let client = state.nextClient
      state.nextClient += 1
      state.listeners[client] = listener
      return client
    }
    return ServiceConnection(service: self, client: client)
  }

  /// Looks for the service of another process, where none was met; it begins none here.
  func meet() { _ = reach(isWanted: false) }

  /// Whether something may be monitored under that name from an earlier run: a service that was met keeps it, or this user does.
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

  /// The way to the service, and where it was found just now. `isWanted`: where none is met, one is begun here.
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
        // What passes is no denial; and nobody else serves in its place either.
        return (nil, error.isForbidden ? .forbidden(path: error.path) : nil)
      }
      if state.transport != nil { return (state.transport, .served) }
      if isWanted, !state.hasHostingFailed { state.transport = Self.hosted(listener) }
      return (state.transport, .unserved)
    }
    if let found { ProcessAuthorization.shared.hear(found) }
    return (transport, found)
  }

  /// The service at the socket, where one answers. A source that is named for this program is driven by it, whoever else serves.
  private static func met(
    _ listener: @escaping ServiceTransport.Listener
  ) throws(BarredService) -> (any ServiceTransport)? {
    isOwnWanted ? nil : try SocketTransport.meet(listener)
  }

  /// One that this program hosts.
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

  /// The service has ended of itself: whoever waits for it is told, and where it is for good so is everybody after them.
  private func fail(isForGood: Bool) {
    let listeners = state.withLock { state in
      state.transport = nil
      state.hasHostingFailed = isForGood
      return state.listeners
    }
    for listener in listeners.values { listener(nil) }
  }
}

/// One client of the process's service; it goes with this object.
final class ServiceConnection: Sendable {
  private let service: LocationService
  private let client: ServiceTransport.Client

  fileprivate init(service: LocationService, client: ServiceTransport.Client) {
    self.service = service
    self.client = client
  }

  deinit { service.disconnect(client) }

  /// Asks for something; the answer comes to the listener.
  func send(_ request: ClientRequest) { service.send(request, from: client) }
}

extension ServiceEvent {
  /// What this user may not read may be had in another way, or is another's matter: this program was denied nothing.
  var withoutDenial: ServiceEvent {
    guard case .failed(let id, .permissionDenied) = self else { return self }
    return .failed(id, .noSource)
  }
}
