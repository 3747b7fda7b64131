import LocationIPC
import LocationdClient
import Synchronization

/// This process's location service: its clients, their requests, and the transport that was chosen for all of them. A request has
/// one number from the state machine that makes it to the service.
final class LocationService: Sendable {
  /// The shared instance; its transport starts with the first request.
  static let shared = LocationService()

  /// Where the service runs.
  enum Backend: Hashable, Sendable {
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
    /// The clients, and what each does when the service has stopped.
    var clients: [ServiceTransport.Client: @Sendable () -> Void] = [:]
    /// The pending requests.
    var requests: [RequestID: Pending] = [:]
    var nextClient = 1
  }

  private struct Pending {
    let client: ServiceTransport.Client
    /// Receives what the service sends for the request.
    let receive: @Sendable (ServiceEvent) -> Void
  }

  /// The numbers of this process's requests.
  let numbers = RequestNumbers()
  private let state = Mutex(State())

  /// Adds a client, which receives the events of its requests on the service's thread. `onEnd`: the service has stopped, and
  /// sends nothing more.
  func connect(_ onEnd: @escaping @Sendable () -> Void) -> ServiceConnection {
    let client = state.withLock { state in
      let client = state.nextClient
      state.nextClient += 1
      state.clients[client] = onEnd
      return client
    }
    return ServiceConnection(service: self, client: client)
  }

  /// Connects to the service of another process, unless already connected; starts none here.
  func connect() { _ = reach(isWanted: false) }

  /// Whether conditions of an earlier run may be monitored under that name: in the connected service, or in this user's own lists.
  func mayMonitor(_ list: String) -> Bool {
    if state.withLock({ $0.transport is SocketTransport }) { return true }
    #if Embedded
      return HostedTransport.monitors(list)
    #else
      return false
    #endif
  }

  fileprivate func send<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, from client: ServiceTransport.Client,
    _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) {
    switch reach(isWanted: true) {
    case (let transport?, _):
      let pending = Pending(client: client) { message in
        if let event = request.eventOrFailure(message) { receive(event) }
      }
      state.withLock { $0.requests[id] = pending }
      transport.send(request.message(id), from: client)
    case (nil, .forbidden): receive(.failed(.notAuthorized(.denied, identity: nil)))
    case (nil, .served), (nil, .unserved), (nil, nil): receive(.failed(.noSource))
    }
  }

  fileprivate func cancel(_ id: RequestID) {
    let (pending, transport) = state.withLock { ($0.requests.removeValue(forKey: id), $0.transport) }
    if let pending { transport?.send(.cancel(id), from: pending.client) }
  }

  fileprivate func disconnect(_ client: ServiceTransport.Client) {
    let (requests, transport) = state.withLock { state in
      state.clients[client] = nil
      return (state.requests.filter { $0.value.client == client }.keys, state.transport)
    }
    for id in requests.sorted(by: { $0.rawValue < $1.rawValue }) { cancel(id) }
    transport?.leave(client)
  }

  /// The transport to the service, and where the service was just found. `isWanted`: if none is found, one is started here.
  private func reach(isWanted: Bool) -> ((any ServiceTransport)?, Backend?) {
    let (transport, found) = state.withLock { state -> ((any ServiceTransport)?, Backend?) in
      if let transport = state.transport { return (transport, nil) }
      let listener: ServiceTransport.Listener = { [self] event in
        switch event {
        case .received(let event): receive(event)
        case .ended(let isForGood): fail(isForGood: isForGood)
        }
      }
      do throws(UnreachableService) {
        state.transport = try Self.connected(listener)
      } catch {
        // A temporary error is not a denial; but no other service replaces this one either.
        return (nil, error.isForbidden ? .forbidden(path: error.path) : nil)
      }
      if state.transport != nil { return (state.transport, .served) }
      if isWanted, !state.hasHostingFailed { state.transport = Self.hosted(listener) }
      return (state.transport, .unserved)
    }
    if let found { ProcessAuthorization.shared.receive(found) }
    return (transport, found)
  }

  /// The service at the socket, if there is one. If the environment names a source for this program, the program drives it itself.
  private static func connected(
    _ listener: @escaping ServiceTransport.Listener
  ) throws(UnreachableService) -> (any ServiceTransport)? {
    isOwnWanted ? nil : try SocketTransport.connect(listener)
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

  private func receive(_ event: ServiceEvent) {
    let pending = state.withLock { state in
      event.isLast ? state.requests.removeValue(forKey: event.request) : state.requests[event.request]
    }
    pending?.receive(event)
  }

  /// The service has stopped: notifies the clients. `isForGood`: hosting is not tried again.
  private func fail(isForGood: Bool) {
    let clients = state.withLock { state in
      state.transport = nil
      state.hasHostingFailed = isForGood
      state.requests = [:]
      return state.clients
    }
    for onEnd in clients.values { onEnd() }
  }
}

