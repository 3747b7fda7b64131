/// SipHash-2-4: a short keyed hash that reveals nothing about its key.
///
/// J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012, section 2.
package struct SipHash: Hashable, Sendable {
  /// The key's two words, little-endian.
  private let k0: UInt64
  private let k1: UInt64

  /// Creates the hash function of a key of 16 secret bytes.
  package init(key: (low: UInt64, high: UInt64)) { (k0, k1) = (key.low, key.high) }

  /// The hash of the bytes.
  package func hash(_ bytes: [UInt8]) -> UInt64 {
    var state = Rounds(
      v0: k0 ^ 0x736f_6d65_7073_6575, v1: k1 ^ 0x646f_7261_6e64_6f6d, v2: k0 ^ 0x6c79_6765_6e65_7261,
      v3: k1 ^ 0x7465_6462_7974_6573)
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word |= UInt64(byte) << UInt64(8 * (index & 7))
      guard index & 7 == 7 else { continue }
      state.compress(word)
      word = 0
    }
    state.compress(word | UInt64(bytes.count & 0xFF) << 56)
    return state.finish()
  }

  private struct Rounds {
    var v0: UInt64, v1: UInt64, v2: UInt64, v3: UInt64

    mutating func compress(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func finish() -> UInt64 {
      v2 ^= 0xFF
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v1 = Self.rotate(v1, 13) ^ v0
      v0 = Self.rotate(v0, 32)
      v2 &+= v3
      v3 = Self.rotate(v3, 16) ^ v2
      v0 &+= v3
      v3 = Self.rotate(v3, 21) ^ v0
      v2 &+= v1
      v1 = Self.rotate(v1, 17) ^ v2
      v2 = Self.rotate(v2, 32)
    }

    private static func rotate(_ x: UInt64, _ bits: UInt64) -> UInt64 { x << bits | x >> (64 - bits) }
  }
}
