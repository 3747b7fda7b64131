/// Reads what a `BitWriter` wrote.
struct BitReader {
  /// The next bit, counted from the beginning of the bytes.
  private var position: Int

  /// Begins at byte `offset`.
  init(at offset: Int) { position = offset * 8 }

  /// The next `width` bits (0…64), which the caller knows to be there.
  mutating func read(_ width: Int, of bytes: Span<UInt8>) -> UInt64 {
    var (value, done) = (UInt64(0), 0)
    while done < width {
      let count = min(8 - position % 8, width - done)
      let part = UInt64(bytes[position / 8] >> UInt8(position % 8)) & (1 << UInt64(count) - 1)
      value |= part << UInt64(done)
      position += count
      done += count
    }
    return value
  }
}
