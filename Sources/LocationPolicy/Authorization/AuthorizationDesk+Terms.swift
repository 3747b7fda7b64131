import Geodesy

extension AuthorizationDesk {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// What was kept, at the start.
    case loaded([Grant], isOn: Bool)

    case arrived(ClientKey, AuthorizationClient)
    case left(ClientKey)
    case presence(ClientKey, ClientPresence)
    /// What it wants location for, where it did not say so as it arrived.
    case describes(ClientKey, purpose: String)
    case requestsWhenInUse(ClientKey)
    case requestsAlways(ClientKey)
    case requestsFullAccuracy(ClientKey, purposeKey: String)
    /// Whether it has positions now, or events of the other services.
    case uses(ClientKey, Bool)

    /// A connection is ready to put questions to a person.
    case agentArrived(ClientKey, Answerer)
    case agentLeft(ClientKey)
    case answered(QuestionNumber, Answer, by: ClientKey)

    /// Somebody decides without a question.
    case decided(ClientIdentity, Decision, by: Answerer)
    /// The switch for the whole service.
    case switched(isOn: Bool, by: Answerer)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    /// Put the question to these agents.
    case ask(Question, of: [ClientKey])
    /// The question is over for these agents, however it ended.
    case withdraw(QuestionNumber, from: [ClientKey])
    /// What the client may have has changed, or it has just arrived.
    case told(ClientKey, Authorization)
    /// Answers all that the client has asked for full accuracy; comes after `told`.
    case fullAccuracyAnswered(ClientKey, FullAccuracyAnswer)
    /// A request did nothing. The client is not called back.
    case ignored(ClientKey, IgnoredRequest)
    /// The decision, the switch or the agent that was handed in does not count.
    case refused(DecisionRefusal)
    /// Write it down, or strike it out.
    case keep(ClientIdentity, GrantRecord?)
    case keepSwitch(isOn: Bool)
  }

  /// What one input leads to.
  struct Turn {
    let instant: Instant
    let clock: GNSSTime?
    var actions: [Action] = []
    /// Comes after all clients have been told what changed.
    var answers: [Action] = []
    /// Who waited for full accuracy, and what the person said.
    var fullAccuracy: [(client: ClientKey, identity: ClientIdentity, choice: Answer.Choice)] = []
  }
}
