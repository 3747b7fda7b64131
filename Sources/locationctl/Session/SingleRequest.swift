import LocationIPC

/// A command of one request with one reply.
final class SingleRequest<Reply>: CommandHandler {
  let session: CommandSession
  private let request: ServiceRequest<Reply>
  private let limits: SingleRequestLimits
  private let body: (Reply) -> CommandStatus

  init(
    _ request: ServiceRequest<Reply>, in session: CommandSession, _ limits: SingleRequestLimits,
    _ body: @escaping (Reply) -> CommandStatus
  ) {
    (self.session, self.request, self.limits, self.body) = (session, request, limits, body)
  }

  func start() {
    session.setTimer(after: limits.timeout) { [unowned self] in session.fail(.noReply(remedy: limits.remedy)) }
    if limits.needsAlways { session.askForAuthorization(always: true) }
    session.send(request, for: self)
  }

  func receive(_ reply: Reply, to request: RequestID) { session.finish(body(reply)) }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    session.fail(FailureMessage(failure, needsAlways: limits.needsAlways))
  }
}

/// The timeout and the permission of a single request.
struct SingleRequestLimits {
  var timeout: Duration = .seconds(30)
  /// What the user should do if no reply arrives.
  var remedy = "try again"
  /// Whether the request also takes effect while no user is present, and therefore needs "always" permission.
  var needsAlways = false

  /// For requests that the service answers after it has stored data on disk: a sync on a slow card may take seconds.
  static let storage = SingleRequestLimits(timeout: .seconds(60), remedy: RequestSequence.remedy)
}

extension CommandSession {
  /// Sends `request` and passes the reply to `body`; returns the exit status.
  func request<Reply>(
    _ request: ServiceRequest<Reply>, _ limits: SingleRequestLimits = SingleRequestLimits(),
    _ body: @escaping (Reply) -> CommandStatus
  ) -> CommandStatus {
    SingleRequest(request, in: self, limits, body).run()
  }

  /// Sends a request to which the service only replies that it was executed or refused; returns the exit status.
  func request(_ request: ServiceRequest<Void>, _ limits: SingleRequestLimits = SingleRequestLimits()) -> CommandStatus
  {
    self.request(request, limits) { .done }
  }
}
