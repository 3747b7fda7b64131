/// A set of satellites without a heap allocation: a bit for each number of each constellation.
struct SatelliteSet: Sendable {
  private var bits: InlineArray<32, UInt64> = .init(repeating: 0)
  private(set) var count = 0

  /// Adds one. `constellation` counts below 8, `number` below 256; anything else is no satellite and left out.
  mutating func insert(constellation: UInt8, number: UInt16) {
    guard constellation < 8, number < 256 else { return }
    let index = Int(constellation) * 4 + Int(number) / 64
    let bit: UInt64 = 1 << UInt64(number % 64)
    guard bits[index] & bit == 0 else { return }
    bits[index] |= bit
    count += 1
  }
}
