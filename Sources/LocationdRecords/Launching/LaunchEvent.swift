import LinuxIO
package import LocationPolicy

/// The events of launches that the service logs: user IDs and numbers, never a position or a command.
package enum LaunchEvent: Hashable, Sendable {
  case cannotReach(userID: UInt32, AgentProblem)
  case reached(userID: UInt32)
  /// Too many events came at once; this many are waiting.
  case slowed(userID: UInt32, waiting: Int)
  case caughtUp(userID: UInt32, waited: Int)
  /// The command or notification failed.
  case failed(userID: UInt32, event: UInt64, LaunchOutcome)

  package var sentence: String {
    switch self {
    case .cannotReach(let userID, let problem): problem.sentence(userID: userID)
    case .reached(let userID): "The agent of user \(userID) answers again: waiting commands now run."
    case .slowed(let userID, let waiting):
      "User \(userID) has started many commands: \(waiting) are waiting, and one starts every two seconds."
    case .caughtUp(let userID, let waited): "No command of user \(userID) is waiting now; \(waited) had to wait."
    case .failed(let userID, let event, let outcome): "Event \(event) of user \(userID): \(Self.words(outcome))."
    }
  }

  private static func words(_ outcome: LaunchOutcome) -> String {
    switch outcome {
    case .ended(.exited(LaunchEnding.tryAgain)): "the command ended with status 75 (try again) too often"
    case .ended(.exited(let status)): "the command ended with status \(status)"
    case .ended(.killed(let signal)): "the command was ended by signal \(signal)"
    case .ended(.outOfTime): "the command was stopped at its time limit"
    case .unknownCommand: "the command does not exist any more"
    case .cannotStart(let errno): "the command cannot be started (\(ErrorDescription.of(errno)))"
    case .noOrder: "it is too large for the user's agent and was deleted"
    case .shown: "the notification is shown"
    case .cannotShow(.noDesktop): "the notification is not shown, because there is no desktop session"
    case .cannotShow(.noProgram): "the notification is not shown: install libnotify-bin"
    case .cannotShow(.failed): "the desktop does not show notifications"
    }
  }
}
