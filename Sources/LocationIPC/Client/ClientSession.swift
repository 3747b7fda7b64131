package import Geodesy
import LocationPolicy

/// A client's side of the socket: it greets, reconnects after a loss, sends pending requests again, and makes each request
/// receive the same events as from a service that never ended. A deferral of updates fails instead: what the service held is lost.
package struct ClientSession: Sendable {
  package enum Input: Hashable, Sendable {
    /// The socket is connected.
    case connected
    /// The connection failed because no service is there; or it was lost.
    case lost
    /// The connection failed because the service's backlog is full.
    case busy
    case received([UInt8])
    case request(ClientRequest)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Connect; answered by `.connected`, `.busy` or `.lost`.
    case connect
    /// Close the socket; no `.lost` follows.
    case disconnect
    case send([UInt8])
    case deliver(ServiceEvent)
  }

  private enum State {
    case connecting
    case greeting(until: Instant)
    case serving(since: Instant, clock: Duration)
    case waiting(until: Instant)
    /// The session ended permanently.
    case ended(LocationFailure)
  }

  /// Why this client last failed to reach the service.
  private enum ConnectionFailure {
    /// No service was there.
    case absence
    /// It accepted no connection.
    case fullBacklog
    /// It accepted the connection and did not answer.
    case silence
    case refusal(DisconnectReason)
  }

  /// How long the service may take to greet.
  private static let greetingTime: Duration = .seconds(5)
  /// A service that ran for this long counts as a successful connection.
  private static let steadyTime: Duration = .seconds(5)
  /// Clocks whose readings differ by no more than this are one clock, read at two moments.
  private static let clockTolerance: Duration = .seconds(1)

  private let hello: ClientHello
  /// Identifies the service in a failure.
  private let path: String
  private var state = State.connecting
  private var delay: ReconnectDelay
  private var reader = FrameReader(limit: MessageLimits.event)
  private var open: [OpenRequest] = []
  /// The last obstacle, until the service greets again.
  private var obstacle: ConnectionFailure?

  /// Why the service has disconnected this client; `nil` again as soon as the service greets, or another obstacle is
  /// found.
  package var refusal: DisconnectReason? { if case .refusal(let refusal)? = obstacle { refusal } else { nil } }

  /// A session whose socket is being connected.
  package init(_ hello: ClientHello, path: String, seed: UInt64) {
    self.hello = hello
    self.path = path
    delay = ReconnectDelay(seed: seed)
  }

  package var nextDeadline: Instant? {
    var deadlines: [Instant?] = open.map(\.lostAt)
    switch state {
    case .greeting(let until): deadlines += [until] + open.map(\.patienceEnd)
    // Without pending requests, no reconnection is attempted.
    case .waiting(let until): deadlines += open.isEmpty ? [] : [until] + open.map(\.patienceEnd)
    case .connecting: deadlines += open.map(\.patienceEnd)
    // The service applies the deadlines as long as it responds.
    case .serving: deadlines += open.map(\.stallEnd)
    case .ended: return nil
    }
    return deadlines.compactMap(\.self).min()
  }

  /// Whether the service is there and has greeted.
  package var isServing: Bool { if case .serving = state { true } else { false } }

  /// Whether requests go to a connected service, which may not have greeted yet.
  private var isConnected: Bool {
    switch state {
    case .greeting, .serving: true
    case .connecting, .waiting, .ended: false
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.connecting, .connected):
      reader = FrameReader(limit: MessageLimits.event)
      state = .greeting(until: now + Self.greetingTime)
      // The requests do not wait for the answer, which would cost another round trip: every supported version understands all
      // of them. A request that needs a newer version will have to wait.
      return [.send(open.reduce(ClientMessage.hello(hello).frame) { $0 + frame(of: $1, at: now) })]
    case (.connecting, .lost):
      obstacle = .absence
      return lose(at: now)
    case (.connecting, .busy):
      obstacle = .fullBacklog
      return lose(at: now)
    case (.greeting, .lost):
      obstacle = .silence
      return lose(at: now)
    case (.serving, .lost): return lose(at: now)
    case (.greeting, .received(let bytes)), (.serving, .received(let bytes)): return receive(bytes, at: now)
    case (_, .request(let request)): return receive(request, at: now)
    case (.connecting, .wake): return overdue(at: now)
    case (.serving, .wake):
      guard open.contains(where: { $0.stallEnd.map { now >= $0 } ?? false }) else { return overdue(at: now) }
      // The service has stalled: another instance may answer at the same socket.
      obstacle = .silence
      return [.disconnect] + lose(at: now) + overdue(at: now)
    case (.greeting(let until), .wake):
      if now >= until { obstacle = .silence }
      return overdue(at: now) + (now >= until ? [.disconnect] + lose(at: now) : [])
    case (.waiting(let until), .wake):
      let actions = overdue(at: now)
      guard now >= until, !open.isEmpty else { return actions }
      state = .connecting
      return actions + [.connect]
    case (.greeting, .connected), (.serving, .connected), (.waiting, .connected), (.waiting, .lost),
      (.greeting, .busy), (.serving, .busy), (.waiting, .busy), (.connecting, .received), (.waiting, .received),
      (.ended, .connected), (.ended, .lost), (.ended, .busy), (.ended, .received), (.ended, .wake):
      return []
    }
  }

  // MARK: - Requests

  private mutating func receive(_ request: ClientRequest, at now: Instant) -> [Action] {
    if case .ended(let failure) = state {
      if case .cancel = request { return [] }
      return [.deliver(.failed(request.id, failure))]
    }
    if case .cancel(let id) = request {
      guard let index = open.firstIndex(where: { $0.request.id == id }) else { return [] }
      open.remove(at: index)
    } else {
      let made = OpenRequest(request, at: now)
      if case .waiting = state, made.endsWithConnection { return [.deliver(.failed(request.id, .deferral(.failed)))] }
      open.append(made)
    }
    return isConnected ? [.send(ClientMessage.request(request).frame)] : []
  }

  private func frame(of request: OpenRequest, at now: Instant) -> [UInt8] {
    ClientMessage.request(request.remaining(at: now)).frame
  }

  /// Reports the streams as lost whose service has been gone for too long. While no service serves, fails the requests that cannot
  /// wait any longer.
  private mutating func overdue(at now: Instant) -> [Action] {
    var actions: [Action] = []
    for index in open.indices {
      if let event = open[index].loss(at: now) { actions.append(.deliver(event)) }
    }
    guard !isServing else { return actions }
    for request in open where request.patienceEnd.map({ now >= $0 }) ?? false {
      actions.append(.deliver(.failed(request.request.id, unreachable)))
    }
    open.removeAll { $0.patienceEnd.map { now >= $0 } ?? false }
    return actions
  }

  /// Why no service has answered by a request's deadline: the last obstacle. `serviceLost` only if no service was
  /// there.
  private var unreachable: LocationFailure {
    switch (obstacle, state) {
    case (.refusal(let refusal)?, _): .serviceRefused(refusal)
    case (.fullBacklog?, _): .serviceBusy(path: path)
    case (.silence?, _), (_, .greeting): .serviceSilent(path: path)
    case (.absence?, _), (nil, _): .serviceLost(path: path)
    }
  }

  // MARK: - The service

  private mutating func lose(at now: Instant) -> [Action] {
    if case .serving(let since, _) = state, now - since >= Self.steadyTime { delay.reset() }
    state = .waiting(until: now + delay.next())
    let ended = open.filter(\.endsWithConnection)
    if !ended.isEmpty { open.removeAll(where: \.endsWithConnection) }
    for index in open.indices { open[index].serviceLeft(at: now) }
    return ended.map { .deliver(.failed($0.request.id, .deferral(.failed))) }
  }

  private mutating func receive(_ bytes: [UInt8], at now: Instant) -> [Action] {
    reader.push(bytes[...])
    var actions: [Action] = []
    do throws(MessageError) {
      while let payload = try reader.next() {
        actions += receive(try ServerMessage(payload.span), at: now)
        switch state {
        case .greeting, .serving: continue
        case .connecting, .waiting, .ended: return actions
        }
      }
    } catch {
      actions += end(.serviceUnreadable(reason: "\(error)"))
    }
    return actions
  }

  private mutating func receive(_ message: ServerMessage, at now: Instant) -> [Action] {
    switch (state, message) {
    case (.greeting, .hello(let server)):
      guard hello.versions.contains(server.version) else {
        return end(.serviceUnreadable(reason: "it uses version \(server.version) of the protocol"))
      }
      let ahead = now - server.present
      let isOneClock = ahead > .zero - Self.clockTolerance && ahead < Self.clockTolerance
      state = .serving(since: now, clock: isOneClock ? .zero : ahead)
      obstacle = nil
      for index in open.indices { open[index].serviceIsBack() }
      return []
    case (.serving(_, let clock), .event(let event)):
      // Ignores events that were on their way when their request was cancelled.
      guard let index = open.firstIndex(where: { $0.request.id == event.request }) else { return [] }
      let events = open[index].receive(event.shifted(by: clock))
      if event.isLast { open.remove(at: index) }
      return events.map { .deliver($0) }
    case (_, .refused(let refusal)):
      obstacle = .refusal(refusal)
      return refusal.isTemporary ? [.disconnect] + lose(at: now) : end(.serviceRefused(refusal))
    case (_, .hello), (_, .event): return end(.serviceUnreadable(reason: "its greeting is missing or was sent twice"))
    }
  }

  /// Ends the session: reconnecting would not help.
  private mutating func end(_ failure: LocationFailure) -> [Action] {
    state = .ended(failure)
    defer { open.removeAll() }
    return [.disconnect] + open.map { .deliver(.failed($0.request.id, failure)) }
  }
}

