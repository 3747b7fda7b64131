import WireFormats

/// A set of satellites without a heap allocation: a bit for each number of each constellation.
struct SatelliteSet: Sendable {
  private var bits: InlineArray<32, UInt64> = .init(repeating: 0)
  private(set) var count = 0

  /// Adds one.
  mutating func insert(_ id: SatelliteID) {
    guard let (index, bit) = Self.place(of: id), bits[index] & bit == 0 else { return }
    bits[index] |= bit
    count += 1
  }

  /// Whether a satellite is in it.
  func contains(_ id: SatelliteID) -> Bool {
    guard let (index, bit) = Self.place(of: id) else { return false }
    return bits[index] & bit != 0
  }

  /// There is room for 8 constellations of 256 numbers.
  private static func place(of id: SatelliteID) -> (index: Int, bit: UInt64)? {
    guard id.constellation.rawValue < 8 else { return nil }
    return (Int(id.constellation.rawValue) * 4 + Int(id.number) / 64, 1 << UInt64(id.number % 64))
  }
}
