/// What a request is waiting for.
package enum LocationProgress: Hashable, Sendable {
  /// No receiver is there; one that appears will be used.
  case waitingForSource
  /// Another process of ours has the receiver; waiting for it.
  case waitingForPort(path: String)
  /// A receiver is open and nothing valid was heard at this speed yet.
  case listening(path: String, baud: Int?)
  /// A receiver talks and has no fix. Counts are `nil` where it has not told.
  case searching(path: String, satellitesInView: Int?, satellitesUsed: Int?)
  /// Fixes come, and get better; metres, 68 %.
  case converging(radius68Meters: Double)
}
