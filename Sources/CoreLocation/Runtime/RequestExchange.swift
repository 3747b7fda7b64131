import Geodesy
import LocationIPC
import LocationPolicy

/// Combines the requests of a process's many clients into those of the one client that the service sees. Equal
/// simultaneous requests are merged, and the number of pending requests and their rate stay within what the service
/// accepts from one client.
struct RequestExchange: Sendable {
  enum Input: Hashable, Sendable {
    /// A request, whose number is unique in the process.
    case request(ClientRequest)
    case event(ServiceEvent)
    /// `nextDeadline` has passed; an early wake is harmless.
    case wake
  }

  enum Action: Hashable, Sendable {
    case send(ClientRequest)
    case deliver(ServiceEvent)
  }

  /// A request as sent to the service, and the numbers of the requests that its answer is for.
  private struct Exchange: Sendable {
    let request: ClientRequest
    let askedAt: Instant
    var requesters: [RequestID]
    var isSent = false

    /// When the request must be answered; `nil` for a stream.
    var deadline: Instant? {
      if case .locate(_, let options) = request { askedAt + options.timeout } else { nil }
    }
  }

  /// Maximum number of pending requests at the service, which accepts 64 from one client.
  static let mostAtOnce = 48
  /// Maximum number of streams among the pending requests: a stream does not end by itself to make room for other
  /// requests.
  static let mostStreams = 32
  /// Maximum rate and burst of messages: the service accepts 200 a second and a burst of 400.
  private static let (perSecond, burst) = (150, 300)
  /// Requests for one fix within this time of each other are merged if a fix of that age suffices.
  private static let together: Duration = .seconds(1)

  /// The exchanges by the number of the first request that each is for, even after that request was canceled.
  private var exchanges: [RequestID: Exchange] = [:]
  /// The exchanges of the requests that joined later.
  private var joined: [RequestID: RequestID] = [:]
  /// Cancellations and requests to send, each in order. Cancellations go first, to make room.
  private var (cancellations, outbox): ([RequestID], [RequestID]) = ([], [])
  private var underWay = 0
  private var streams = 0
  private var rate: RateLimit

  /// Creates an exchange without requests.
  init(at now: Instant) { rate = RateLimit(perSecond: Self.perSecond, burst: Self.burst, at: now) }

  /// When `wake` is due; `nil`: nothing waits to be sent, or only the end of another request makes room for it.
  var nextDeadline: Instant? {
    guard !(cancellations.isEmpty && outbox.isEmpty) else { return nil }
    let mayGo = !cancellations.isEmpty || underWay < Self.mostAtOnce
    return ([mayGo ? rate.nextAt : nil] + outbox.map { exchanges[$0]?.deadline }).compactMap(\.self).min()
  }

  mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .request(.cancel(let id)): cancel(id)
    case .request(let request): actions += add(request, at: now)
    case .event(let event): actions += receive(event)
    case .wake: break
    }
    return actions + expire(at: now) + flush(at: now)
  }

  // MARK: - Clients

  private mutating func add(_ request: ClientRequest, at now: Instant) -> [Action] {
    if let id = equal(to: request, at: now) {
      exchanges[id]?.requesters.append(request.id)
      joined[request.id] = id
      return []
    }
    if request.isStream {
      guard streams < Self.mostStreams else {
        return [.deliver(.failed(request.id, .tooManyRequests(limit: Self.mostStreams)))]
      }
      streams += 1
    }
    exchanges[request.id] = Exchange(request: request, askedAt: now, requesters: [request.id])
    outbox.append(request.id)
    return []
  }

  /// The exchange of a request for one fix that is equal to this one.
  private func equal(to request: ClientRequest, at now: Instant) -> RequestID? {
    guard case .locate(_, let options) = request, options.maximumAge >= Self.together else { return nil }
    return exchanges.first { _, other in
      guard case .locate(_, options) = other.request else { return false }
      return now - other.askedAt <= Self.together
    }?.key
  }

  /// An exchange ends with the cancellation of the last request that shares it.
  private mutating func cancel(_ request: RequestID) {
    let id = joined.removeValue(forKey: request) ?? request
    exchanges[id]?.requesters.removeAll { $0 == request }
    guard let exchange = exchanges[id], exchange.requesters.isEmpty else { return }
    if exchange.isSent { cancellations.append(id) }
    remove(id)
  }

  /// Removes an exchange: no more events follow.
  private mutating func remove(_ id: RequestID) {
    guard let exchange = exchanges.removeValue(forKey: id) else { return }
    if exchange.isSent { underWay -= 1 } else { outbox.removeAll { $0 == id } }
    if exchange.request.isStream { streams -= 1 }
    for requester in exchange.requesters { joined[requester] = nil }
  }

  // MARK: - The service

  private mutating func receive(_ event: ServiceEvent) -> [Action] {
    guard let exchange = exchanges[event.request] else { return [] }
    if event.isLast { remove(event.request) }
    return exchange.requesters.map { .deliver(event.shared(with: $0)) }
  }

  /// Fails requests that have waited longer than their timeout. A request with a timeout of zero still gets its turn to be sent.
  private mutating func expire(at now: Instant) -> [Action] {
    let late = outbox.filter { id in
      guard let exchange = exchanges[id], let deadline = exchange.deadline else { return false }
      return now >= deadline && now > exchange.askedAt
    }
    return late.flatMap { receive(.failed($0, .tooManyRequests(limit: Self.mostAtOnce))) }
  }

  /// Sends what the limits allow.
  private mutating func flush(at now: Instant) -> [Action] {
    var actions: [Action] = []
    while let id = cancellations.first, rate.tryAcquire(at: now) {
      cancellations.removeFirst()
      actions.append(.send(.cancel(id)))
    }
    while let id = outbox.first, underWay < Self.mostAtOnce, rate.tryAcquire(at: now) {
      outbox.removeFirst()
      guard let exchange = exchanges[id] else { continue }
      exchanges[id]?.isSent = true
      underWay += 1
      actions.append(.send(exchange.request.remaining(until: exchange.deadline, at: now)))
    }
    return actions
  }
}

extension ServiceEvent {
  /// The event of a request for one fix, readdressed to another request with the same answer. Only requests for one fix
  /// are shared.
  fileprivate func shared(with id: RequestID) -> ServiceEvent {
    if case .located(_, let fix, let age, let isCached) = self {
      return .located(id, fix, age: age, isCached: isCached)
    }
    if case .progress(_, let progress) = self { return .progress(id, progress) }
    if case .failed(_, let failure) = self { return .failed(id, failure) }
    return self
  }
}
