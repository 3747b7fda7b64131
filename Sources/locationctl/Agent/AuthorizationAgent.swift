import LocationIPC
import LocationPolicy

/// Shows prompts to the user, on a terminal or on the desktop.
protocol PromptInterface: AnyObject {
  /// Starts to show prompts; `agent` receives the answers.
  func start(for agent: AuthorizationAgent)
  func show(_ question: LocationPolicy.AuthorizationPrompt)
  func withdraw(_ number: PromptNumber)
  /// The service refused an answer for this reason.
  func showRefusal(_ sentence: String)
  func stop()
}

/// Passes prompts from the daemon to the user and the answers back, until a signal arrives or prompts cannot be shown
/// any more.
final class AuthorizationAgent: CommandHandler {
  private static let prompts = RequestID(1)

  let session: CommandSession
  private let interface: any PromptInterface
  private var nextRequest: UInt32 = 2

  init(_ session: CommandSession, _ interface: any PromptInterface) {
    (self.session, self.interface) = (session, interface)
  }

  func start() {
    session.send(.prompts, as: Self.prompts, for: self)
    interface.start(for: self)
  }

  func receive(_ event: PromptEvent, to request: RequestID) {
    switch event {
    case .prompt(let question): interface.show(question)
    case .withdrawn(let number): interface.withdraw(number)
    case .accepted: break
    }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    let message = FailureMessage(failure)
    if request == Self.prompts { session.fail(message) } else { interface.showRefusal(message.text) }
  }

  /// Sends the user's answer.
  func send(_ answer: PromptAnswer, to number: PromptNumber) {
    let request = ServiceRequest.authorization(.answer(number, answer)).map { _ in PromptEvent.accepted }
    session.send(request, as: RequestID(nextRequest), for: self)
    nextRequest &+= 1
  }

  /// Ends the agent, because prompts cannot be shown any more.
  func end(_ status: CommandStatus) { session.finish(status) }

  func finish(_ status: CommandStatus) -> CommandStatus {
    interface.stop()
    return status
  }
}
