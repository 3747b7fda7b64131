import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost

/// One question to the daemon of what is monitored.
enum MonitoringQuestion {
  static func ask(
    _ request: MonitoringRequest, purpose: String? = nil,
    _ show: @escaping (MonitoringAnswer) -> CommandStatus?
  ) -> CommandStatus {
    RegionCommand.List.withService(.automatic, purpose: purpose) { host in
      guard host is RemoteHost else { return Diagnostics.end(FailureSentence(.monitoring(.needsDaemon))) }
      let question = Question(host: host, patience: RegionCommand.patience, remedy: Conversation.remedy)
      return question.ask(.monitoring(Question.id, request)) { event in
        guard case .monitoring(Question.id, let answer) = event else { return nil }
        return show(answer)
      }
    }
  }

  /// Changes what is launched, and forgets the commands that were noted for that before.
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

  /// Begins something that may run commands, which are noted before and struck out where nothing came of it; says so where it
  /// rests.
  ///
  /// - Parameter subject: what begins, as a sentence begins.
  static func begin(
    _ purpose: String?, of subject: String, _ note: () throws(FailureSentence) -> MonitoringLaunch,
    _ request: (MonitoringLaunch) -> MonitoringRequest
  ) -> CommandStatus {
    let launch: MonitoringLaunch
    do throws(FailureSentence) {
      launch = try note()
    } catch {
      return Diagnostics.end(error)
    }
    let wanted = request(launch)
    let status = RegionCommand.List.withService(.automatic, purpose: purpose) { host in
      guard host is RemoteHost else { return Diagnostics.end(FailureSentence(.monitoring(.needsDaemon))) }
      // Whoever decides finds it in the list.
      host.send(.authorization(RequestID(.max), .ask(always: true)))
      let conversation = Conversation(host, writes: false)
      conversation.wishesAlways = true
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
