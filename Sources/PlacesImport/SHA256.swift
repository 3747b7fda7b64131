/// The hash SHA-256 (FIPS 180-4), which identifies the source of a file.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    length += UInt64(bytes.count) * 8
    var rest = bytes
    if !pending.isEmpty {
      let missing = min(64 - pending.count, rest.count)
      pending += rest.prefix(missing)
      rest = rest.dropFirst(missing)
      guard pending.count == 64 else { return }
      compress(pending[...])
      pending = []
    }
    while rest.count >= 64 {
      compress(rest.prefix(64))
      rest = rest.dropFirst(64)
    }
    pending = Array(rest)
  }

  /// The hash of all bytes, in hexadecimal digits.
  package consuming func finish() -> String {
    var end: [UInt8] = [0x80]
    while (pending.count + end.count) % 64 != 56 { end.append(0) }
    let total = length
    for shift in stride(from: 56, through: 0, by: -8) { end.append(UInt8(truncatingIfNeeded: total >> UInt64(shift))) }
    add(end[...])
    let digits = Array("0123456789abcdef")
    return String(
      state.flatMap { word in stride(from: 28, through: 0, by: -4).map { digits[Int(word >> UInt32($0)) & 15] } })
  }

  private mutating func compress(_ block: ArraySlice<UInt8>) {
    var words = [UInt32](repeating: 0, count: 64)
    for index in 0..<16 {
      let start = block.startIndex + 4 * index
      words[index] =
        UInt32(block[start]) << 24 | UInt32(block[start + 1]) << 16 | UInt32(block[start + 2]) << 8
        | UInt32(block[start + 3])
    }
    for index in 16..<64 {
      let (first, second) = (words[index - 15], words[index - 2])
      let low = Self.rotate(first, 7) ^ Self.rotate(first, 18) ^ (first >> 3)
      let high = Self.rotate(second, 17) ^ Self.rotate(second, 19) ^ (second >> 10)
      words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
      let first = h &+ sum &+ ((e & f) ^ (~e & g)) &+ Self.constants[index] &+ words[index]
      let other = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
      let second = other &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    var primes: [UInt64] = []
    var number: UInt64 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ number % $0 != 0 }) { primes.append(number) }
      number += 1
    }
    return primes.map { prime in
      // The cube root of prime · 2^96, exactly; its lowest 32 bits are the fraction.
      var root: UInt64 = 0
      for bit in stride(from: 34 as UInt64, through: 0, by: -1) {
        let next = root | 1 << bit
        let square = next.multipliedFullWidth(by: next)
        let low = square.low.multipliedFullWidth(by: next)
        let high = square.high.multipliedFullWidth(by: next)
        let (middle, overflow) = low.high.addingReportingOverflow(high.low)
        let top = high.high + (overflow ? 1 : 0)
        // prime · 2^96 = (prime << 32) · 2^64.
        if top == 0, middle < prime << 32 || middle == prime << 32 && low.low == 0 { root = next }
      }
      return UInt32(truncatingIfNeeded: root)
    }
  }()
}