/// The numbers of one process's requests. The protocol allows those below 2³¹; none is used again before all others.
final class RequestNumbers: Sendable {
  private let last = Atomic<UInt32>(0)

  func next() -> RequestID { RequestID(last.wrappingAdd(1, ordering: .relaxed).newValue & UInt32(Int32.max)) }
}

/// One client of the process's service; it disconnects when this object is released, which cancels its requests.
final class ServiceConnection: Sendable {
  private let service: LocationService
  private let client: ServiceTransport.Client

  fileprivate init(service: LocationService, client: ServiceTransport.Client) {
    self.service = service
    self.client = client
  }

  deinit { service.disconnect(client) }

  /// Sends a request with a new number; `receive` gets what the service sends for it, possibly from within this call.
  func send<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) { service.send(request, as: id, from: client, receive) }

  /// Ends a request; nothing is received for it any more.
  func cancel(_ id: RequestID) { service.cancel(id) }
}

/// A client of the process's service whose requests a state machine behind a lock makes. It connects with the first of them, and
/// sends them in their order outside that lock, because the service may answer from within the call.
final class ServiceConversation: Sendable {
  private struct Outbox {
    var waiting: [@Sendable (ServiceConnection) -> Void] = []
    var isSending = false

    /// Whether the caller has to send what waits; otherwise another caller is already sending.
    mutating func begin() -> Bool {
      defer { isSending = true }
      return !isSending
    }

    /// The next one; `nil`: there is none, and sending ends.
    mutating func next() -> (@Sendable (ServiceConnection) -> Void)? {
      guard waiting.isEmpty else { return waiting.removeFirst() }
      isSending = false
      return nil
    }
  }

  private let outbox = Mutex(Outbox())
  private let connection = Mutex<ServiceConnection?>(nil)

  /// Queues a request; `flush` sends it.
  func send<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) {
    outbox.withLock { $0.waiting.append { $0.send(request, as: id, receive) } }
  }

  /// Queues the end of a request.
  func cancel(_ id: RequestID) { outbox.withLock { $0.waiting.append { $0.cancel(id) } } }

  /// Sends what waits. `onEnd`: what the client does when the service has stopped.
  func flush(onEnd: @escaping @Sendable () -> Void) {
    guard outbox.withLock({ !$0.waiting.isEmpty && $0.begin() }) else { return }
    while let send = outbox.withLock({ $0.next() }) { send(connected(onEnd)) }
  }

  /// Disconnects; a later request connects again.
  func end() { connection.withLock { $0 = nil } }

  private func connected(_ onEnd: @escaping @Sendable () -> Void) -> ServiceConnection {
    connection.withLock { connection in
      if let connection { return connection }
      let made = LocationService.shared.connect(onEnd)
      connection = made
      return made
    }
  }
}

extension ServiceEvent {
  /// Replaces a denial with "no source": the device that this user cannot open may be available in another way, or concern another
  /// process; the program itself was not denied access.
  var withoutDenial: ServiceEvent {
    guard case .failed(let id, .permissionDenied) = self else { return self }
    return .failed(id, .noSource)
  }
}
