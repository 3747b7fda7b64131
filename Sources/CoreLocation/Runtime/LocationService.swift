import LocationIPC
import LocationdClient
import Synchronization

/// This process's location service: its clients, their requests, and the transport that was chosen for all of them. A
/// request has the same number from the state machine that makes it to the service.
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
    var requests: [RequestID: Pending] = [:]
    var nextClient = 1
  }

  private struct Pending {
    let client: ServiceTransport.Client
    /// Called with each event of the service for the request.
    let receive: @Sendable (ServiceEvent) -> Void
  }

  /// The numbers of this process's requests.
  let numbers = RequestNumbers()
  private let state = Mutex(State())

  /// Adds a client, which receives the events of its requests on the service's thread. `onEnd` is called when the
  /// service has stopped and sends nothing more.
  func connect(_ onEnd: @escaping @Sendable () -> Void) -> ServiceConnection {
    let client = state.withLock { state in
      let client = state.nextClient
      state.nextClient += 1
      state.clients[client] = onEnd
      return client
    }
    return ServiceConnection(service: self, client: client)
  }

  /// Connects to a service in another process, unless already connected; does not host one in this process.
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
    case (nil, .forbidden): receive(.failed(.notAuthorized(.denied(inBackground: false), identity: nil)))
    case (nil, .served), (nil, .unserved), (nil, nil): receive(.failed(.noSource))
    }
  }

  /// Sends a request to a service in another process; returns `false` if there is none. No service is started in this process for it.
  fileprivate func sendIfServed<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, from client: ServiceTransport.Client,
    _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) -> Bool {
    guard reach(isWanted: false).0 is SocketTransport else { return false }
    send(request, as: id, from: client, receive)
    return true
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

  /// The transport to the service, and where the service was found during this call. `isWanted`: if no service is
  /// found, one is hosted in this process.
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
        // A temporary error is not a denial, but no other service replaces this one either.
        return (nil, error.isForbidden ? .forbidden(path: error.path) : nil)
      }
      if state.transport != nil { return (state.transport, .served) }
      if isWanted, !state.hasHostingFailed { state.transport = Self.hosted(listener) }
      return (state.transport, .unserved)
    }
    if let found { ProcessAuthorization.shared.receive(found) }
    return (transport, found)
  }

  /// The service at the socket, if there is one. If the environment names a source for this program, it drives the
  /// source itself.
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

/// The numbers of one process's requests. The protocol allows numbers below 2³¹; a number is used again only after all
/// others.
final class RequestNumbers: Sendable {
  private let last = Atomic<UInt32>(0)

  func next() -> RequestID { RequestID(last.wrappingAdd(1, ordering: .relaxed).newValue & UInt32(Int32.max)) }
}

/// One client of the process's service. Releasing this object disconnects the client, which cancels its requests.
final class ServiceConnection: Sendable {
  private let service: LocationService
  private let client: ServiceTransport.Client

  fileprivate init(service: LocationService, client: ServiceTransport.Client) {
    self.service = service
    self.client = client
  }

  deinit { service.disconnect(client) }

  /// Sends a request as `id`; `receive` is called with each event for it, possibly from within this call.
  func send<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) { service.send(request, as: id, from: client, receive) }

  /// The same for a service in another process; if there is none, returns `false` and does not call `receive`.
  func sendIfServed<Reply>(
    _ request: ServiceRequest<Reply>, as id: RequestID, _ receive: @escaping @Sendable (RequestEvent<Reply>) -> Void
  ) -> Bool { service.sendIfServed(request, as: id, from: client, receive) }

  /// Cancels a request: `receive` is not called for it any more.
  func cancel(_ id: RequestID) { service.cancel(id) }
}

/// A client of the process's service for the requests of a state machine behind a lock. It connects with the first
/// request, and sends the requests in order and outside that lock, because the service may answer from within the call.
final class ServiceConversation: Sendable {
  private struct Outbox {
    var waiting: [@Sendable (ServiceConnection) -> Void] = []
    var isSending = false

    /// Whether the caller has to send the queued requests; otherwise another caller is already sending.
    mutating func begin() -> Bool {
      defer { isSending = true }
      return !isSending
    }

    /// The next request to send; `nil` when the queue is empty, which ends the sending.
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

  /// Queues the cancellation of a request.
  func cancel(_ id: RequestID) { outbox.withLock { $0.waiting.append { $0.cancel(id) } } }

  /// Sends the queued requests. `onEnd` is called when the service has stopped.
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
  /// Replaces a denial with "no source": a device that this user cannot open may be available in another way or to
  /// another process, and the program itself was not denied access.
  var withoutDenial: ServiceEvent {
    guard case .failed(let id, .permissionDenied) = self else { return self }
    return .failed(id, .noSource)
  }
}
