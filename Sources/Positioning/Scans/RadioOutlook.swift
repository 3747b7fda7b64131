/// What is to be had of this machine's radios.
package enum RadioOutlook: Hashable, Sendable {
  /// Not known yet.
  case starting
  /// Sightings come whenever anybody scans. Without a problem also by scans of our own.
  case listening(RadioProblem?)
  /// None come, until that changes.
  case deaf(RadioProblem)
}
