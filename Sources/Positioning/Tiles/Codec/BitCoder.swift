/// Bits on their way into a tile or out of it, so that what a tile is made of is written down once (`RecordCoder`).
///
/// An encoder takes the bit that it is told and returns it; a decoder does not look at what it is told, and returns what it
/// reads.
protocol BitCoder {
  /// One bit whose likelihood is learnt.
  mutating func code(_ bit: Bool, by model: inout AdaptiveBit) -> Bool
  /// One bit that is as likely one as zero.
  mutating func codeEven(_ bit: Bool) -> Bool
}

extension BitCoder {
  /// The lowest `count` bits of a value, highest first, each as likely one as zero.
  mutating func codeEven(_ value: UInt64, count: Int) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: count - 1, through: 0, by: -1) {
      result = result << 1 | (codeEven(value >> UInt64(shift) & 1 == 1) ? 1 : 0)
    }
    return result
  }

  /// The lowest `count` bits of a value, highest first, the likelihood of each learnt by those before it. `models` has 2 to the
  /// `count` elements from `start` on.
  mutating func code(_ value: Int, count: Int, by models: inout [AdaptiveBit], from start: Int = 0) -> Int {
    var node = 1
    for shift in stride(from: count - 1, through: 0, by: -1) {
      node = node << 1 | (code(value >> shift & 1 == 1, by: &models[start + node]) ? 1 : 0)
    }
    return node - 1 << count
  }
}
