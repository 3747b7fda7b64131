/// Puts integers of any width one behind the other, the lowest bit first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var free = 0

  /// - Parameter capacity: bytes that are not moved while it grows to them.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Makes zeros of all that was put.
  mutating func wipe() { Sodium.wipe(&bytes) }

  /// Appends the lowest `width` bits of `value`; the others are zero.
  mutating func append(_ value: UInt64, width: Int) {
    var (rest, left) = (value, width)
    while left > 0 {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      let count = Swift.min(free, left)
      bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: rest & (1 << count - 1)) << (8 - free)
      rest >>= count
      free -= count
      left -= count
    }
  }
}
