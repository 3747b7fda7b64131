/// What a client may have at this moment, and what it is to be told of it.
package struct Authorization: Hashable, Sendable {
  package var level: AuthorizationLevel
  /// Whether positions are given as the point of a coarse grid.
  package var isReduced = false
  /// Whether the whole service is switched off; then `level` is `.denied`.
  package var isOffForAll = false
  /// Whether somebody has been, or is still to be, asked about a request.
  package var isPending = false
  /// Whether a pending request has been put to somebody who can answer it.
  package var canBeAnswered = false
  /// Whether the step from when-in-use to always has been asked for and refused; it is not asked for again.
  package var isAlwaysRefused = false

  package init(_ level: AuthorizationLevel) { self.level = level }

  /// Whether positions may be told now.
  package func allows(_ presence: ClientPresence) -> Bool {
    switch level {
    case .always: true
    case .whenInUse: presence == .inUse
    case .notDetermined, .restricted, .denied: false
    }
  }
}
