/// The folded names of towns in their order, each with its town: blocks of 16, in which a name begins with a part of the one
/// before it. Names of the same text are in the order of population.
struct TownKeys: Sendable {
  let blocks: Range<Int>
  let entries: Range<Int>

  private static let blockSize = 16
  private static let longestKey = 64

  /// Calls `body` with the town of each name that is equal to `key`, or begins with it; stops when `body` returns `false`.
  func each(_ key: [UInt8], asPrefix: Bool = false, in bytes: Span<UInt8>, _ body: (Int) -> Bool) {
    guard !key.isEmpty, key.count <= Self.longestKey, bytes.count >= entries.upperBound else { return }
    let count = blocks.count / 4
    // The last block whose first name is before the key: the key may be in it.
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isFirst(ofBlock: middle, before: key, bytes) { low = middle + 1 } else { high = middle }
    }
    var name: [UInt8] = []
    name.reserveCapacity(Self.longestKey)
    for block in max(low - 1, 0)..<max(count, 0) {
      var position = entries.lowerBound + bytes.u32(blocks.lowerBound + 4 * block)
      let end =
        block + 1 < count
        ? min(entries.lowerBound + bytes.u32(blocks.lowerBound + 4 * block + 4), entries.upperBound)
        : entries.upperBound
      name.removeAll(keepingCapacity: true)
      while position + 2 <= end {
        let (shared, own) = (Int(bytes[position]), Int(bytes[position + 1]))
        guard shared <= name.count, shared + own <= 255, position + 2 + own + 3 <= end else { return }
        name.removeSubrange(shared...)
        for index in 0..<own { name.append(bytes[position + 2 + index]) }
        position += 2 + own
        let town = bytes.u16(position) | Int(bytes[position + 2]) << 16
        position += 3
        if name == key || (asPrefix && name.starts(with: key)) {
          guard body(town) else { return }
        } else if key.lexicographicallyPrecedes(name) {
          return
        }
      }
    }
  }

  private func isFirst(ofBlock block: Int, before key: [UInt8], _ bytes: Span<UInt8>) -> Bool {
    let position = entries.lowerBound + bytes.u32(blocks.lowerBound + 4 * block)
    guard position + 2 <= entries.upperBound else { return false }
    let length = Int(bytes[position + 1])
    guard position + 2 + length <= entries.upperBound else { return false }
    for index in 0..<min(length, key.count) {
      let (a, b) = (bytes[position + 2 + index], key[index])
      if a != b { return a < b }
    }
    return length < key.count
  }
}
