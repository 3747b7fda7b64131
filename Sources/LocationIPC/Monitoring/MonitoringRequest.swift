package import Geodesy
package import LocationPolicy
package import Regions

/// What a client asks of what is monitored for its program, also while that does not run (Documentation/Behavior.md, "Significant
/// changes", "Regions" and "Visits"). `list` is what the program calls its list; whose it is the kernel says.
package enum MonitoringRequest: Hashable, Sendable {
  /// Monitors these; one of the same identifier is replaced. Answered by `.done` once they are kept, and all of them or none.
  /// `outlives`: they are worth nothing where they end with this service's process.
  case add(list: String, [MonitoredRegion], outlives: Bool)
  /// Monitors these no more; unknown ones are passed over. Answered by `.done`.
  case remove(list: String, [String])
  /// Monitors no region of the list any more. Answered by `.done`.
  case removeAll(list: String)
  /// Where the device is with regard to one; answered by `.state`.
  case state(list: String, String)
  /// The regions of a list, some of them; answered by `.regions`, whose `next` goes on.
  case read(list: String, from: UInt32)
  /// The lists of the client's identity, and of those that it sees; answered by `.lists`.
  case lists
  /// Whether visits are monitored for the list. Answered by `.done`.
  case setVisits(list: String, isOn: Bool, MonitoringLaunch, outlives: Bool)
  /// Whether significant changes are. Answered by `.done`.
  case setSignificantChanges(list: String, isOn: Bool, MonitoringLaunch, outlives: Bool)
  /// The newest visits of a list that were not over by then; answered by `.visits`.
  case visits(list: String, from: GNSSTime?)
  /// What happens from now on, as `.event`, until `.cancel`. `list`: `nil` for all that the client may see. `receives`: the client is
  /// the program that the list is for: it is told what it has missed as well, and says of each event that it was heard.
  case follow(list: String?, receives: Bool)
  /// How many regions the client may have kept, and has; answered by `.room`.
  case room
  /// An event of the list was heard. Answered by `.done`.
  case heard(list: String, event: UInt64)

  /// Whether it goes on until it is cancelled.
  package var isStream: Bool { if case .follow = self { true } else { false } }
}

/// A region with what is wanted of it.
package struct MonitoredRegion: Hashable, Sendable {
  package var region: Region
  /// Where the device is; in a request, what is assumed of that.
  package var state: RegionState
  package var launch: MonitoringLaunch
  package var timing: RegionTiming
  /// In an answer, what its program has heard of it last, and when that was; `nil`: nothing yet.
  package var heardState: RegionState?
  package var heardAt: GNSSTime?

  package init(
    _ region: Region, state: RegionState = .unknown, launch: MonitoringLaunch = MonitoringLaunch(),
    timing: RegionTiming = RegionTiming(), heardState: RegionState? = nil, heardAt: GNSSTime? = nil
  ) {
    self.region = region
    self.state = state
    self.launch = launch
    self.timing = timing
    (self.heardState, self.heardAt) = (heardState, heardAt)
  }
}
