package import Geodesy
package import LocationPolicy

/// A log as the index keeps it.
package struct KeptLog: Hashable, Sendable {
  /// Never given to another log, also when this one is gone.
  package let id: Int64
  /// What its owner calls it, 1…64 bytes.
  package let name: String
  package var wish: LogWish
  /// Whether it is to be recorded: also after the machine has been started anew.
  package var isRunning: Bool
  /// When it was started or stopped last, by the machine's clock of then.
  package var changedAt: GNSSTime
}
