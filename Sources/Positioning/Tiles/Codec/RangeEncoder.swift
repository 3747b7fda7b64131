/// Arithmetic coding, a byte at a time (G. N. N. Martin, "Range encoding", 1979), with the carry kept back as in Igor Pavlov's
/// LZMA SDK (public domain): what cannot change any more is in `bytes`.
struct RangeEncoder: BitCoder {
  private(set) var bytes: [UInt8] = []
  private var low: UInt64 = 0
  private var range: UInt32 = .max
  /// The last byte that a carry can reach, and how many 0xFF after it; the first of all is always 0 and left away.
  private var held: UInt8 = 0
  private var heldOnes = 0
  private var isFirst = true

  mutating func code(_ bit: Bool, by model: inout AdaptiveBit) -> Bool {
    let bound = (range >> 16) * model.zero
    if bit {
      low += UInt64(bound)
      range -= bound
    } else {
      range = bound
    }
    model.learn(bit)
    normalize()
    return bit
  }

  mutating func codeEven(_ bit: Bool) -> Bool {
    range >>= 1
    if bit { low += UInt64(range) }
    normalize()
    return bit
  }

  /// Everything so far, and an end that reads as zeros.
  mutating func finish() -> [UInt8] {
    for _ in 0..<5 { shift() }
    return bytes
  }

  private mutating func normalize() {
    while range < 1 << 24 {
      range <<= 8
      shift()
    }
  }

  private mutating func shift() {
    if low < 0xFF00_0000 || low > 0xFFFF_FFFF {
      let carry = UInt8(truncatingIfNeeded: low >> 32)
      if !isFirst { bytes.append(held &+ carry) }
      isFirst = false
      for _ in 0..<heldOnes { bytes.append(0xFF &+ carry) }
      heldOnes = 0
      held = UInt8(truncatingIfNeeded: low >> 24)
    } else {
      heldOnes += 1
    }
    low = (low & 0x00FF_FFFF) << 8
  }
}
