@testable import LocationStore

/// Tries every sequence of 32 bytes as a key: as that of a block, of the chain from which the keys of blocks are derived, and of
/// the owner.
struct KeySearch {
  let segment: UInt64
  /// The owner's secret key.
  let secret: [UInt8]
  /// The blocks of the segment, beginning with the first one.
  let blocks: [[UInt8]]

  struct Result {
    /// The blocks that could be decrypted.
    var opened: Set<Int> = []
    /// How many keys were tried.
    var candidates = 0
    /// Whether the owner's secret key was found.
    var hasSecret = false

    static func + (a: Result, b: Result) -> Result {
      Result(
        opened: a.opened.union(b.opened), candidates: a.candidates + b.candidates, hasSecret: a.hasSecret || b.hasSecret
      )
    }
  }

  /// 32 random bytes have 30 different values on average; only one key in a million has fewer than this.
  private static let fewest = 23

  func search(_ memory: [UInt8]) -> Result {
    var result = Result()
    guard memory.count >= SecretBytes.count else { return result }
    // How often each byte value is in the window, and how many different values there are.
    var (counts, different) = ([Int](repeating: 0, count: 256), 0)
    let keys = Keys()
    for (end, byte) in memory.enumerated() {
      counts[Int(byte)] += 1
      if counts[Int(byte)] == 1 { different += 1 }
      let start = end - SecretBytes.count + 1
      guard start >= 0 else { continue }
      if different >= Self.fewest {
        result.candidates += 1
        attempt(Array(memory[start...end]), keys, &result)
      }
      counts[Int(memory[start])] -= 1
      if counts[Int(memory[start])] == 0 { different -= 1 }
    }
    return result
  }

  /// Memory for a key that is tried, and for what is derived from it.
  private final class Keys {
    let key = SecretBytes()
    let next = SecretBytes()
  }

  private func attempt(_ bytes: [UInt8], _ keys: Keys, _ result: inout Result) {
    if bytes == secret { result.hasSecret = true }
    for (index, byte) in bytes.enumerated() { unsafe keys.key.base[index] = byte }
    Sodium.derive(keys.next, from: keys.key, for: "CLblocks")
    for (position, block) in blocks.enumerated() {
      let index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size + position)
      let beside = EncryptedBlock.place(segment: segment, index: index, EncryptedBlock.format)
      let closed = block.span.extracting(EncryptedBlock.textOffset..<TrackBlock.size)
      if Sodium.open(closed, beside: beside.span, keys.key) != nil
        || Sodium.open(closed, beside: beside.span, keys.next) != nil
      {
        result.opened.insert(position)
      }
    }
  }
}
