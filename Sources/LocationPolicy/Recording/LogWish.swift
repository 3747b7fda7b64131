package import Geodesy

/// What the owner of a log wants recorded and kept.
package struct LogWish: Hashable, Sendable {
  /// Only fixes at least this far from the one recorded before; `nil`: all.
  package var distanceFilter: Meters?
  /// Only fixes at least this long after the one recorded before; `nil`: all.
  package var interval: Duration?
  /// Only fixes with at most this 68 % radius; `nil`: all.
  package var desiredRadius68: Meters?
  /// Suspect fixes are recorded too, with their mark; nothing is judged by them.
  package var keepsSuspects = false
  /// Fixes are recorded while standing still, too.
  package var keepsStandstill = false
  /// What is kept; `nil`: `LogRetention.standard`.
  package var retention: LogRetention?
  /// Whose it is; `nil`: of the process that keeps it, as before there were owners. It stays so, too.
  package var owner: LogOwner?
  /// Who alone can read it; `nil`: it is open. It stays so as long as the log is there.
  package var seal: SealKey?

  /// Every fix that moved.
  package init() {}
}
