package import Geodesy

/// Chooses among the peers that send to a listening source: the first that sends a valid frame, until it is silent for five seconds.
package struct PeerLock<Peer: Hashable & Sendable>: Sendable {
  /// Another peer may take over after this long without a byte of the chosen one.
  package static var longestSilence: Duration { .seconds(5) }

  private var chosen: (peer: Peer, lastBytes: Instant)?
  /// How often bytes of another peer were dropped.
  package private(set) var droppedCount = 0

  package init() {}

  /// The peer whose bytes are used now.
  package func current(at now: Instant) -> Peer? {
    chosen.flatMap { now - $0.lastBytes < Self.longestSilence ? $0.peer : nil }
  }

  /// Whether bytes of `peer` are used.
  ///
  /// - Parameter hasFrame: the bytes complete a frame with a correct checksum. Without one, a peer is never chosen.
  package mutating func accepts(_ peer: Peer, hasFrame: Bool, at now: Instant) -> Bool {
    if let current = current(at: now), current != peer {
      droppedCount += 1
      return false
    }
    guard chosen?.peer == peer && current(at: now) != nil || hasFrame else { return false }
    chosen = (peer, now)
    return true
  }

  /// The peer closed its connection.
  package mutating func closed(_ peer: Peer) { if chosen?.peer == peer { chosen = nil } }
}
