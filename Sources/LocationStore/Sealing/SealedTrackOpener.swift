package import Geodesy
package import LocationPolicy

/// Opens a sealed track piece by piece, in its owner's process: what `TrackReader` is for an open one.
package struct SealedTrackOpener {
  private let key: OwnerKey
  private var selection: TrackSelection
  private var segment: SegmentBlocks?

  /// What had to be left out so far.
  package private(set) var damage = TrackDamage()

  /// Begins to open the fixes with times from `from` to `to`, and the interruptions between those; all where neither is given.
  package init(key: OwnerKey, from: GNSSTime? = nil, to: GNSSTime? = nil) {
    self.key = key
    selection = TrackSelection(from: from, to: to)
  }

  /// What the next piece tells.
  package mutating func take(_ piece: SealedPiece) throws(SealedTrackError) -> [TrackEntry] {
    switch piece {
    case .segment(let start):
      segment = nil
      guard let header = SegmentHeader.either(start.span) else {
        // Taken, and lost before anything was written.
        if start.contains(where: { $0 != 0 }) { leaveOut { $0.segments += 1 } }
        return []
      }
      if let owner = header.seal?.owner, owner != key.publicKey { throw .otherKey(owner) }
      segment = SegmentBlocks(header, key: key)
      if segment == nil { leaveOut { $0.segments += 1 } }
      return []
    case .blocks(let first, let bytes):
      segment?.skip(to: first)
      return stride(from: 0, to: bytes.count, by: TrackBlock.size).flatMap { offset in
        let end = min(offset + TrackBlock.size, bytes.count)
        let entries = segment?.take(bytes.span.extracting(offset..<end), &damage)
        if segment?.takeHole() ?? false { selection.noteHole() }
        return entries.map { selection.take($0) } ?? []
      }
    case .unreadable:
      leaveOut { $0.files += 1 }
      return []
    }
  }

  private mutating func leaveOut(_ count: (inout TrackDamage) -> Void) {
    count(&damage)
    selection.noteHole()
  }
}

/// Why a sealed track is not opened.
package enum SealedTrackError: Error, Hashable, Sendable {
  /// It is sealed to another owner.
  case otherKey(SealKey)
}
