import Geodesy

extension AuthorizationStateMachine {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// The stored grants, at the start.
    case loaded([Grant], isOn: Bool)

    case arrived(ClientID, AuthorizationClient)
    case left(ClientID)
    case presence(ClientID, ClientPresence)
    /// The client's purpose, if it was not part of its arrival.
    case describes(ClientID, purpose: String)
    case requestsWhenInUse(ClientID)
    case requestsAlways(ClientID)
    case requestsFullAccuracy(ClientID, purposeKey: String)
    /// Whether the client receives positions now, or events of the other services.
    case uses(ClientID, Bool)

    /// A connection can show prompts to a person.
    case agentArrived(ClientID, PromptResponder)
    case agentLeft(ClientID)
    case answered(PromptNumber, PromptAnswer, by: ClientID)

    /// A decision without a prompt.
    case decided(ClientIdentity, Decision, by: PromptResponder)
    /// The identities that the configuration names as receivers of positions: each has the level always unless it is revoked, and one
    /// that is no longer named loses it.
    case configured([ClientIdentity])
    /// The switch for the whole service.
    case switched(isOn: Bool, by: PromptResponder)
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Show the prompt on these agents.
    case ask(AuthorizationPrompt, of: [ClientID])
    /// Withdraw the prompt from these agents, whatever its result.
    case withdraw(PromptNumber, from: [ClientID])
    /// The client's authorization has changed, or the client has just arrived.
    case authorizationChanged(ClientID, Authorization)
    /// Answers all of the client's requests for full accuracy; follows `authorizationChanged`.
    case fullAccuracyAnswered(ClientID, FullAccuracyAnswer)
    /// A request had no effect. The client gets no callback.
    case ignored(ClientID, IgnoredRequest)
    /// The decision, the switch or the agent was rejected.
    case refused(DecisionError)
    /// Store the record; `nil`: delete the stored one.
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
    var fullAccuracy: [(client: ClientID, identity: ClientIdentity, choice: PromptAnswer.Choice)] = []
  }
}
