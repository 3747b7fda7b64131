import Geodesy

extension AuthorizationDesk {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// The stored grants, at the start.
    case loaded([Grant], isOn: Bool)

    case arrived(ClientKey, AuthorizationClient)
    case left(ClientKey)
    case presence(ClientKey, ClientPresence)
    /// The client's purpose, if it was not part of its arrival.
    case describes(ClientKey, purpose: String)
    case requestsWhenInUse(ClientKey)
    case requestsAlways(ClientKey)
    case requestsFullAccuracy(ClientKey, purposeKey: String)
    /// Whether the client receives positions now, or events of the other services.
    case uses(ClientKey, Bool)

    /// A connection can show prompts to a person.
    case agentArrived(ClientKey, Answerer)
    case agentLeft(ClientKey)
    case answered(QuestionNumber, Answer, by: ClientKey)

    /// A decision without a prompt.
    case decided(ClientIdentity, Decision, by: Answerer)
    /// The switch for the whole service.
    case switched(isOn: Bool, by: Answerer)
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Show the prompt on these agents.
    case ask(Question, of: [ClientKey])
    /// Withdraw the prompt from these agents, whatever its result.
    case withdraw(QuestionNumber, from: [ClientKey])
    /// The client's authorization has changed, or the client has just arrived.
    case told(ClientKey, Authorization)
    /// Answers all of the client's requests for full accuracy; follows `told`.
    case fullAccuracyAnswered(ClientKey, FullAccuracyAnswer)
    /// A request had no effect. The client gets no callback.
    case ignored(ClientKey, IgnoredRequest)
    /// The decision, the switch or the agent was rejected.
    case refused(DecisionRefusal)
    /// Store the record, or delete it.
    case keep(ClientIdentity, GrantRecord?)
    case keepSwitch(isOn: Bool)
  }

  /// The results of one input.
  struct Turn {
    let instant: Instant
    let clock: GNSSTime?
    var actions: [Action] = []
    /// Follows the notifications of all clients.
    var answers: [Action] = []
    /// The clients that waited for full accuracy, and the person's answer.
    var fullAccuracy: [(client: ClientKey, identity: ClientIdentity, choice: Answer.Choice)] = []
  }
}
