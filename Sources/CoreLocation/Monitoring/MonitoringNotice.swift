import LocationIPC
import LocationPolicy
import Regions

/// Notifications about a program's monitoring, for its managers.
enum MonitoringNotification: Hashable, Sendable {
  /// The region is monitored from now on.
  case started(Region)
  /// The region is not monitored. `reason`: the cause, if a person can fix it.
  case refused(Region, MonitoringRejection, reason: MonitoringFailure?)
  /// Visits or significant changes are not monitored.
  case failed(MonitoringRejection, reason: MonitoringFailure?)
  /// The requested state of the device with regard to a region.
  case state(Region, RegionState)
  /// An event, and the region that it is about; `nil`: it is about visits or significant changes.
  case happened(MonitoringEvent, Region?)

  /// Whether the notification answers a manager's request.
  var isAnswer: Bool { if case .happened = self { false } else { true } }

  /// Whether the notification reports a significant change.
  var isMove: Bool {
    if case .happened(let event, _) = self, case .significantChanges = event.subject { true } else { false }
  }

  /// The number of the event to acknowledge; `nil` if there is none.
  var event: UInt64? {
    guard case .happened(let event, _) = self, event.id != 0 else { return nil }
    return event.id
  }
}

/// Why something is not monitored, in the two cases that a program can distinguish.
enum MonitoringRejection: Hashable, Sendable {
  /// The program has no access to location.
  case denied
  /// Monitoring is impossible.
  case impossible

  init(_ failure: LocationFailure) {
    switch failure {
    case .notAuthorized(let denial, _) where denial.isRefusal: self = .denied
    case .permissionDenied: self = .denied
    default: self = .impossible
    }
  }
}

extension LocationFailure {
  /// A failure of monitoring that a person can fix; `nil`: another failure.
  var ofMonitoring: MonitoringFailure? { if case .monitoring(let failure) = self { failure } else { nil } }
}
