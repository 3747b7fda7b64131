package import LocationPolicy
package import Regions

/// What the service answers of what is monitored.
package enum MonitoringAnswer: Hashable, Sendable {
  /// `nil`: no such region is monitored.
  case state(RegionState?)
  /// Some of a list. `next`: from where to read on; `nil`: that was all.
  case regions([MonitoredRegion], next: UInt32?)
  case lists([MonitoringListReport])
  /// Oldest first, at most `MessageLimits.visits`.
  case visits([Visit])
  /// Something has happened to something of a list.
  case event(MonitoringEvent, list: String)
  /// Whether events of the list may be told now, told at the beginning of a `.follow` by whom receives them, and when that changes.
  case allowed(MonitoringUses, list: String)

  case room(MonitoringRoom)

  /// Whether nothing follows for its request.
  package var isLast: Bool {
    switch self {
    case .state, .regions, .lists, .visits, .room: true
    case .event, .allowed: false
    }
  }
}

/// How much is kept of regions, and how much may be.
package struct MonitoringRoom: Hashable, Sendable {
  /// Regions of the client's identity.
  package var regions: Int
  package var mostRegions: Int
  /// Bytes of identifiers and borders of all regions of its user, as `Region.bytes` counts them.
  package var bytes: Int
  package var mostBytes: Int

  package init(regions: Int, mostRegions: Int, bytes: Int, mostBytes: Int) {
    (self.regions, self.mostRegions, self.bytes, self.mostBytes) = (regions, mostRegions, bytes, mostBytes)
  }
}

/// What is monitored for one program, in numbers.
package struct MonitoringListReport: Hashable, Sendable {
  package var name: String
  /// Whose it is.
  package var identity: ClientIdentity
  package var regions: Int
  /// What is wanted, and what of it is allowed now: the rest rests.
  package var wanted: MonitoringUses
  package var allowed: MonitoringUses
  /// Events that nobody has heard yet, and those that were dropped because there were too many.
  package var (waiting, dropped): (Int, Int)
  /// Why it is not kept; `nil`: it is.
  package var problem: String?
  /// What is launched for visits and for significant changes.
  package var visitsLaunch = MonitoringLaunch()
  package var significantChangesLaunch = MonitoringLaunch()

  package init(
    name: String, identity: ClientIdentity, regions: Int = 0, wanted: MonitoringUses = [], allowed: MonitoringUses = [],
    waiting: Int = 0, dropped: Int = 0, problem: String? = nil
  ) {
    (self.name, self.identity, self.regions) = (name, identity, regions)
    (self.wanted, self.allowed, self.waiting, self.dropped) = (wanted, allowed, waiting, dropped)
    self.problem = problem
  }
}
