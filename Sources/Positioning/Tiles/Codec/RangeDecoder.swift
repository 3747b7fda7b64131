/// What `RangeEncoder` wrote. Beyond the end it reads zeros, and says so.
struct RangeDecoder: BitCoder {
  private let bytes: [UInt8]
  private let end: Int
  private(set) var position: Int
  private var range: UInt32 = .max
  private var code: UInt32 = 0
  /// More was read than there is.
  private(set) var isExhausted = false

  /// Reads `bytes` from `start` to before `end`, both within them.
  init(_ bytes: [UInt8], from start: Int, to end: Int) {
    self.bytes = bytes
    self.end = end
    position = start
    for _ in 0..<4 { code = code << 8 | next() }
  }

  /// Whether nothing is left of what was encoded; from then on zeros may follow.
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
