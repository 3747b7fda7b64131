import BusMessages
package import Geodesy

/// The names of GeoClue on the bus, without the bus: from calls to answers, signals and requests to the service.
///
/// A connection sees only its own clients and locations; what another one owns answers "Access denied" and signals nothing.
package struct GeoClueBridge: Sendable {
  /// Clients of one connection, of one user, and of all.
  static let (mostOfConnection, mostOfUser, most) = (64, 128, 1024)
  /// How long a prompt may stay open: the callers' own limit is 25 s.
  static let promptTime: Duration = .seconds(20)
  /// How long the bridge stays without a client.
  static let idleTime: Duration = .seconds(60)
  /// How long properties that were set are kept back, to be announced together with the start.
  static let announcementTime: Duration = .milliseconds(100)

  var clients: [Int: BridgeClient] = [:]
  var nextClient = 1
  /// The client that `GetClient` returns to a connection.
  var firstClients: [String: Int] = [:]
  var agents = BridgeAgents()
  var isInUse = false
  var available = AccuracyLevel.exact
  /// When the last client was deleted.
  private var idleSince: Instant?
  /// When properties that were set must be announced.
  var announcementDue: Instant?

  package init(at now: Instant) { idleSince = now }

  /// When `.wake` is due; `nil`: nothing is awaited.
  package var nextDeadline: Instant? {
    var deadlines = clients.values.compactMap { client -> Instant? in
      if case .starting(_, let until, _) = client.state { until } else { nil }
    }
    if let idleSince { deadlines.append(idleSince + Self.idleTime) }
    if let announcementDue { deadlines.append(announcementDue) }
    return deadlines.min()
  }

  package mutating func handle(_ input: BridgeInput, at now: Instant) -> [BridgeAction] {
    var actions: [BridgeAction] = []
    switch input {
    case .call(let number, let call, let sender, let userID, let isSandboxed):
      do throws(BusError) {
        let caller = Caller(name: sender, userID: userID, isSandboxed: isSandboxed)
        try receive(call, number, caller, at: now, &actions)
      } catch {
        actions.append(.fail(number, error))
      }
    case .signal(let signal, let sender): receive(signal, from: sender, at: now, &actions)
    case .agentProperties(let values, let sender): receive(values, ofAgent: sender, at: now, &actions)
    case .left(let name): leave(name, at: now, &actions)
    case .authorization(let client, let state): receive(state, for: client, at: now, &actions)
    case .asked(let client): noteAsked(client, &actions)
    case .fix(let client, let fix): receive(fix, for: client, at: now, &actions)
    case .failed(let client, let isUnreachable): fail(client, isUnreachable: isUnreachable, &actions)
    case .available(let level):
      if level != available {
        available = level
        announceAvailable(&actions)
      }
    case .wake: wake(at: now, &actions)
    }
    if clients.isEmpty { idleSince = idleSince ?? now } else { idleSince = nil }
    return actions
  }

  /// A connection that calls.
  struct Caller: Hashable {
    let name: String
    let userID: UInt32
    let isSandboxed: Bool
  }

  private mutating func wake(at now: Instant, _ actions: inout [BridgeAction]) {
    if let due = announcementDue, now >= due {
      announcementDue = nil
      for number in clients.keys.sorted() where clients[number]?.isStarting == false { announce(number, [], &actions) }
    }
    for (number, client) in clients.sorted(by: { $0.key < $1.key }) {
      guard case .starting(_, let until, _) = client.state, now >= until else { continue }
      refuseStart(number, Self.unanswered, &actions)
    }
    if let idleSince, now >= idleSince + Self.idleTime { actions.append(.exit) }
  }

  // MARK: - Signals

  /// Announces properties of a client that were set, and others that have changed, to its owner alone.
  mutating func announce(_ number: Int, _ changed: [String], _ actions: inout [BridgeAction]) {
    guard let client = clients[number] else { return }
    // In the order of the interface.
    let names = GeoClue.client.properties.map(\.name).filter { changed.contains($0) || client.unannounced.contains($0) }
    guard !names.isEmpty else { return }
    clients[number]?.unannounced = []
    let values = names.compactMap { name in client.value(name).map { (name: name, value: $0) } }
    actions.append(.emit(.changed(GeoClue.client.name, of: client.path, values), to: client.owner))
  }

  /// Announces whether any client is active, if that has changed.
  mutating func announceUse(_ actions: inout [BridgeAction]) {
    let now = clients.values.contains(where: \.isActive)
    guard now != isInUse else { return }
    isInUse = now
    let values = [(name: "InUse", value: BusValue.boolean(now))]
    actions.append(.emit(.changed(GeoClue.manager.name, of: GeoClue.managerPath, values), to: nil))
  }

  private func announceAvailable(_ actions: inout [BridgeAction]) {
    let values = [(name: "AvailableAccuracyLevel", value: BusValue.uint32(available.rawValue))]
    actions.append(.emit(.changed(GeoClue.manager.name, of: GeoClue.managerPath, values), to: nil))
  }

  // MARK: - Ends

  /// A connection has ended: so do its clients, and its work as an agent.
  private mutating func leave(_ name: String, at now: Instant, _ actions: inout [BridgeAction]) {
    for number in clients.keys.sorted() where clients[number]?.owner == name { delete(number, &actions) }
    firstClients[name] = nil
    guard let agent = agents.remove(name) else { return }
    if let call = agent.call { actions.append(.fail(call, .failed("The agent has ended"))) }
    applyAgent(of: agent.userID, at: now, &actions)
  }

  mutating func delete(_ number: Int, _ actions: inout [BridgeAction]) {
    guard let client = clients.removeValue(forKey: number) else { return }
    if case .starting(let call?, _, _) = client.state {
      actions.append(.fail(call, .failed("The client was deleted")))
    }
    if firstClients[client.owner] == number { firstClients[client.owner] = nil }
    if client.isStarting || client.isActive { actions.append(.close(client: number)) }
    announceUse(&actions)
  }

  static let unanswered = BusError.accessDenied("Nobody has answered the question for access to the location")
}
