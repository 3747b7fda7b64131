/// Writes numbers in this machine's byte order, for programs on the same machine.
enum NativeBytes {
  static func put<let size: Int>(
    _ value: some FixedWidthInteger, into bytes: inout InlineArray<size, UInt8>, at offset: Int
  ) {
    let count = value.bitWidth / 8
    for index in 0..<count {
      #if _endian(big)
        let shift = 8 * (count - 1 - index)
      #else
        let shift = 8 * index
      #endif
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// Seconds and the nanoseconds of the second of a time, rounded down also before 1970.
  static func split(_ nanoseconds: Int64) -> (seconds: Int64, nanoseconds: Int32) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000_000
    }
    return (seconds, Int32(rest))
  }
}
