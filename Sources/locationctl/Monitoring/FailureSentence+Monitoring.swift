import LocationIPC
import LocationPolicy

extension FailureSentence {
  /// Why something is not monitored.
  init(_ failure: MonitoringFailure) {
    switch failure {
    case .needsDaemon:
      self.init(
        "Regions, visits and significant changes are watched by locationd, and none answers: start it, as with "
          + "systemctl start locationd.", .noSource)
    case .monitoredElsewhere(let processID):
      let process = processID.map { "process \($0)" } ?? "another process"
      self.init(
        "Without locationd one process of a user can watch regions, and \(process) does: start locationd, or end it.",
        .cannotWrite)
    case .badName(let name):
      self.init("There is no list '\(TerminalText.sanitized(name))': locationctl region list names them.", .usage)
    case .tooManyRegions(let limit):
      self.init(
        "\(limit) regions of this user are watched, which is as many as may be: remove some, have access granted "
          + "('sudo locationctl grant'), or raise LOCATIOND_REGIONS of locationd.", .cannotWrite)
    case .tooManyTimedRegions(let limit):
      self.init(
        "\(limit) regions of this user have --on-unknown, --after or --dwell, which is as many as may be: remove some, or add "
          + "this one without.", .cannotWrite)
    case .tooManyRegionBytes(let limit):
      self.init(
        "The names and borders of this user's regions take \(limit) bytes, which is as many as may be: remove some, "
          + "or have access granted ('sudo locationctl grant'), which allows more.", .cannotWrite)
    case .tooManyLists(let limit):
      self.init(
        "\(limit) programs of this user have something watched, which is as many as may be: remove what is not needed.",
        .cannotWrite)
    case .cannotKeep(let path, let reason, let cause):
      self.init(
        "What is watched cannot be kept in \(TerminalText.sanitized(path)) (\(TerminalText.sanitized(reason))): "
          + "\(Self.remedy(cause)).", cause == .busy ? .locationUnknown : .cannotWrite)
    case .mayNotLaunch(let identity):
      self.init(
        "\(TerminalText.sanitized(identity.realm.text)) is kept apart from the rest of the system, and may not have "
          + "commands run or notices shown outside: leave out the command.", .denied)
    }
  }
}
