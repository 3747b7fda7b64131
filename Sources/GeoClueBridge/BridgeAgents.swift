import BusMessages
import Geodesy

/// The agents of users, which may restrict what the programs of their user get. An agent gives nothing: the service decides that.
struct BridgeAgents: Sendable {
  private struct Agent {
    let name: String
    let userID: UInt32
    /// `AddAgent`, until the agent's properties are known.
    var call: CallNumber?
    var most = AccuracyLevel.exact
  }

  /// The agents of desktops, as GeoClue's configuration names them.
  static let known: Set<String> = [
    "geoclue-demo-agent", "gnome-shell", "io.elementary.desktop.agent-geoclue2", "sm.puri.Phosh", "lipstick",
  ]
  private static let most = 64

  /// The oldest first.
  private var agents: [Agent] = []

  /// The most that the newest agent of a user allows.
  func most(of userID: UInt32) -> AccuracyLevel {
    agents.last { $0.userID == userID && $0.call == nil }?.most ?? .exact
  }

  /// Adds a connection that gives itself one of the known names. A sandboxed program is no agent: it could keep its user's other programs
  /// from the location.
  mutating func add(_ caller: GeoClueBridge.Caller, id: String, _ call: CallNumber) throws(BusError) {
    let (name, userID) = (caller.name, caller.userID)
    guard Self.known.contains(id), !caller.isSandboxed else { throw .accessDenied("ID not allowed to act as agent") }
    guard !agents.contains(where: { $0.name == name && $0.call != nil }) else {
      throw .failed("The agent is being added already")
    }
    agents.removeAll { $0.name == name }
    guard agents.count < Self.most else { throw .limitsExceeded("There are too many agents") }
    agents.append(Agent(name: name, userID: userID, call: call))
  }

  /// Notes what an agent allows; returns its user, and the call that is answered now. `nil`: not an agent.
  mutating func note(_ most: AccuracyLevel?, of name: String) -> (userID: UInt32, call: CallNumber?)? {
    guard let index = agents.firstIndex(where: { $0.name == name }) else { return nil }
    let call = agents[index].call
    agents[index].call = nil
    if let most { agents[index].most = most }
    return (agents[index].userID, call)
  }

  /// Forgets a connection that has ended; returns the user whose agent it was, and its call that was not answered. `nil`: not an agent.
  mutating func remove(_ name: String) -> (userID: UInt32, call: CallNumber?)? {
    guard let index = agents.firstIndex(where: { $0.name == name }) else { return nil }
    let agent = agents.remove(at: index)
    return (agent.userID, agent.call)
  }
}

/// What agents say.
extension GeoClueBridge {
  private static let property = "MaxAccuracyLevel"

  mutating func receive(
    _ values: [BusValue]?, ofAgent name: String, at now: Instant, _ actions: inout [BridgeAction]
  ) {
    noteAgent(values?.first?.entries?[Self.property], name, at: now, &actions)
  }

  mutating func receive(
    _ signal: BusSignal, from name: String, at now: Instant, _ actions: inout [BridgeAction]
  ) {
    guard signal.path == GeoClue.agentPath, signal.interface == StandardInterface.properties,
      signal.member == "PropertiesChanged", signal.arguments.count == 3,
      signal.arguments[0].text == GeoClue.agentInterface, let value = signal.arguments[1].entries?[Self.property]
    else { return }
    noteAgent(value, name, at: now, &actions)
  }

  private mutating func noteAgent(
    _ value: BusValue?, _ name: String, at now: Instant, _ actions: inout [BridgeAction]
  ) {
    var most: AccuracyLevel?
    if case .uint32(let number)? = value { most = AccuracyLevel(allowed: number) }
    guard let noted = agents.note(most, of: name) else { return }
    if let call = noted.call { actions.append(.answer(call, [])) }
    applyAgent(of: noted.userID, at: now, &actions)
  }

  /// Applies what a user's agent allows to the user's clients: at nothing they are held, and go on when it allows something again.
  mutating func applyAgent(of userID: UInt32, at now: Instant, _ actions: inout [BridgeAction]) {
    let most = agents.most(of: userID)
    for (number, client) in clients.sorted(by: { $0.key < $1.key }) where client.userID == userID {
      switch client.state {
      case .active where most == .none:
        stop(number, &actions)
        clients[number]?.state = .held
      case .active: applyLevel(of: number, &actions)
      case .held where most != .none:
        resume(number, at: now, &actions)
      case .starting where most == .none: refuseStart(number, Self.unanswered, &actions)
      case .idle, .starting, .held: continue
      }
    }
  }
}
