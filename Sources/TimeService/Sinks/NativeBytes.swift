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
}
