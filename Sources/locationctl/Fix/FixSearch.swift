import LocationIPC
import LocationPolicy
import TrackFormats

/// One request for one fix, for any command that needs the position of this machine.
final class FixSearch: CommandHandler {
  let session: CommandSession
  private let options: OneShotOptions
  private let show: (LocatedFix) -> CommandStatus

  /// - Parameter show: processes the fix; returns the exit status.
  init(_ session: CommandSession, _ options: OneShotOptions, _ show: @escaping (LocatedFix) -> CommandStatus) {
    self.session = session
    var options = options
    options.device = session.device
    self.options = options
    self.show = show
  }

  func start() {
    // The service answers by its own deadline. If it does not, the user still gets an answer.
    session.setTimer(after: options.timeout + .seconds(10)) { [unowned self] in
      session.fail(.noReply(remedy: "try again"))
    }
    if options.timeout > .zero { session.showProgress() }
    session.send(.locate(options), for: self)
  }

  func receive(_ located: LocateReply, to request: RequestID) {
    session.endProgress()
    session.finish(show(LocatedFix(located.fix, age: located.age, isCached: located.isCached)))
  }

  func receive(_ progress: LocationProgress, of request: RequestID) { session.show(progress, watchesSky: true) }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    if options.timeout == .zero, case .notAuthorized = failure {
      session.fail(FailureMessage(failure))
    } else if options.timeout == .zero {
      session.fail(FailureMessage("No fix is known yet: get one with 'locationctl fix'.", .locationUnknown))
    } else if options.waitsForSource, case .cannotOpen(let path, .doesNotExist) = failure {
      session.fail(FailureMessage(neverAppeared: path))
    } else {
      session.fail(FailureMessage(failure))
    }
  }
}
