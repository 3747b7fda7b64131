package import Geodesy
import LocationPolicy

/// Combines the requests of a process's many clients into those of the one client that the service sees: with new numbers,
/// equal simultaneous requests merged, and never more of them at once or faster than the service accepts from one client.
package struct RequestExchange: Sendable {
  /// A client's number, unique in the process.
  package typealias Client = Int

  package enum Input: Hashable, Sendable {
    case request(ClientRequest, from: Client)
    /// The client was released, and its requests with it.
    case left(Client)
    case event(ServiceEvent)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    case send(ClientRequest)
    case tell(Client, ServiceEvent)
  }

  /// A request as the service knows it, and the recipients of its answer.
  private struct Exchange: Sendable {
    let request: ClientRequest
    let askedAt: Instant
    var askers: [Asker]
    var isSent = false

    /// When it must be answered; `nil`: it is a stream.
    var deadline: Instant? {
      if case .locate(_, let options) = request { askedAt + options.timeout } else { nil }
    }

    var isStream: Bool {
      switch request {
      case .startUpdates, .watchSky, .listenIn: true
      case .authorization(_, let request): request.isStream
      case .monitoring(_, let request): request.isStream
      case .locate, .cancel, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log, .wifi: false
      }
    }
  }

  private struct Asker: Hashable, Sendable {
    var client: Client
    var request: RequestID
  }

  /// Pending requests at the service, which accepts 64 from one client.
  package static let mostAtOnce = 48
  /// Streams, which never make room for other requests.
  package static let mostStreams = 32
  /// Messages, of which the service accepts 200 a second and a burst of 400.
  private static let (perSecond, burst) = (150, 300)
  /// Requests for one fix within this time of each other are merged if a fix of that age suffices.
  private static let together: Duration = .seconds(1)

  private var exchanges: [RequestID: Exchange] = [:]
  /// The service's numbers for each client's requests.
  private var names: [Client: [RequestID: RequestID]] = [:]
  /// Cancellations and requests to send, each in order. Cancellations go first, to make room.
  private var (cancellations, outbox): ([RequestID], [RequestID]) = ([], [])
  private var underWay = 0
  private var streams = 0
  private var rate: RateLimit
  private var nextName: UInt32 = 1

  /// Creates an exchange without requests.
  package init(at now: Instant) { rate = RateLimit(perSecond: Self.perSecond, burst: Self.burst, at: now) }

  /// `nil` if nothing waits to be sent.
  package var nextDeadline: Instant? {
    guard !(cancellations.isEmpty && outbox.isEmpty) else { return nil }
    let mayGo = !cancellations.isEmpty || underWay < Self.mostAtOnce
    return ([mayGo ? rate.nextAt : nil] + outbox.map { exchanges[$0]?.deadline }).compactMap(\.self).min()
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .request(.cancel(let id), let client): drop(Asker(client: client, request: id))
    case .request(let request, let client): actions += take(request, from: client, at: now)
    case .left(let client):
      for id in names[client].map({ $0.keys.sorted { $0.rawValue < $1.rawValue } }) ?? [] {
        drop(Asker(client: client, request: id))
      }
    case .event(let event): actions += hear(event)
    case .wake: break
    }
    return actions + expire(at: now) + flush(at: now)
  }

  // MARK: - Clients

  private mutating func take(_ request: ClientRequest, from client: Client, at now: Instant) -> [Action] {
    let asker = Asker(client: client, request: request.id)
    if let name = equal(to: request, at: now) {
      exchanges[name]?.askers.append(asker)
      names[client, default: [:]][asker.request] = name
      return []
    }
    let name = RequestID(nextName)
    nextName &+= 1
    let exchange = Exchange(request: request.named(name), askedAt: now, askers: [asker])
    if exchange.isStream {
      guard streams < Self.mostStreams else {
        return [.tell(client, .failed(request.id, .tooManyRequests(limit: Self.mostStreams)))]
      }
      streams += 1
    }
    exchanges[name] = exchange
    names[client, default: [:]][asker.request] = name
    outbox.append(name)
    return []
  }

  /// A request for one fix that is equal to this one.
  private func equal(to request: ClientRequest, at now: Instant) -> RequestID? {
    guard case .locate(_, let options) = request, options.maximumAge >= Self.together else { return nil }
    return exchanges.first { _, other in
      guard case .locate(_, options) = other.request else { return false }
      return now - other.askedAt <= Self.together
    }?.key
  }

  private mutating func drop(_ asker: Asker) {
    guard let name = names[asker.client]?.removeValue(forKey: asker.request) else { return }
    if names[asker.client]?.isEmpty ?? false { names[asker.client] = nil }
    exchanges[name]?.askers.removeAll { $0 == asker }
    guard let exchange = exchanges[name], exchange.askers.isEmpty else { return }
    if exchange.isSent { cancellations.append(name) }
    remove(name)
  }

  /// Drops a request: its client receives no more events.
  private mutating func remove(_ name: RequestID) {
    guard let exchange = exchanges.removeValue(forKey: name) else { return }
    if exchange.isSent { underWay -= 1 } else { outbox.removeAll { $0 == name } }
    if exchange.isStream { streams -= 1 }
    for asker in exchange.askers {
      names[asker.client]?[asker.request] = nil
      if names[asker.client]?.isEmpty ?? false { names[asker.client] = nil }
    }
  }

  // MARK: - The service

  private mutating func hear(_ event: ServiceEvent) -> [Action] {
    guard let exchange = exchanges[event.request] else { return [] }
    if event.isLast { remove(event.request) }
    return exchange.askers.map { .tell($0.client, event.named($0.request)) }
  }

  /// Fails requests that have waited for too long. A deadline of zero also gets its turn.
  private mutating func expire(at now: Instant) -> [Action] {
    let late = outbox.filter { name in
      guard let exchange = exchanges[name], let deadline = exchange.deadline else { return false }
      return now >= deadline && now > exchange.askedAt
    }
    return late.flatMap { hear(.failed($0, .tooManyRequests(limit: Self.mostAtOnce))) }
  }

  /// Sends what the limits allow.
  private mutating func flush(at now: Instant) -> [Action] {
    var actions: [Action] = []
    while let name = cancellations.first, rate.take(at: now) {
      cancellations.removeFirst()
      actions.append(.send(.cancel(name)))
    }
    while let name = outbox.first, underWay < Self.mostAtOnce, rate.take(at: now) {
      outbox.removeFirst()
      guard let exchange = exchanges[name] else { continue }
      exchanges[name]?.isSent = true
      underWay += 1
      actions.append(.send(exchange.request.ending(exchange.deadline, at: now)))
    }
    return actions
  }
}

