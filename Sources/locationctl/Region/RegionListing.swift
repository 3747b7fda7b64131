import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdConfiguration
import Regions
import TrackFormats

/// Lists the regions that are monitored for this user, page by page.
final class RegionListing {
  private let session: CommandSession
  private let asJSON: Bool
  private var count = 0
  /// Whether the names of the columns have been printed.
  private var hasTitles = false

  init(_ session: CommandSession, asJSON: Bool) { (self.session, self.asJSON) = (session, asJSON) }

  func execute() -> CommandStatus {
    session.perform(
      .send(.monitoringLists) { [unowned self] lists in
        for list in lists { printHindrance(list) }
        // The lists of this user's sandboxed programs are reported, too, but only the user's own lists can be read by
        // name: for any other name, the service sends no regions.
        return read(lists.filter { $0.regions > 0 }[...])
      })
  }

  /// Prints the regions of `lists`, in the first list from `index` on.
  private func read(_ lists: ArraySlice<MonitoringListReport>, from index: UInt32 = 0) -> RequestStep {
    guard let name = lists.first?.name else {
      if count == 0 { Diagnostics.print("There are no regions yet: add one with 'locationctl region add'.") }
      return .end(.done)
    }
    return .send(.regions(of: name, from: index)) { [unowned self] page in
      count += page.regions.count
      let lines = asJSON ? page.regions.flatMap { object($0, name).line } : table(page.regions)
      if let failure = Results.write(lines) { return .end(failure) }
      guard let next = page.next else { return read(lists.dropFirst()) }
      return read(lists, from: next)
    }
  }

  private func printHindrance(_ list: MonitoringListReport) {
    if list.wanted != list.allowed.intersection(list.wanted), !list.wanted.isEmpty {
      Diagnostics.print(
        "The regions of \(TerminalText.sanitized(list.name)) are paused, because you have no access to the location: see "
          + "'locationctl grants'; 'sudo locationctl grant' gives access.")
    }
    if list.dropped > 0 {
      Diagnostics.print(
        "\(CountedNoun.text(list.dropped, "event")) of \(TerminalText.sanitized(list.name)) \(list.dropped == 1 ? "was" : "were") deleted, "
          + "because more than \(MonitoringStore.mostPending) were waiting for its program."
      )
    }
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
    object.add("onEnter", .text(monitored.launch.onEntry.flatMap(SavedCommands.text)))
    object.add("onExit", .text(monitored.launch.onExit.flatMap(SavedCommands.text)))
    object.add("onUnknown", .text(monitored.launch.onUnknown.flatMap(SavedCommands.text)))
    if monitored.launch.isShown { object.add("notify", .flag(true)) }
    object.add("after", .number(monitored.timing.unknownAfterSeconds))
    object.add("dwell", .number(monitored.timing.dwellSeconds))
    return object
  }

  /// The regions of a page, aligned; the first page begins with the column titles.
  private func table(_ regions: [MonitoredRegion]) -> [UInt8] {
    defer { hasTitles = true }
    let look = Presentation.current
    return RegionTable.bytes(regions, withTitles: !hasTitles, look)
  }
}

/// Regions for people.
enum RegionTable {
  static func bytes(_ regions: [MonitoredRegion], withTitles: Bool, _ look: Presentation) -> [UInt8] {
    guard !regions.isEmpty else { return [] }
    let titles: [StyledText] = ["REGION", "STATE", "WHERE", "ACTIONS"]
    let lines = TextTable.lines([titles] + regions.map { row($0, look) }, look)
    return TextTable.bytes(withTitles ? lines : Array(lines.dropFirst()), look)
  }

  private static func row(_ monitored: MonitoredRegion, _ look: Presentation) -> [StyledText] {
    let shape =
      switch monitored.region.shape {
      case .circle(let circle): EventDescription.place(circle.center, circle.radius, look)
      case .polygon(let polygon): "polygon of \(polygon.corners.count) corners"
      }
    let commands = [
      monitored.launch.onEntry.flatMap(SavedCommands.text).map { "enter: \(TerminalText.sanitized($0))" },
      monitored.launch.onExit.flatMap(SavedCommands.text).map { "exit: \(TerminalText.sanitized($0))" },
      monitored.launch.onUnknown.flatMap(SavedCommands.text).map { "unknown: \(TerminalText.sanitized($0))" },
      monitored.launch.isShown ? "shown" : nil,
      monitored.timing.unknownAfterSeconds.map { "unknown after \(DurationArgument(seconds: $0).text)" },
      monitored.timing.dwellSeconds.map { "dwell \(DurationArgument(seconds: $0).text)" },
    ].compactMap(\.self)
    let state = EventDescription.state(monitored.state)
    return [
      "\(TerminalText.sanitized(monitored.region.identifier))", StyledText(state, role(of: monitored.state)),
      "\(shape)",
      "\(commands.isEmpty ? "-" : commands.joined(separator: ", "))",
    ]
  }

  private static func role(of state: RegionState) -> TextRole {
    switch state {
    case .inside: .good
    case .outside: .plain
    case .unknown: .warning
    }
  }
}
