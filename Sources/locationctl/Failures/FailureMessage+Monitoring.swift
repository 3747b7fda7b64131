import LocationIPC
import LocationPolicy
import Regions

extension FailureMessage {
  /// Why something is not monitored.
  init(_ failure: MonitoringFailure) {
    switch failure {
    case .needsDaemon:
      self.init(
        "locationd is not running, and only locationd watches regions, visits and significant changes: start it with "
          + "'sudo systemctl start locationd'.", .noSource)
    case .monitoredElsewhere(let processID):
      let process = processID.map { "process \($0)" } ?? "another process"
      self.init(
        "Without locationd, only one process of a user can watch regions, and \(process) is watching them: start locationd, or end that process.",
        .cannotWrite)
    case .badName(let name):
      self.init(
        "There is no program '\(TerminalText.sanitized(name))' that watches regions: see 'locationctl region list'.",
        .usage)
    case .tooManyRegions(let limit):
      self.init(
        "This user has \(limit) regions, which is the limit: remove some, raise the setting 'regions' (LOCATIOND_REGIONS) of locationd, "
          + "or get access to the location ('sudo locationctl grant'), because users with access may have more.",
        .cannotWrite)
    case .tooManyTimedRegions(let limit):
      self.init(
        "This user has \(limit) regions with --on-unknown, --after or --dwell, which is the limit: remove some, or add "
          + "this one without these options.", .cannotWrite)
    case .tooManyRegionBytes(let limit):
      self.init(
        "The names and borders of this user's regions take \(limit) bytes, which is the limit: remove some, "
          + "or get access to the location ('sudo locationctl grant'), because users with access may have more.",
        .cannotWrite)
    case .tooManyLists(let limit):
      self.init(
        "\(limit) programs of this user watch regions, visits or significant changes, which is the limit: stop watching with the programs that you do not need.",
        .cannotWrite)
    case .cannotKeep(let path, let reason, let cause):
      self.init(
        "Cannot store regions and visits in \(TerminalText.sanitized(path)) (\(TerminalText.sanitized(reason))): "
          + "\(Self.remedy(cause)).", cause == .busy ? .locationUnknown : .cannotWrite)
    case .mayNotLaunch(let identity):
      self.init(
        "\(TerminalText.sanitized(identity.realm.text)) is sandboxed and may not run commands or show notifications "
          + "outside of its sandbox: leave out the command.", .denied)
    }
  }
}

extension FailureMessage {
  /// Why a region is not valid.
  init(_ error: RegionError, of name: String) {
    self.init("Region '\(TerminalText.sanitized(name))' cannot be watched: \(Self.clause(error)).", .usage)
  }

  static func clause(_ error: RegionError) -> String {
    switch error {
    case .identifierLength(let length, let most): "its name has \(length) bytes, and must have at most \(most)"
    case .place(let latitude, let longitude): "\(latitude), \(longitude) is not a position"
    case .radius(let radius, let most): "its radius is \(radius) meters, and must be above 0 and at most \(Int(most))"
    case .corners(let count, let possible):
      "it has \(count) corners, and must have \(possible.lowerBound) to \(possible.upperBound)"
    case .extent(let extent, let most):
      "a corner is \(Int(extent / 1000)) km from its center, and must be within \(Int(most / 1000)) km"
    }
  }
}

extension FailureMessage {
  /// A file has more regions than there is room for.
  init(_ room: MonitoringQuota, _ need: RegionQuota.Need, _ path: String) {
    let regions = "\(need.count) region\(need.count == 1 ? "" : "s")"
    let (kept, first) =
      room.regions == 0 ? ("", "import fewer") : (", you already have \(room.regions)", "remove some")
    let (bound, last) =
      room.regions + need.count > room.mostRegions
      ? ("the limit is \(room.mostRegions)", "raise the setting 'regions' (LOCATIOND_REGIONS) of locationd")
      : (
        "the limit for the names and borders of all regions is \(room.mostBytes) bytes",
        "draw the borders with fewer corners"
      )
    self.init(
      "\(TerminalText.sanitized(path)) was not imported; nothing has changed. It has \(regions)\(kept), and \(bound): "
        + "\(first), \(last), or get access to the location ('sudo locationctl grant'), because users with access may have more.",
      .cannotWrite)
  }
}
