import LocationDaemon
import LocationIPC
import LocationPolicy

/// One question to the daemon of what is monitored.
enum MonitoringQuestion {
  static func ask(
    _ request: MonitoringRequest, purpose: String? = nil, wishesAlways: Bool = false,
    _ show: @escaping (MonitoringAnswer) -> CommandStatus?
  ) -> CommandStatus {
    RegionCommand.List.withService(.automatic, purpose: purpose) { host in
      guard host is RemoteHost else { return Diagnostics.end(FailureSentence(.monitoring(.needsDaemon))) }
      let question = Question(host: host, patience: RegionCommand.patience, remedy: Conversation.remedy)
      question.wishesAlways = wishesAlways
      return question.ask(.monitoring(Question.id, request)) { event in
        guard case .monitoring(Question.id, let answer) = event else { return nil }
        return show(answer)
      }
    }
  }

  /// Begins something that may run commands, which are noted before and struck out where nothing came of it.
  static func begin(
    _ purpose: String?, _ note: () throws(FailureSentence) -> MonitoringLaunch,
    _ request: (MonitoringLaunch) -> MonitoringRequest
  ) -> CommandStatus {
    let launch: MonitoringLaunch
    do throws(FailureSentence) {
      launch = try note()
    } catch {
      return Diagnostics.end(error)
    }
    let status = ask(request(launch), purpose: purpose, wishesAlways: true) { _ in nil }
    if status != .done { NotedCommands.forget(launch) }
    return status
  }
}
