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

/// Why something is not monitored.
package enum MonitoringFailure: Hashable, Sendable {
  /// It is for programs that come and go: locationd keeps it, and none answers.
  case needsDaemon
  /// Another process of this user without a daemon monitors already; its number, where the kernel tells it.
  case monitoredElsewhere(processID: Int32?)
  /// The name of the list is empty, too long or of more than one line.
  case badName(String)
  /// As many regions as may be are monitored.
  case tooManyRegions(limit: Int)
  /// As many regions with a timing as may be are monitored.
  case tooManyTimedRegions(limit: Int)
  /// The identifiers and borders of this user's regions take as many bytes as may be.
  case tooManyRegionBytes(limit: Int)
  /// As many lists as may be are kept for this user.
  case tooManyLists(limit: Int)
  /// It cannot be kept; `reason` is a clause in words, `cause` what is to be done depends on.
  case cannotKeep(path: String, reason: String, StorageCause)
  /// Only a person's own programs have commands run or notices shown: a confined one must not.
  case mayNotLaunch(ClientIdentity)
}
