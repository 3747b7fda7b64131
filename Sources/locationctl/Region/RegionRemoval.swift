import LocationIPC
import LocationPolicy
import Regions

/// Stops monitoring the named regions or all regions, and deletes the commands that no remaining region uses.
final class RegionRemoval {
  private let session: CommandSession
  private let names: [String]
  private let all: Bool
  private var launches: [MonitoringLaunch] = []
  private var kept: [MonitoringLaunch] = []
  private var found: Set<String> = []

  init(_ session: CommandSession, _ names: [String], all: Bool) {
    (self.session, self.names, self.all) = (session, names, all)
  }

  func execute() -> CommandStatus {
    let status = session.perform(read(from: 0))
    guard status == .done else { return status }
    // Several regions may share one command.
    let used = Set(kept.flatMap(\.commands))
    for launch in Set(launches) {
      SavedCommands.forget(
        MonitoringLaunch(
          onEntry: launch.onEntry.flatMap { used.contains($0) ? nil : $0 },
          onExit: launch.onExit.flatMap { used.contains($0) ? nil : $0 },
          onUnknown: launch.onUnknown.flatMap { used.contains($0) ? nil : $0 }))
    }
    let unknown = names.filter { !found.contains($0) }
    guard unknown.isEmpty else {
      return Diagnostics.report(
        FailureMessage(
          "There is no region '\(TerminalText.sanitized(unknown[0]))': 'locationctl region list' names the regions.",
          .usage))
    }
    return .done
  }

  /// Reads the list first, to find out which commands are no longer needed; then removes the regions.
  private func read(from index: UInt32) -> RequestStep {
    .send(.regions(of: RegionCommand.list, from: index)) { [unowned self] page in
      for monitored in page.regions { note(monitored) }
      return page.next.map(read(from:)) ?? remove()
    }
  }

  private func note(_ monitored: MonitoredRegion) {
    let isRemoved = all || names.contains(monitored.region.identifier)
    if isRemoved { found.insert(monitored.region.identifier) }
    guard !monitored.launch.isEmpty else { return }
    if isRemoved {
      launches.append(monitored.launch)
    } else if !kept.contains(monitored.launch) {
      kept.append(monitored.launch)
    }
  }

  private func remove() -> RequestStep {
    let request: MonitoringRequest =
      all ? .removeAll(list: RegionCommand.list) : .remove(list: RegionCommand.list, names)
    return .send(.monitoring(request)) { .end(.done) }
  }
}
