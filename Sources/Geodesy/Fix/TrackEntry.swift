/// One entry of a recorded track, in the order in which it was recorded.
package enum TrackEntry: Hashable, Sendable {
  /// The fixes before and after it are not connected: a new segment begins.
  case interruption(TrackInterruption)
  /// A position of the receiver.
  case fix(PositionFix)
}

/// Why a track is interrupted.
package enum TrackInterruption: UInt8, Hashable, Sendable, CaseIterable {
  /// The owner started the log.
  case started = 0
  /// The service or the machine restarted.
  case resumed = 1
  /// No fix arrived for longer than a continuous track allows.
  case gap = 2
  /// Recording paused on purpose because the receiver did not move.
  case paused = 3

  /// The name of the reason in track formats.
  package var name: String { "\(self)" }
}

/// A piece of an encrypted track, as stored on disk; only its owner can decrypt it.
package enum EncryptedPiece: Hashable, Sendable {
  /// A segment begins: the first bytes of its file.
  case segment([UInt8])
  /// Whole blocks of that segment; the first block begins at this offset in its file.
  case blocks(at: UInt32, [UInt8])
  /// Data that cannot be read from the disk.
  case unreadable
}