extension ClientRequest {
  /// The same request under another number.
  func named(_ id: RequestID) -> ClientRequest {
    switch self {
    case .locate(_, let options): .locate(id, options)
    case .startUpdates(_, let options): .startUpdates(id, options)
    case .watchSky(_, let waitsForSource): .watchSky(id, waitsForSource: waitsForSource)
    case .listenIn: .listenIn(id)
    case .cancel: .cancel(id)
    case .listDevices: .listDevices(id)
    case .trustDevice(_, let selector): .trustDevice(id, selector: selector)
    case .forgetDevice(_, let selector): .forgetDevice(id, selector: selector)
    case .setOwner(_, let selector, let owner): .setOwner(id, selector: selector, owner: owner)
    case .status: .status(id)
    case .log(_, let request): .log(id, request)
    case .authorization(_, let request): .authorization(id, request)
    case .wifi(_, let request): .wifi(id, request)
    case .monitoring(_, let request): .monitoring(id, request)
    }
  }

  /// A request for one fix with its remaining time at `now`.
  func ending(_ deadline: Instant?, at now: Instant) -> ClientRequest {
    guard case .locate(let id, var options) = self, let deadline else { return self }
    options.timeout = max(.zero, deadline - now)
    return .locate(id, options)
  }
}

extension ServiceEvent {
  /// The same event under the client's number for its request.
  func named(_ id: RequestID) -> ServiceEvent {
    switch self {
    case .located(_, let fix, let age, let isCached): .located(id, fix, age: age, isCached: isCached)
    case .failed(_, let failure): .failed(id, failure)
    case .update(_, let fix, let age): .update(id, fix, age: age)
    case .streamChanged(_, let change): .streamChanged(id, change)
    case .sky(_, let report): .sky(id, report)
    case .progress(_, let progress): .progress(id, progress)
    case .devices(_, let devices): .devices(id, devices)
    case .done: .done(id)
    case .status(_, let status): .status(id, status)
    case .log(_, let answer): .log(id, answer)
    case .heard(_, let bytes): .heard(id, bytes)
    case .authorization(_, let answer): .authorization(id, answer)
    case .wifi(_, let answer): .wifi(id, answer)
    case .monitoring(_, let answer): .monitoring(id, answer)
    }
  }
}
