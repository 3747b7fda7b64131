import Geodesy
import LocationIPC
import LocationPolicy
import LocationdClient
import Regions
import TrackFormats

/// Lists the regions that are monitored for this user, page by page.
final class RegionListing {
  private let host: any ServiceAccess
  private let asJSON: Bool
  private var lists: ArraySlice<MonitoringListReport> = []
  private var count = 0

  init(host: any ServiceAccess, asJSON: Bool) { (self.host, self.asJSON) = (host, asJSON) }

  func execute() -> CommandStatus {
    guard host is RemoteHost else { return Diagnostics.report(FailureMessage(.monitoring(.needsDaemon))) }
    return Conversation(host).execute(first: { .monitoring($0, .lists) }) { self.step(after: $0) }
  }

  private func step(after event: ServiceEvent) -> Conversation.Step {
    switch event {
    case .monitoring(_, .lists(let lists)):
      // Lists of other owners that this user can see cannot be read by name.
      self.lists = lists.filter { $0.regions > 0 }[...]
      for list in lists { tellHindrance(list) }
      return nextList()
    case .monitoring(_, .regions(let regions, let next)):
      if let failure = write(regions) { return .end(failure) }
      guard let name = lists.first?.name, let next else {
        lists = lists.dropFirst()
        return nextList()
      }
      return .ask { .monitoring($0, .read(list: name, from: next)) }
    default: return Conversation.misunderstood()
    }
  }

  private func nextList() -> Conversation.Step {
    guard let name = lists.first?.name else {
      if count == 0 { Diagnostics.print("There are no regions yet: add one with 'locationctl region add'.") }
      return .end(.done)
    }
    return .ask { .monitoring($0, .read(list: name, from: 0)) }
  }

  private func tellHindrance(_ list: MonitoringListReport) {
    if list.wanted != list.allowed.intersection(list.wanted), !list.wanted.isEmpty {
      Diagnostics.print(
        "The regions of \(TerminalText.sanitized(list.name)) are paused, because you have no access to the location: see "
          + "'locationctl grants'; 'sudo locationctl grant' gives access.")
    }
    if list.dropped > 0 {
      Diagnostics.print(
        "\(list.dropped) events of \(TerminalText.sanitized(list.name)) were deleted, because no program has received them."
      )
    }
  }

  private func write(_ regions: [MonitoredRegion]) -> CommandStatus? {
    count += regions.count
    guard let list = lists.first?.name else { return nil }
    let lines = regions.flatMap { asJSON ? object($0, list).line : Array("\(Self.row($0))\n".utf8) }
    return Results.write(lines)
  }

  private func object(_ monitored: MonitoredRegion, _ list: String) -> JSONObject {
    var object = JSONObject()
    object.add("region", .text(monitored.region.identifier))
    object.add("list", .text(list))
    object.add("state", .text(EventDescription.state(monitored.state)))
    switch monitored.region.shape {
    case .circle(let circle):
      object.add("latitude", .number(circle.center.latitude.degrees, decimals: 7))
      object.add("longitude", .number(circle.center.longitude.degrees, decimals: 7))
      object.add("radius", .meters(circle.radius.value))
    case .polygon(let polygon):
      let corners = polygon.corners.map { corner in
        (FixedDecimal.text(corner.latitude.degrees, decimals: 7) ?? "") + ","
          + (FixedDecimal.text(corner.longitude.degrees, decimals: 7) ?? "")
      }
      object.add("polygon", .list(corners))
    }
    object.add("onEnter", .text(monitored.launch.onEntry.flatMap(NotedCommands.text)))
    object.add("onExit", .text(monitored.launch.onExit.flatMap(NotedCommands.text)))
    object.add("onUnknown", .text(monitored.launch.onUnknown.flatMap(NotedCommands.text)))
    if monitored.launch.isShown { object.add("notify", .flag(true)) }
    object.add("after", .number(monitored.timing.unknownAfterSeconds))
    object.add("dwell", .number(monitored.timing.dwellSeconds))
    return object
  }

  private static func row(_ monitored: MonitoredRegion) -> String {
    let shape =
      switch monitored.region.shape {
      case .circle(let circle): EventDescription.place(circle.center, circle.radius)
      case .polygon(let polygon): "polygon of \(polygon.corners.count) corners"
      }
    let commands = [
      monitored.launch.onEntry.flatMap(NotedCommands.text).map { "enter: \(TerminalText.sanitized($0))" },
      monitored.launch.onExit.flatMap(NotedCommands.text).map { "exit: \(TerminalText.sanitized($0))" },
      monitored.launch.onUnknown.flatMap(NotedCommands.text).map { "unknown: \(TerminalText.sanitized($0))" },
      monitored.launch.isShown ? "shown" : nil,
      monitored.timing.unknownAfterSeconds.map { "unknown after \(DurationArgument(seconds: $0).text)" },
      monitored.timing.dwellSeconds.map { "dwell \(DurationArgument(seconds: $0).text)" },
    ].compactMap(\.self)
    let name = TerminalText.sanitized(monitored.region.identifier)
    return ([name, EventDescription.state(monitored.state), shape] + commands).joined(separator: "  ")
  }
}

/// Stops monitoring the named regions and deletes their commands.
final class RegionRemoving {
  private let host: any ServiceAccess
  private let names: [String]
  private let all: Bool
  private var launches: [MonitoringLaunch] = []
  private var kept: [MonitoringLaunch] = []
  private var found: Set<String> = []

  init(host: any ServiceAccess, _ names: [String], all: Bool) { (self.host, self.names, self.all) = (host, names, all) }

  func execute() -> CommandStatus {
    guard host is RemoteHost else { return Diagnostics.report(FailureMessage(.monitoring(.needsDaemon))) }
    let status = Conversation(host).execute(first: { .monitoring($0, .read(list: RegionCommand.list, from: 0)) }) {
      self.step(after: $0)
    }
    guard status == .done else { return status }
    // Several regions may share one command.
    let used = Set(kept.flatMap(\.commands))
    for launch in Set(launches) {
      NotedCommands.forget(
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

  private func step(after event: ServiceEvent) -> Conversation.Step {
    switch event {
    case .monitoring(_, .regions(let regions, let next)):
      for monitored in regions {
        let isGoing = all || names.contains(monitored.region.identifier)
        if isGoing { found.insert(monitored.region.identifier) }
        guard !monitored.launch.isEmpty else { continue }
        if isGoing {
          launches.append(monitored.launch)
        } else if !kept.contains(monitored.launch) {
          kept.append(monitored.launch)
        }
      }
      if let next { return .ask { .monitoring($0, .read(list: RegionCommand.list, from: next)) } }
      return .ask {
        .monitoring($0, self.all ? .removeAll(list: RegionCommand.list) : .remove(list: RegionCommand.list, self.names))
      }
    case .done: return .end(.done)
    default: return Conversation.misunderstood()
    }
  }
}
