package import Geodesy

/// What a client asks of the logs that the service keeps in the background.
package enum LogRequest: Hashable, Sendable {
  /// Records from now on, also after the service or the machine has begun anew; one that is recorded already is recorded as
  /// `options` say from now on. Answered by `.done`.
  case start(name: String, LogOptions)
  /// Records no more; what was recorded stays. Answered by `.done`.
  case stop(name: String)
  /// Stops it and deletes what was recorded. Answered by `.done`.
  case remove(name: String)
  /// Answered by `.logs`.
  case list
  /// The fixes from `from` to `to`, both among them; all where neither is given. Answered by the first `.page`.
  case read(name: String, from: GNSSTime?, to: GNSSTime?)
  /// The same of a sealed log: what may hold those fixes, closed as it is. Answered by the first `.sealed`.
  case readSealed(name: String, from: GNSSTime?, to: GNSSTime?)
  /// What follows a page, by its bookmark. Answered by the next `.page` or `.sealed`.
  case readOn(Bookmark)

  /// Where a reading has come to; it is worth something to the client that was given it, until the service ends.
  package struct Bookmark: Hashable, Sendable {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  }
}

/// What the service answers of its logs.
package enum LogAnswer: Hashable, Sendable {
  /// All there are, by name.
  case logs([LogDescription])
  /// Part of a track.
  case page(LogPage)
  /// Part of a sealed track.
  case sealed(SealedPage)
}

/// Some entries of a track, in their order.
package struct LogPage: Hashable, Sendable {
  package var entries: [TrackEntry]
  /// For what follows; `nil`: this was the last.
  package var next: LogRequest.Bookmark?
  /// Blocks and files that were left out so far, as they do not hold what was written.
  package var damaged: Int
  /// Why the log, which is to be recorded, is not: what came last is not in it.
  package var problem: LogProblem?

  package init(entries: [TrackEntry], next: LogRequest.Bookmark?, damaged: Int) {
    self.entries = entries
    self.next = next
    self.damaged = damaged
  }
}

/// Some pieces of a sealed track, in their order.
package struct SealedPage: Hashable, Sendable {
  package var pieces: [SealedPiece]
  /// For what follows; `nil`: this was the last.
  package var next: LogRequest.Bookmark?
  /// Why the log, which is to be recorded, is not: what came last is not in it.
  package var problem: LogProblem?

  package init(pieces: [SealedPiece], next: LogRequest.Bookmark?) {
    self.pieces = pieces
    self.next = next
  }
}
