/// Bits on their way into a tile or out of it, so that the layout of a tile is written down only once (`RecordCoder`).
///
/// An encoder writes the given bit and returns it; a decoder ignores the given bit, and returns the one that it reads.
protocol BitCoder {
  /// One bit with an adaptive probability.
  mutating func code(_ bit: Bool, by model: inout AdaptiveBit) -> Bool
  /// One bit that is equally likely one or zero.
  mutating func codeEven(_ bit: Bool) -> Bool
}

extension BitCoder {
  /// The lowest `count` bits of a value, highest first, each equally likely one or zero.
  mutating func codeEven(_ value: UInt64, count: Int) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: count - 1, through: 0, by: -1) {
      result = result << 1 | (codeEven(value >> UInt64(shift) & 1 == 1) ? 1 : 0)
    }
    return result
  }

  /// The lowest `count` bits of a value, highest first, each with the probability learned for the bits before it. `models` has
  /// 2 to the `count` elements from `start` on.
  mutating func code(_ value: Int, count: Int, by models: inout [AdaptiveBit], from start: Int = 0) -> Int {
    var node = 1
    for shift in stride(from: count - 1, through: 0, by: -1) {
      node = node << 1 | (code(value >> shift & 1 == 1, by: &models[start + node]) ? 1 : 0)
    }
    return node - 1 << count
  }
}

/// The probability that a bit is zero, estimated from the earlier bits in the same place: the mean of all until there are 60,
/// and then a moving average.
struct AdaptiveBit {
  /// The probability of a zero in 65,536ths, within bounds: neither value of a bit is ever free to encode.
  private(set) var zero: UInt32 = 1 << 15
  private var count: UInt32 = 0

  /// At these limits the likelier value of a bit costs 1/1400 bit, and the other one 11 bits.
  private static let range: ClosedRange<UInt32> = 32...65_504
  private static let memory: UInt32 = 60

  mutating func learn(_ bit: Bool) {
    let share = count + 2
    zero = bit ? zero - zero / share : zero + (65_536 - zero) / share
    zero = min(Self.range.upperBound, max(Self.range.lowerBound, zero))
    if count < Self.memory { count += 1 }
  }
}

/// Arithmetic coding, a byte at a time (G. N. N. Martin, "Range encoding", 1979), with the carry delayed as in Igor Pavlov's
/// LZMA SDK (public domain): `bytes` contains what can no longer change.
struct RangeEncoder: BitCoder {
  private(set) var bytes: [UInt8] = []
  private var low: UInt64 = 0
  private var range: UInt32 = .max
  /// The last byte that a carry can reach, and how many 0xFF follow it; the very first byte is always 0 and omitted.
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

  /// All bytes so far, with an end that decodes as zeros.
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

/// Decodes the output of `RangeEncoder`. Beyond the end it reads zeros, and sets `isExhausted`.
struct RangeDecoder: BitCoder {
  private let bytes: [UInt8]
  private let end: Int
  private(set) var position: Int
  private var range: UInt32 = .max
  private var code: UInt32 = 0
  /// Whether more was read than there is.
  private(set) var isExhausted = false

  /// Reads `bytes` from `start` to before `end`, both within them.
  init(_ bytes: [UInt8], from start: Int, to end: Int) {
    self.bytes = bytes
    self.end = end
    position = start
    for _ in 0..<4 { code = code << 8 | next() }
  }

  /// Whether all encoded data has been read; only zeros may follow.
  var isAtEnd: Bool { code == 0 && !isExhausted }

  mutating func code(_: Bool, by model: inout AdaptiveBit) -> Bool {
    let bound = (range >> 16) * model.zero
    let bit = code >= bound
    if bit {
      code -= bound
      range -= bound
    } else {
      range = bound
    }
    model.learn(bit)
    normalize()
    return bit
  }

  mutating func codeEven(_: Bool) -> Bool {
    range >>= 1
    let bit = code >= range
    if bit { code -= range }
    normalize()
    return bit
  }

  private mutating func normalize() {
    while range < 1 << 24 {
      range <<= 8
      code = code << 8 | next()
    }
  }

  private mutating func next() -> UInt32 {
    guard position < end else {
      isExhausted = true
      return 0
    }
    defer { position += 1 }
    return UInt32(bytes[position])
  }
}
