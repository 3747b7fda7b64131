package import Geodesy
package import LocationPolicy
package import Regions

/// A client's request about the monitoring for its program, which continues while the program does not run
/// (Documentation/Behavior.md, "Significant changes", "Regions" and "Visits"). `list` is the program's name for its list; the
/// kernel identifies its owner.
package enum MonitoringRequest: Hashable, Sendable {
  /// Monitors these regions, replacing those of the same identifier. Answered by `.done` once all are saved; on failure none
  /// is. `outlives`: fail unless monitoring outlives this service's process.
  case add(list: String, [MonitoredRegion], outlives: Bool)
  /// Stops monitoring the named regions; ignores unknown ones. Answered by `.done`.
  case remove(list: String, [String])
  /// Stops monitoring all regions of the list. Answered by `.done`.
  case removeAll(list: String)
  /// The device's state with regard to one region; answered by `.state`.
  case state(list: String, String)
  /// Some regions of a list; answered by `.regions`, whose `next` continues.
  case read(list: String, from: UInt32)
  /// The lists of the client's identity, and of the other identities that it may see; answered by `.lists`.
  case lists
  /// Starts or stops monitoring visits for the list. Answered by `.done`.
  case setVisits(list: String, isOn: Bool, MonitoringLaunch, outlives: Bool)
  /// Starts or stops monitoring significant changes. Answered by `.done`.
  case setSignificantChanges(list: String, isOn: Bool, MonitoringLaunch, outlives: Bool)
  /// The newest visits of a list that had not ended at `from`; answered by `.visits`.
  case visits(list: String, from: GNSSTime?)
  /// Future events, as `.event`, until `.cancel`. `list`: `nil` for all that the client may see. `receives`: the client is the
  /// list's program: it also receives missed events, and acknowledges each event.
  case follow(list: String?, receives: Bool)
  /// The number of regions that the client may have, and has; answered by `.room`.
  case room
  /// Acknowledges an event of the list. Answered by `.done`.
  case acknowledge(list: String, event: UInt64)
  /// Stores visits of another program's file, each with an arrival and a departure. Answered by `.importedCounts`.
  case importVisits([Visit])
  /// The imported visits of the client's identity that had not ended at `from`, by arrival, beginning with the one of this index.
  /// Answered by `.importedVisits`, whose `next` continues.
  case importedVisits(from: GNSSTime?, index: UInt32)
  /// Deletes visits that had not ended at `from` and had begun at `to`: those of a list, or with `nil` the imported ones of the
  /// client's identity. A visit that continues is kept. Answered by `.removedVisits`.
  case removeVisits(list: String?, from: GNSSTime?, to: GNSSTime?)

  /// Whether the request continues until it is cancelled.
  package var isStream: Bool { if case .follow = self { true } else { false } }
}

/// A region with its monitoring options.
package struct MonitoredRegion: Hashable, Sendable {
  package var region: Region
  /// The device's state; in a request, the assumed one.
  package var state: RegionState
  package var launch: MonitoringLaunch
  package var timing: RegionTiming
  /// In an answer, the last state that its program received, and when; `nil`: none yet.
  package var acknowledgedState: RegionState?
  package var receivedAt: GNSSTime?

  package init(
    _ region: Region, state: RegionState = .unknown, launch: MonitoringLaunch = MonitoringLaunch(),
    timing: RegionTiming = RegionTiming(), acknowledgedState: RegionState? = nil, receivedAt: GNSSTime? = nil
  ) {
    self.region = region
    self.state = state
    self.launch = launch
    self.timing = timing
    (self.acknowledgedState, self.receivedAt) = (acknowledgedState, receivedAt)
  }
}

/// The service's answer to a `MonitoringRequest`.
package enum MonitoringAnswer: Hashable, Sendable {
  /// `nil`: no such region is monitored.
  case state(RegionState?)
  /// Some regions of a list. `next`: where to continue; `nil`: that was all.
  case regions([MonitoredRegion], next: UInt32?)
  case lists([MonitoringListReport])
  /// Oldest first, at most `MessageLimits.visits`.
  case visits([Visit])
  /// An event of a list.
  case event(MonitoringEvent, list: String)
  /// The uses whose events may be delivered now to the list; sent to the receiving client at the beginning of a `.follow`, and on
  /// every change.
  case allowed(MonitoringUses, list: String)

  case room(MonitoringQuota)
  /// How many visits were added, were stored already, and did not fit.
  case importedCounts(added: Int, known: Int, beyond: Int)
  /// Imported visits. `next`: where to continue; `nil`: that was all.
  case importedVisits([Visit], next: UInt32?)
  /// How many visits were deleted.
  case removedVisits(Int)

  /// Whether nothing follows for its request.
  package var isLast: Bool {
    switch self {
    case .state, .regions, .lists, .visits, .room, .importedCounts, .importedVisits, .removedVisits: true
    case .event, .allowed: false
    }
  }
}

/// The stored size of regions, and its limits.
package struct MonitoringQuota: Hashable, Sendable {
  /// Regions of the client's identity.
  package var regions: Int
  package var mostRegions: Int
  /// Bytes of identifiers and boundaries of all regions of its user, as `Region.bytes` counts them.
  package var bytes: Int
  package var mostBytes: Int

  package init(regions: Int, mostRegions: Int, bytes: Int, mostBytes: Int) {
    (self.regions, self.mostRegions, self.bytes, self.mostBytes) = (regions, mostRegions, bytes, mostBytes)
  }
}

/// The monitoring of one program, in numbers.
package struct MonitoringListReport: Hashable, Sendable {
  package var name: String
  /// Its owner.
  package var identity: ClientIdentity
  package var regions: Int
  /// The requested monitoring, and the part of it that is allowed now: the rest is suspended.
  package var wanted: MonitoringUses
  package var allowed: MonitoringUses
  /// Events that were not acknowledged yet, and those that were dropped because there were too many.
  package var (waiting, dropped): (Int, Int)
  /// Why the list is not saved; `nil`: it is.
  package var problem: String?
  /// The commands for visits and for significant changes.
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

/// Why a monitoring request failed.
package enum MonitoringFailure: Hashable, Sendable {
  /// Monitoring that outlives the program needs locationd, which does not answer.
  case needsDaemon
  /// Another process of this user monitors already, without a daemon; its process ID, if the kernel reports it.
  case monitoredElsewhere(processID: Int32?)
  /// The name of the list is empty, too long or of more than one line.
  case badName(String)
  /// The number of monitored regions has reached `limit`.
  case tooManyRegions(limit: Int)
  /// The number of monitored regions with a timing has reached `limit`.
  case tooManyTimedRegions(limit: Int)
  /// The size of the identifiers and boundaries of this user's regions has reached `limit`, bytes.
  case tooManyRegionBytes(limit: Int)
  /// The number of lists of all users, of this user or of this identity has reached `limit`.
  case tooManyLists(limit: Int)
  /// The list cannot be saved; `reason` is a clause in words, `cause` determines the remedy.
  case cannotKeep(path: String, reason: String, StorageCause)
  /// Only a person's own, unconfined programs may request commands or notifications.
  case mayNotLaunch(ClientIdentity)
}
