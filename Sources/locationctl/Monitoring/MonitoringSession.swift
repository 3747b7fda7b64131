import LocationIPC
import LocationPolicy

/// Requests about monitoring, which only the daemon provides.
enum MonitoringSession {
  /// Runs `body` with the daemon.
  static func open(purpose: String? = nil, _ body: (CommandSession) -> CommandStatus) -> CommandStatus {
    CommandSession.withDaemon(purpose: purpose, orFail: FailureMessage(.monitoring(.needsDaemon)), body)
  }

  /// Sends one request and passes the reply to `body`.
  static func request<Reply>(
    _ request: ServiceRequest<Reply>, purpose: String? = nil, _ body: @escaping (Reply) -> CommandStatus
  ) -> CommandStatus {
    open(purpose: purpose) { $0.request(request, .storage, body) }
  }

  /// Changes what is launched on events, and deletes the commands that were previously stored for it.
  static func replacing(
    _ launch: @escaping (MonitoringListReport) -> MonitoringLaunch, _ change: () -> CommandStatus
  ) -> CommandStatus {
    var before: [MonitoringLaunch] = []
    let listed = request(.monitoringLists) { lists in
      before = lists.filter { $0.name == RegionCommand.list }.map(launch)
      return .done
    }
    guard listed == .done else { return listed }
    let status = change()
    if status == .done { for launch in before { SavedCommands.forget(launch) } }
    return status
  }

  /// Starts monitoring that may run commands. Stores the commands first, deletes them if starting fails, and prints a
  /// message if monitoring is suspended.
  ///
  /// - Parameter subject: the monitoring that starts, as the beginning of a sentence.
  static func begin(
    _ purpose: String?, of subject: String, _ note: () throws(FailureMessage) -> MonitoringLaunch,
    _ request: (MonitoringLaunch) -> MonitoringRequest
  ) -> CommandStatus {
    let launch: MonitoringLaunch
    do throws(FailureMessage) {
      launch = try note()
    } catch {
      return Diagnostics.report(error)
    }
    let start = ServiceRequest.monitoring(request(launch))
    let status = open(purpose: purpose) { session in
      session.askForAuthorization(always: true)
      let steps = RequestStep.send(start) {
        .send(.authorizationChanges) { state in
          MissingGrantWarning.print(state, of: subject)
          return .end(.done)
        }
      }
      return session.perform(steps, endsWithOutput: false, needsAlways: true)
    }
    if status != .done { SavedCommands.forget(launch) }
    return status
  }
}
