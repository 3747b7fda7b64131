import LocationIPC
import LocationPolicy

/// Plays a recording to its end, and passes the fixes that the service reports to an evaluation.
final class RecordedFixes: CommandHandler {
  let session: CommandSession
  private let evaluation: EvaluationRun

  init(_ session: CommandSession, to evaluation: EvaluationRun) {
    (self.session, self.evaluation) = (session, evaluation)
  }

  func start() { session.send(.updates(UpdateOptions(isRaw: true)), for: self) }

  func receive(_ event: FixEvent, to request: RequestID) {
    if case .fix(let fix, _) = event { evaluation.receive(fix) }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    if case .sourceEnded = failure { session.finish(.done) } else { session.fail(FailureMessage(failure)) }
  }
}
