package import LocationPolicy
package import Regions

/// What managers are told of what is monitored for their program.
package enum MonitoringNotice: Hashable, Sendable {
  /// It is monitored from now on.
  case started(Region)
  /// It is not monitored. `reason`: what a person could mend, where it is that.
  case refused(Region, MonitoringRefusal, reason: MonitoringFailure?)
  /// Visits or significant changes are not.
  case failed(MonitoringRefusal, reason: MonitoringFailure?)
  /// Where the device is with regard to a region, as was asked.
  case state(Region, RegionState)
  /// `region`: what a crossing is about.
  case happened(MonitoringEvent, Region?)

  /// Whether it answers what a manager has asked.
  package var isAnswer: Bool { if case .happened = self { false } else { true } }

  /// Whether it is a significant change.
  package var isMove: Bool {
    if case .happened(let event, _) = self, case .significantChanges = event.subject { true } else { false }
  }

  /// The number of the event that somebody has to have heard; `nil`: none.
  package var event: UInt64? {
    guard case .happened(let event, _) = self, event.id != 0 else { return nil }
    return event.id
  }
}

/// Why something is not monitored, in the two ways that a program can tell apart.
package enum MonitoringRefusal: Hashable, Sendable {
  /// The program may not know where the device is.
  case denied
  /// It cannot be.
  case impossible

  package init(_ failure: LocationFailure) {
    switch failure {
    case .notAuthorized(let denial, _) where denial.isRefusal: self = .denied
    case .permissionDenied: self = .denied
    default: self = .impossible
    }
  }
}

extension LocationFailure {
  /// What a person could mend of what is monitored; `nil`: it is another failure.
  package var ofMonitoring: MonitoringFailure? { if case .monitoring(let failure) = self { failure } else { nil } }
}
