import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import Regions

/// Sends regions to the daemon in batches, as fast as it accepts them.
final class RegionAdding {
  private let host: any ServiceAccess
  private let launch: MonitoringLaunch
  private let timing: RegionTiming
  private var next: () throws(FailureMessage) -> [Region]?
  private var waiting: ArraySlice<Region> = []
  private(set) var added = 0
  /// The number of regions, if progress is shown.
  private let total: Int?

  /// - Parameter next: the next regions, possibly an empty list; `nil` at the end.
  init(
    host: any ServiceAccess, _ launch: MonitoringLaunch, _ timing: RegionTiming, of total: Int?,
    _ next: @escaping () throws(FailureMessage) -> [Region]?
  ) {
    (self.host, self.launch, self.timing, self.next, self.total) = (host, launch, timing, next, total)
  }

  /// Adds a few regions; stores their commands before, and deletes them again if adding fails.
  static func run(_ regions: [Region], _ options: LaunchOptions, purpose: String?) -> CommandStatus {
    var rest: [Region]? = regions
    return run(options, purpose: purpose, of: nil) { () throws(FailureMessage) in rest.take() }
  }

  static func run(
    _ options: LaunchOptions, purpose: String?, of total: Int?,
    _ next: @escaping () throws(FailureMessage) -> [Region]?
  ) -> CommandStatus {
    RegionCommand.Add.withService(.automatic, purpose: purpose) { host in
      // Fail without a daemon before a command is stored that nothing would run.
      guard host is RemoteHost else { return Diagnostics.report(FailureMessage(.monitoring(.needsDaemon))) }
      let launch: MonitoringLaunch
      do throws(FailureMessage) {
        launch = try options.noted()
      } catch {
        return Diagnostics.report(error)
      }
      let adding = RegionAdding(host: host, launch, options.timing, of: total, next)
      let status = adding.execute()
      if adding.added == 0 { NotedCommands.forget(launch) }
      if status != .done, adding.added > 0, let total {
        Diagnostics.print("Only \(adding.added) of \(total) regions were added, and are watched.")
      }
      return status
    }
  }

  func execute() -> CommandStatus {
    defer { clear() }
    if host is RemoteHost { host.send(.authorization(RequestID(.max), .ask(always: !launch.isShownOnly))) }
    switch step() {
    case .end(let status): return status
    case .ask(let first):
      return Conversation(host, writes: false).execute(first: first) { event in
        if case .authorization(_, .state(let state)) = event {
          self.clear()
          GrantNotice.say(state, of: "Region watching", isShownOnly: self.launch.isShownOnly)
          return .end(.done)
        }
        guard case .done = event else { return Conversation.misunderstood() }
        self.added += self.sent
        return self.step()
      }
    }
  }

  /// The size of the batch that was sent last.
  private var sent = 0

  private func step() -> Conversation.Step {
    if let total, Redrawing.isPossible { StandardError.write(Array("\r\(added) of \(total) regions\u{1B}[K".utf8)) }
    do throws(FailureMessage) {
      while waiting.count < MessageLimits.regions, let more = try next() { waiting += more }
    } catch {
      clear()
      // The batches that were sent before are being monitored.
      return .end(Diagnostics.report(error))
    }
    guard !waiting.isEmpty else { return added > 0 ? .ask { .authorization($0, .watch) } : .end(.done) }
    var part: [MonitoredRegion] = []
    var bytes = 0
    while let region = waiting.first, part.count < MessageLimits.regions {
      let monitored = MonitoredRegion(region, launch: launch, timing: timing)
      bytes += RegionFile.encode(region, .unknown).count + 96
      guard part.isEmpty || bytes <= MessageLimits.regionBytes else { break }
      part.append(monitored)
      waiting = waiting.dropFirst()
    }
    sent = part.count
    return .ask { .monitoring($0, .add(list: RegionCommand.list, part, outlives: true)) }
  }

  private func clear() { if total != nil, Redrawing.isPossible { StandardError.write(Array("\r\u{1B}[K".utf8)) } }
}

extension MonitoringLaunch {
  /// Whether events are only shown on the desktop, for which "while in use" permission is enough.
  fileprivate var isShownOnly: Bool { isShown && commands.isEmpty }
}
