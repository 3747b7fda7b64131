import LocationIPC

/// What differs between the commands that use the service: the requests that a command sends, and how it processes the
/// replies. `CommandSession` does the rest.
protocol CommandHandler: AnyObject {
  /// The service's replies to the requests of this command, other than progress and failures.
  associatedtype Reply

  var session: CommandSession { get }

  /// Sends the first requests and sets the timers.
  func start()
  /// Receives a reply to `request`, or the next event of a subscription.
  func receive(_ reply: Reply, to request: RequestID)
  /// Receives the failure of `request`, which has ended. By default, the command ends.
  func receive(_ failure: LocationFailure, of request: RequestID)
  /// Receives the progress of `request`. By default, it is displayed if this command shows progress.
  func receive(_ progress: LocationProgress, of request: RequestID)
  /// Receives a reply of another kind than `request` requires. By default, it is ignored.
  func receiveMismatch(to request: RequestID)
  /// Completes the output after the command has ended. Returns the exit status: `status`, or another one if the output
  /// cannot be completed.
  func finish(_ status: CommandStatus) -> CommandStatus
}

extension CommandHandler {
  func receive(_ failure: LocationFailure, of request: RequestID) { session.fail(FailureMessage(failure)) }
  func receive(_ progress: LocationProgress, of request: RequestID) { session.show(progress) }
  func receiveMismatch(to request: RequestID) {}
  func finish(_ status: CommandStatus) -> CommandStatus { status }

  /// Runs the command from `start` to `finish`; returns the exit status.
  func run() -> CommandStatus { session.run(self) }
}
