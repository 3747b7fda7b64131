/// Eight bytes of a line at once.
enum PlainBytes {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// The top bit of every byte that is not plain: below `+` (controls, blank, `!`, `$`, `*`) or above `~`. Only the lowest
  /// mark is exact; those above it may be borrowed from it.
  @inline(__always)
  static func marks(in word: UInt64) -> UInt64 {
    ((word &- 0x2B &* ones) | word | (word &+ ones)) & 0x8080_8080_8080_8080
  }

  /// The exclusive or of the eight bytes.
  @inline(__always)
  static func folded(_ word: UInt64) -> UInt8 {
    let half = word ^ word >> 32
    let quarter = half ^ half >> 16
    return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
  }
}

extension Span where Element == UInt8 {
  /// Eight bytes, the first lowest. One check of the bounds lets the compiler make a single load of it.
  @inline(__always)
  func word(at position: Int) -> UInt64 {
    let low =
      UInt64(self[position]) | UInt64(self[position &+ 1]) << 8 | UInt64(self[position &+ 2]) << 16
      | UInt64(self[position &+ 3]) << 24
    let high =
      UInt64(self[position &+ 4]) | UInt64(self[position &+ 5]) << 8 | UInt64(self[position &+ 6]) << 16
      | UInt64(self[position &+ 7]) << 24
    return low | high << 32
  }
}
