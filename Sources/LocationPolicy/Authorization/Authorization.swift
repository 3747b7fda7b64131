/// What a client may have at this moment, and what it is to be told of it.
package struct Authorization: Hashable, Sendable {
  package var level: AuthorizationLevel
  /// Whether positions are given as the point of a coarse grid.
  package var isReduced = false
  /// Whether the whole service is switched off; then `level` is `.denied`.
  package var isOffForAll = false
  /// Whether somebody has been, or is still to be, asked.
  package var isPending = false
  /// Whether somebody who could answer is there: an agent of a person in charge.
  package var canBeAnswered = false

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
