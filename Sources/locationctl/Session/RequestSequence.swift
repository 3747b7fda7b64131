import LocationIPC

/// The next step of a command: send a request, or end.
indirect enum RequestStep {
  /// `next`: returns the step that follows from a message of the service.
  case send((RequestID) -> ClientRequest, next: (ServiceEvent) -> RequestEvent<RequestStep>?)
  case end(CommandStatus)

  /// Sends `request`, and continues with the step that `next` returns for the reply.
  static func send<Reply>(_ request: ServiceRequest<Reply>, then next: @escaping (Reply) -> RequestStep) -> RequestStep
  {
    .send(request.message) { message in request.event(message)?.map(next) }
  }
}

/// A command of several requests: each one is sent after the previous one was answered. A failure ends the sequence.
final class RequestSequence: CommandHandler {
  /// What the user should do if no reply arrives.
  static let remedy = "its disk may hang (see 'dmesg'); try again later"
  /// The timeout for each reply.
  private static let timeout: Duration = .seconds(60)
  /// Number of requests that are sent as fast as they are answered; later ones are sent at intervals of `interval`. The
  /// service disconnects a client that sends more than 200 requests a second for long, and has other clients to serve.
  private static let burst = 100
  private static let interval: Duration = .milliseconds(8)

  let session: CommandSession
  private let first: RequestStep
  private let endsWithOutput: Bool
  private let needsAlways: Bool
  private var request = RequestID(0)

  init(_ first: RequestStep, in session: CommandSession, endsWithOutput: Bool, needsAlways: Bool) {
    self.session = session
    self.first = first
    self.endsWithOutput = endsWithOutput
    self.needsAlways = needsAlways
  }

  func start() {
    if endsWithOutput { session.endWhenOutputCloses() }
    watchForSilence()
    perform(first)
  }

  private func watchForSilence() {
    session.setTimer(after: Self.timeout) { [unowned self, request] in
      if self.request == request { session.fail(.noReply(remedy: Self.remedy)) } else { watchForSilence() }
    }
  }

  func receive(_ step: RequestStep, to request: RequestID) { perform(step) }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    guard request == self.request else { return }
    session.fail(FailureMessage(failure, needsAlways: needsAlways))
  }

  func receiveMismatch(to request: RequestID) {
    guard request == self.request else { return }
    session.fail(.replyMismatch)
  }

  private func perform(_ step: RequestStep) {
    switch step {
    case .end(let status): session.finish(status)
    case .send(let message, let next):
      request = RequestID(request.rawValue &+ 1)
      guard request.rawValue > Self.burst else { return session.send(message(request), for: self, event: next) }
      session.setTimer(after: Self.interval) { [unowned self, request] in
        session.send(message(request), for: self, event: next)
      }
    }
  }
}

extension CommandSession {
  /// Performs `first` and the following steps; returns the exit status.
  ///
  /// - Parameters:
  ///   - endsWithOutput: whether to end when the reader of standard output closes it.
  ///   - needsAlways: whether the requests also take effect while no user is present, and therefore need "always"
  ///     permission.
  func perform(_ first: RequestStep, endsWithOutput: Bool = true, needsAlways: Bool = false) -> CommandStatus {
    RequestSequence(first, in: self, endsWithOutput: endsWithOutput, needsAlways: needsAlways).run()
  }
}
