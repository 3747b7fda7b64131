package import LocationIPC

/// A program's requests to the service: numbers them, and passes the events of each request to its closure, converted
/// to the type of the request's reply.
package final class ServiceRequests: SocketClientObserver {
  private let send: (ClientRequest) -> Void
  private var receivers: [RequestID: (ServiceEvent) -> Void] = [:]
  private var last: UInt32 = 0

  /// - Parameter send: sends a request to the service. The service's events go to `receive(_:)`.
  package init(_ send: @escaping (ClientRequest) -> Void) { self.send = send }

  /// Sends a request; `receive` is called with each event for it, possibly from within this call.
  @discardableResult package func send<Reply>(
    _ request: ServiceRequest<Reply>, _ receive: @escaping (RequestEvent<Reply>) -> Void
  ) -> RequestID {
    last &+= 1
    let id = RequestID(last)
    receivers[id] = { message in if let event = request.eventOrFailure(message) { receive(event) } }
    send(request.message(id))
    return id
  }

  /// Cancels a request; `receive` is not called for it any more.
  package func cancel(_ id: RequestID) { if receivers.removeValue(forKey: id) != nil { send(.cancel(id)) } }

  /// Passes an event of the service to its request.
  package func receive(_ event: ServiceEvent) {
    let receiver = event.isLast ? receivers.removeValue(forKey: event.request) : receivers[event.request]
    receiver?(event)
  }

  package func receive(_ refusal: DisconnectReason) {}
}
