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

/// A piece of a sealed track, as it lies on the disk: only its owner can read it.
package enum SealedPiece: Hashable, Sendable {
  /// A segment begins: what its file begins with.
  case segment([UInt8])
  /// Whole blocks of that segment, the first of them at this place of its file.
  case blocks(at: UInt32, [UInt8])
  /// Something that cannot be read on the disk stood here.
  case unreadable
}
