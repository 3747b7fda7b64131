import LocationIPC
import LocationPolicy
import LocationdClient

/// Passes prompts from the daemon to the user and the answers back, until a signal.
final class AgentRun {
  /// An interface that shows prompts to the user.
  protocol Desk: AnyObject {
    /// Starts; calls `answer` for each answer, and `end` to end the agent.
    func begin(answer: @escaping (QuestionNumber, Answer) -> Void, end: @escaping (CommandStatus) -> Void)
    func ask(_ question: LocationPolicy.Question)
    func withdraw(_ number: QuestionNumber)
    /// The service refused the answer; `sentence` says why.
    func refuse(_ sentence: String)
    func stop()
  }

  private static let questions = RequestID(1)

  private let host: any ServiceAccess
  private let desk: any Desk
  private var nextRequest: UInt32 = 2
  private var status: CommandStatus?

  init(host: any ServiceAccess, desk: any Desk) {
    self.host = host
    self.desk = desk
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.send(.authorization(Self.questions, .serveQuestions))
    desk.begin(answer: { [weak self] in self?.answer($0, $1) }, end: { [weak self] in self?.end($0) })
    // The host holds only a weak reference to this run.
    if status == nil, let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .authorization(Self.questions, .question(let question)): desk.ask(question)
    case .authorization(Self.questions, .withdrawn(let number)): desk.withdraw(number)
    case .failed(Self.questions, let failure): end(Diagnostics.report(FailureMessage(failure)))
    case .failed(_, let failure): desk.refuse(FailureMessage(failure).text)
    // Confirmations of answers, and events that this run did not request.
    case .done, .located, .update, .streamChanged, .sky, .progress, .devices, .status, .log, .heard, .authorization,
      .wifi, .monitoring:
      break
    }
  }

  private func answer(_ number: QuestionNumber, _ answer: Answer) {
    host.send(.authorization(RequestID(nextRequest), .answer(number, answer)))
    nextRequest &+= 1
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    desk.stop()
    host.stop()
  }
}
