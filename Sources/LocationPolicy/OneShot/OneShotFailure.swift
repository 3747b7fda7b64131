package import Geodesy

/// Why a request for one fix ends without one; the composer adds which device it was.
package enum OneShotFailure: Hashable, Sendable {
  /// There is no source at all, and none came.
  case noSource
  /// There was a source, it has gone before it gave a usable fix, and it did not come back.
  case sourceEnded
  /// The receiver said for a minute that it hears no satellite at all.
  case noSatellites
  /// No fix by the deadline. `satellitesInView`: what the receiver said last, `nil` where it has not told.
  case noFix(satellitesInView: Int?)
  /// Fixes came, and none had the accuracy that is required; the smallest 68 % radius at the end.
  case notAccurateEnough(best: Meters)
  /// Fixes came and none could be believed: the last one's suspicion, or `nil` where it was too old.
  case noUsableFix(Suspicion?)
}
