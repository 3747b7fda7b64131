/// The keys of one segment's blocks, one after the other: each follows from a chain that is turned one way behind it, so that
/// what is in memory opens nothing that was closed before.
///
/// The chain begins as the segment's own key. Of each of its links follow, by BLAKE2b, the key of one block and the next link;
/// the first one's also opens the header.
struct KeyRatchet: ~Copyable {
  private let chain: SecretBytes
  private let key = SecretBytes()
  /// The index in the file of the block whose key is the next.
  private(set) var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)

  /// Begins with a segment's key.
  init(_ chain: consuming SecretBytes) { self.chain = chain }

  /// Calls `body` with the key of the header; before any block's.
  func withHeaderKey<R>(_ body: (borrowing SecretBytes) -> R) -> R {
    defer { key.wipe() }
    Sodium.derive(key, from: chain, for: "CLheader")
    return body(key)
  }

  /// Calls `body` with the next block's key, which is gone afterwards.
  mutating func withNextKey<R>(_ body: (borrowing SecretBytes) -> R) -> R {
    Sodium.derive(key, from: chain, for: "CLblocks")
    turn()
    defer { key.wipe() }
    return body(key)
  }

  /// Leaves blocks out, up to the one at `index`; `false` where that lies behind it.
  mutating func skip(to index: UInt32) -> Bool {
    guard index >= self.index else { return false }
    while self.index < index { turn() }
    return true
  }

  private mutating func turn() {
    Sodium.derive(chain, from: chain, for: "CLfollow")
    index += 1
  }
}
