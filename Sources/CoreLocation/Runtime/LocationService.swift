import CCoreLocation
import LocationIPC
import Synchronization

/// The location service as this process has it: its clients, and the transport that was chosen for all of them.
final class LocationService: Sendable {
  /// The only one; its transport begins with the first request.
  static let shared = LocationService()

  private struct State {
    var transport: (any ServiceTransport)?
    var hasHostingFailed = false
    var isDenied = false
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

  /// Whether this program may know where the device is.
  var authorizationStatus: CLAuthorizationStatus { state.withLock { $0.isDenied ? .denied : .authorizedAlways } }

  /// Whether receivers are there, and this user may read none of them.
  func setDenied(_ isDenied: Bool) { state.withLock { $0.isDenied = isDenied } }

  fileprivate func send(_ request: ClientRequest, from client: ServiceTransport.Client) {
    guard let transport = begun() else { return tell(.failed(request.id, .noSource), to: client) }
    transport.send(request, from: client)
  }

  fileprivate func disconnect(_ client: ServiceTransport.Client) {
    let transport = state.withLock { state in
      state.listeners[client] = nil
      return state.transport
    }
    transport?.leave(client)
  }

  /// The way to the service, which is begun where it was not; `nil` where there is none.
  private func begun() -> (any ServiceTransport)? {
    state.withLock { state in
      if let transport = state.transport { return transport }
      state.transport = Self.transport(mayHost: !state.hasHostingFailed) { [self] event in
        switch event {
        case .told(let client, let event): tell(event, to: client)
        case .ended(let isForGood): fail(isForGood: isForGood)
        }
      }
      return state.transport
    }
  }

  /// The service at the socket where one answers; else one that is hosted here. A source that is named for this program is
  /// driven by it, whoever else serves.
  private static func transport(
    mayHost: Bool, _ listener: @escaping ServiceTransport.Listener
  ) -> (any ServiceTransport)? {
    #if Embedded
      if !HostedTransport.isWanted, let transport = SocketTransport(listener) { return transport }
      return mayHost ? HostedTransport(listener) : nil
    #else
      return SocketTransport(listener)
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
