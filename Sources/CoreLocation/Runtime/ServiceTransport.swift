import LocationIPC

/// The way of this process's clients to a location service; what comes back is told to the listener that it was begun with.
protocol ServiceTransport: Sendable {
  /// A client's number: unique in the process, never 0.
  typealias Client = Int
  /// Hears what comes back, on a thread of the transport's; not from within what begins it.
  typealias Listener = @Sendable (TransportEvent) -> Void

  /// Hands a request on; never waits for its answer.
  func send(_ request: ClientRequest, from client: Client)
  /// The client has gone, and its requests with it.
  func leave(_ client: Client)
}

/// What comes back on a transport.
enum TransportEvent: Sendable {
  case told(ServiceTransport.Client, ServiceEvent)
  /// The service has ended of itself; nothing comes after this. `isForGood`: there is no sense in beginning it again.
  case ended(isForGood: Bool)
}
