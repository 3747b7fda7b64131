package import Geodesy
package import LocationPolicy
package import Regions

/// What is kept at once: events, and all that led to them.
package struct MonitoringStep: Sendable {
  package var events: [NewEvent] = []
  package var changes: [(list: MonitoringListID, changes: [MonitoringChange])] = []
  /// No bytes: it is forgotten.
  package var progress: [(list: MonitoringListID, key: String, bytes: [UInt8]?)] = []
  package var visits: [(list: MonitoringListID, visit: Visit)] = []
  package var records: [(list: MonitoringListID, identifier: String, record: MonitoringRecord)] = []
  /// Events of a list that were too many to be held until they could be kept.
  package var dropped: [MonitoringListID: Int] = [:]

  package init() {}
}

/// One thing to be kept of a list's regions.
package enum MonitoringChange: Hashable, Sendable {
  /// A region is watched, in place of one of the same identifier.
  case add(Region, RegionState, MonitoringLaunch = MonitoringLaunch(), RegionTiming = RegionTiming())
  /// Nothing is kept of it any more, nor of its launch, its timing and its record.
  case remove(String)
  /// Where the device is with regard to a region that is watched.
  case state(String, RegionState)
  case removeAll
}

/// What was told last of a region.
package struct MonitoringRecord: Hashable, Sendable {
  package var state: RegionState
  /// `nil`: nobody saw when.
  package var time: GNSSTime?

  package init(state: RegionState, time: GNSSTime?) {
    self.state = state
    self.time = time
  }
}

/// An event that is to be kept until it has been told.
package struct NewEvent: Hashable, Sendable {
  package var list: MonitoringListID
  package var subject: MonitoringSubject
  /// All else, as its writer knows to read it.
  package var body: [UInt8]
  /// By which ways it is to be told.
  package var owed: Set<MonitoringDelivery>

  package init(
    list: MonitoringListID, subject: MonitoringSubject, body: [UInt8], owed: Set<MonitoringDelivery> = [.programs]
  ) {
    self.list = list
    self.subject = subject
    self.body = body
    self.owed = owed
  }
}

/// An event that has not been told by all its ways.
package struct PendingEvent: Hashable, Sendable {
  package var id: UInt64
  package var event: NewEvent
  /// How often each way was begun, as far as it was.
  package var attempts: [MonitoringDelivery: Int]

  package init(id: UInt64, event: NewEvent, attempts: [MonitoringDelivery: Int] = [:]) {
    self.id = id
    self.event = event
    self.attempts = attempts
  }
}

/// A way to tell of an event.
package enum MonitoringDelivery: Int64, Hashable, Sendable, CaseIterable {
  // As they stand on disks, for ever: bits.
  /// To the programs that listen.
  case programs = 1
  /// By a command that is run.
  case command = 2
  /// By the user's desktop.
  case notification = 4

  /// Where it is counted.
  var column: String {
    switch self {
    case .programs: "attempts_programs"
    case .command: "attempts_command"
    case .notification: "attempts_notification"
    }
  }
}

extension Set<MonitoringDelivery> {
  var bits: Int64 { reduce(0) { $0 | $1.rawValue } }

  init(bits: Int64) { self.init(MonitoringDelivery.allCases.filter { bits & $0.rawValue != 0 }) }
}
