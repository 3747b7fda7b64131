/// What of a list an event is about.
package enum MonitoringSubject: Hashable, Sendable {
  /// The region of that identifier.
  case region(String)
  case visits
  case significantChanges

  /// What has to be allowed for it.
  package var use: MonitoringUses {
    switch self {
    case .region: .regions
    case .visits: .visits
    case .significantChanges: .significantChanges
    }
  }
}
