/// What of a list an event is about.
package enum MonitoringSubject: Hashable, Sendable {
  /// The region of that identifier.
  case region(String)
  case visits
  case significantChanges
}
