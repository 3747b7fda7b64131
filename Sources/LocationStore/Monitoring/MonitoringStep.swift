package import Geodesy
package import LocationPolicy
package import Regions

/// Changes that are stored in one transaction: events, and the changes of state that led to them.
package struct MonitoringStep: Sendable {
  package var events: [NewEvent] = []
  package var changes: [(list: MonitoringListID, changes: [MonitoringChange])] = []
  /// `nil` bytes delete the value.
  package var progress: [(list: MonitoringListID, key: String, bytes: [UInt8]?)] = []
  package var visits: [(list: MonitoringListID, visit: Visit)] = []
  package var records: [(list: MonitoringListID, identifier: String, record: MonitoringRecord)] = []
  /// Number of a list's events that were dropped because too many waited to be stored.
  package var dropped: [MonitoringListID: Int] = [:]

  package init() {}
}

/// One change to a list's regions.
package enum MonitoringChange: Hashable, Sendable {
  /// Adds a region, replacing one of the same identifier.
  case add(Region, RegionState, MonitoringLaunch = MonitoringLaunch(), RegionTiming = RegionTiming())
  /// Removes a region, its launch, its timing and its record.
  case remove(String)
  /// Sets the state of a monitored region.
  case state(String, RegionState)
  case removeAll
}

/// The last reported state of a region.
package struct MonitoringRecord: Hashable, Sendable {
  package var state: RegionState
  /// `nil`: the time is unknown.
  package var time: GNSSTime?

  package init(state: RegionState, time: GNSSTime?) {
    self.state = state
    self.time = time
  }
}

/// An event that is stored until it has been delivered.
package struct NewEvent: Hashable, Sendable {
  package var list: MonitoringListID
  package var subject: MonitoringSubject
  /// The encoded event, in the writer's format.
  package var body: [UInt8]
  /// The outstanding deliveries of the event.
  package var pendingDeliveries: Set<MonitoringDelivery>

  package init(
    list: MonitoringListID, subject: MonitoringSubject, body: [UInt8],
    pendingDeliveries: Set<MonitoringDelivery> = [.programs]
  ) {
    self.list = list
    self.subject = subject
    self.body = body
    self.pendingDeliveries = pendingDeliveries
  }
}

/// An event with outstanding deliveries.
package struct PendingEvent: Hashable, Sendable {
  package var id: UInt64
  package var event: NewEvent
  /// Number of attempts per delivery; a delivery that was not attempted has no entry.
  package var attempts: [MonitoringDelivery: Int]

  package init(id: UInt64, event: NewEvent, attempts: [MonitoringDelivery: Int] = [:]) {
    self.id = id
    self.event = event
    self.attempts = attempts
  }
}

/// A way to deliver an event.
package enum MonitoringDelivery: Int64, Hashable, Sendable, CaseIterable {
  // The values in files, which never change: bits.
  /// To the programs that follow the list.
  case programs = 1
  /// By running a command.
  case command = 2
  /// By a notification on the user's desktop.
  case notification = 4
  /// To the outboxes of the destinations of positions (`locationctl fleet`).
  case destinations = 8

  /// The deliveries to a user and the user's programs.
  package static let ofUser: Set<Self> = [.programs, .command, .notification]

  /// The column that counts the attempts of this delivery; `nil`: they are not counted, because the recipient recognizes a repetition.
  var column: String? {
    switch self {
    case .programs: "attempts_programs"
    case .command: "attempts_command"
    case .notification: "attempts_notification"
    case .destinations: nil
    }
  }
}

extension Set<MonitoringDelivery> {
  var bits: Int64 { reduce(0) { $0 | $1.rawValue } }

  init(bits: Int64) { self.init(MonitoringDelivery.allCases.filter { bits & $0.rawValue != 0 }) }
}