extension ServiceEvent {
  /// The event with the arrival time of its fix converted from the service's clock to this process's, which is ahead by `duration`.
  fileprivate func shifted(by duration: Duration) -> ServiceEvent {
    guard duration != .zero else { return self }
    func shift(_ fix: PositionFix) -> PositionFix {
      var fix = fix
      fix.receivedAt = fix.receivedAt + duration
      return fix
    }
    if case .located(let id, let fix, let age, let isCached) = self {
      return .located(id, shift(fix), age: age, isCached: isCached)
    }
    if case .update(let id, let fix, let age) = self { return .update(id, shift(fix), age: age) }
    if case .batch(let id, let batch, let age) = self { return .batch(id, batch.shifted(by: duration), age: age) }
    return self
  }
}

/// The wait before the next attempt: a tenth of a second, doubling up to half a minute, each randomized between half of that
/// and all of it, so that the clients of a restarted service do not all reconnect at once.
struct ReconnectDelay: Sendable {
  private static let first: Duration = .milliseconds(100)
  private static let longest: Duration = .seconds(30)

  private var step = 0
  private var random: UInt64

  /// - Parameter seed: differs between clients.
  init(seed: UInt64) { random = seed | 1 }

  mutating func next() -> Duration {
    let whole = min(Self.first * (1 << min(step, 20)), Self.longest)
    step += 1
    // Marsaglia, "Xorshift RNGs", 2003.
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return whole / 2 + whole / 2 * (Double(random >> 11) * 0x1p-53)
  }

  /// Restarts the delays after the service was reached.
  mutating func reset() { step = 0 }
}
