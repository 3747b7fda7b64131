import LinuxIO
import LocationdConfiguration
import LocationdRecords

/// Log lines about monitoring for programs that start and exit, for the administrator.
extension DaemonLog {
  func write(_ event: LaunchEvent) {
    switch event {
    case .cannotReach, .slowed, .failed: line(.warning, event.sentence)
    case .reached, .caughtUp: line(.info, event.sentence)
    }
  }

  func write(_ event: MonitoringServiceEvent) {
    switch event {
    case .resumed(let lists, let regions):
      line(
        .info, "Watching \(CountedNoun.text(regions, "stored region")) of \(CountedNoun.text(lists, "program")).")
    case .cannotKeep(let path, let reason?):
      line(.error, "Cannot store regions and visits in \(clean(path)): \(clean(reason)).")
    case .cannotKeep(let path, nil): line(.info, "Regions and visits can be stored in \(clean(path)) again.")
    case .setAside(let name):
      line(
        .error,
        "The file of regions and visits was damaged: it was renamed to \(clean(name)), and a new file was created.")
    }
  }
}
