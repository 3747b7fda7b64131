/// One entry of a recorded track, in the order in which it was recorded.
package enum TrackEntry: Hashable, Sendable {
  /// Nothing joins the fixes before and after it: a new segment begins.
  case interruption(TrackInterruption)
  /// Where the receiver was.
  case fix(PositionFix)
}

/// Why a track is interrupted.
package enum TrackInterruption: String, Hashable, Sendable, CaseIterable {
  /// The log was begun by its owner.
  case started
  /// The service or the machine began anew.
  case resumed
  /// No fix for longer than a track can be taken for whole.
  case gap
  /// Nothing was recorded on purpose: it did not move.
  case paused
}
