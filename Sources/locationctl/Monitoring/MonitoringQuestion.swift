import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost

/// One monitoring request to the daemon.
enum MonitoringQuestion {
  static func ask(
    _ request: MonitoringRequest, purpose: String? = nil,
    _ show: @escaping (MonitoringAnswer) -> CommandStatus?
  ) -> CommandStatus {
    RegionCommand.List.withService(.automatic, purpose: purpose) { host in
      guard host is RemoteHost else { return Diagnostics.report(FailureMessage(.monitoring(.needsDaemon))) }
      let question = Question(host: host, patience: RegionCommand.patience, remedy: Conversation.remedy)
      return question.ask(.monitoring(Question.id, request)) { event in
        guard case .monitoring(Question.id, let answer) = event else { return nil }
        return show(answer)
      }
    }
  }

  /// Changes what is launched on events, and deletes the commands that were stored for it before.
  static func replacing(
    _ launch: @escaping (MonitoringListReport) -> MonitoringLaunch, _ change: () -> CommandStatus
  ) -> CommandStatus {
    var before: [MonitoringLaunch] = []
    let asked = ask(.lists) { answer in
      guard case .lists(let lists) = answer else { return nil }
      before = lists.filter { $0.name == RegionCommand.list }.map(launch)
      return .done
    }
    guard asked == .done else { return asked }
    let status = change()
    if status == .done { for launch in before { NotedCommands.forget(launch) } }
    return status
  }

  /// Starts monitoring that may run commands. Stores the commands before, deletes them if starting fails, and prints a message if
  /// monitoring is suspended.
  ///
  /// - Parameter subject: what starts, as a sentence begins.
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
    let wanted = request(launch)
    let status = RegionCommand.List.withService(.automatic, purpose: purpose) { host in
      guard host is RemoteHost else { return Diagnostics.report(FailureMessage(.monitoring(.needsDaemon))) }
      // The request for "always" appears in the administrator's list.
      host.send(.authorization(RequestID(.max), .ask(always: true)))
      let conversation = Conversation(host, writes: false)
      conversation.needsAlways = true
      return conversation.execute(first: { .monitoring($0, wanted) }) { event in
        switch event {
        case .done: return .ask { .authorization($0, .watch) }
        case .authorization(_, .state(let state)):
          GrantNotice.say(state, of: subject)
          return .end(.done)
        default: return Conversation.misunderstood()
        }
      }
    }
    if status != .done { NotedCommands.forget(launch) }
    return status
  }
}
