import LinuxIO
import LocationIPC
import LocationPolicy
import Regions

/// Sends regions to the daemon in batches, as fast as it accepts them.
final class RegionAdding {
  private let session: CommandSession
  private let launch: MonitoringLaunch
  private let timing: RegionTiming
  private var next: () throws(FailureMessage) -> [Region]?
  private var waiting: ArraySlice<Region> = []
  private var added = 0
  /// The number of regions; `nil` if no progress is shown.
  private let total: Int?

  /// - Parameter next: the next regions, possibly an empty list; `nil` at the end.
  private init(
    _ session: CommandSession, _ launch: MonitoringLaunch, _ timing: RegionTiming, of total: Int?,
    _ next: @escaping () throws(FailureMessage) -> [Region]?
  ) {
    (self.session, self.launch, self.timing, self.next, self.total) = (session, launch, timing, next, total)
  }

  /// Adds a few regions. Stores their commands first, and deletes the commands again if no region could be added.
  static func run(_ regions: [Region], _ options: LaunchOptions, purpose: String?) -> CommandStatus {
    var rest: [Region]? = regions
    return run(options, purpose: purpose, of: nil) { () throws(FailureMessage) in rest.take() }
  }

  static func run(
    _ options: LaunchOptions, purpose: String?, of total: Int?,
    _ next: @escaping () throws(FailureMessage) -> [Region]?
  ) -> CommandStatus {
    // Fail without a daemon before commands are stored, because no other program would run them.
    MonitoringSession.open(purpose: purpose) { session in
      let launch: MonitoringLaunch
      do throws(FailureMessage) {
        launch = try options.noted()
      } catch {
        return Diagnostics.report(error)
      }
      let adding = RegionAdding(session, launch, options.timing, of: total, next)
      let status = adding.execute()
      if adding.added == 0 { SavedCommands.forget(launch) }
      if status != .done, adding.added > 0, let total {
        Diagnostics.print("Only \(adding.added) of \(total) regions were added; these are watched now.")
      }
      return status
    }
  }

  private func execute() -> CommandStatus {
    defer { clear() }
    session.askForAuthorization(always: !launch.isShownOnly)
    return session.perform(step(), endsWithOutput: false)
  }

  /// Sends the next batch; after the last one, reports whether the regions are monitored.
  private func step() -> RequestStep {
    if let total, Redrawing.isPossible { StandardError.write(Array("\r\(added) of \(total) regions\u{1B}[K".utf8)) }
    do throws(FailureMessage) {
      while waiting.count < MessageLimits.regions, let more = try next() { waiting += more }
    } catch {
      clear()
      // The batches that have already been sent are monitored.
      return .end(Diagnostics.report(error))
    }
    guard !waiting.isEmpty else { return added > 0 ? reportPermission() : .end(.done) }
    var part: [MonitoredRegion] = []
    var bytes = 0
    while let region = waiting.first, part.count < MessageLimits.regions {
      let monitored = MonitoredRegion(region, launch: launch, timing: timing)
      bytes += RegionFile.encode(region, .unknown).count + 96
      guard part.isEmpty || bytes <= MessageLimits.regionBytes else { break }
      part.append(monitored)
      waiting = waiting.dropFirst()
    }
    let count = part.count
    return .send(.monitoring(.add(list: RegionCommand.list, part, outlives: true))) { [unowned self] in
      added += count
      return step()
    }
  }

  private func reportPermission() -> RequestStep {
    .send(.authorizationChanges) { [unowned self] state in
      clear()
      MissingGrantWarning.print(state, of: "Region watching", isShownOnly: launch.isShownOnly)
      return .end(.done)
    }
  }

  private func clear() { if total != nil, Redrawing.isPossible { StandardError.write(Array("\r\u{1B}[K".utf8)) } }
}

extension MonitoringLaunch {
  /// Whether events are only shown on the desktop, for which "while in use" permission is enough.
  fileprivate var isShownOnly: Bool { isShown && commands.isEmpty }
}
