import LinuxIO
package import LocationPolicy

/// What the service tells the person in charge of what it starts: users and numbers, never a place or a command.
package enum LaunchNews: Hashable, Sendable {
  case cannotReach(userID: UInt32, AgentProblem)
  case reached(userID: UInt32)
  /// So many events wait, as too many came at once.
  case slowed(userID: UInt32, waiting: Int)
  case caughtUp(userID: UInt32, waited: Int)
  /// What was started did not do what it was to.
  case failed(userID: UInt32, event: UInt64, LaunchOutcome)

  package var sentence: String {
    switch self {
    case .cannotReach(let userID, let problem): problem.sentence(userID: userID)
    case .reached(let userID): "User \(userID)'s commands are run again."
    case .slowed(let userID, let waiting):
      "User \(userID) has had many commands started: \(waiting) wait, one is started every two seconds."
    case .caughtUp(let userID, let waited): "None of user \(userID)'s commands waits any more; \(waited) had to."
    case .failed(let userID, let event, let outcome): "Event \(event) of user \(userID): \(Self.words(outcome))."
    }
  }

  private static func words(_ outcome: LaunchOutcome) -> String {
    switch outcome {
    case .ended(.exited(LaunchEnding.tryAgain)): "the command asked to be run again too often"
    case .ended(.exited(let status)): "the command ended with status \(status)"
    case .ended(.killed(let signal)): "the command was ended by signal \(signal)"
    case .ended(.outOfTime): "the command was stopped, as it had used up its time"
    case .unknownCommand: "the command is not noted any more"
    case .cannotStart(let errno): "the command cannot be started (\(ErrorWords.of(errno)))"
    case .noOrder: "it does not fit into an order to the user's agent, and was dropped"
    case .shown: "it is shown"
    case .cannotShow(.noDesktop): "it is not shown, as there is no desktop session"
    case .cannotShow(.noProgram): "it is not shown: install libnotify-bin"
    case .cannotShow(.failed): "the desktop does not show notifications"
    }
  }
}
