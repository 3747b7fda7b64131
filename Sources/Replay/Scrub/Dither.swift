/// Moves a value within what was rounded off of it, always the same for the same value.
///
/// Places are told on a grid of degrees. A grid that is turned and told on another would still show in many places, and its
/// angle and the shape of its cells are the turn and the latitude. Spread evenly over its cells, it is gone.
struct Dither: Sendable {
  private let key: (UInt64, UInt64)

  init(using generator: inout some RandomNumberGenerator) {
    key = (generator.next(), generator.next())
  }

  /// Parts of a cell, −0.5…<0.5, for each of three coordinates of one value.
  func offsets(_ a: Int64, _ b: Int64, _ c: Int64 = 0) -> (Double, Double, Double) {
    var state = key.0
    for part in [a, b, c] { state = Self.mixed(state ^ UInt64(bitPattern: part)) &+ key.1 }
    func next() -> Double {
      state = Self.mixed(state &+ key.1)
      return Double(state >> 11) * 0x1p-53 - 0.5
    }
    return (next(), next(), next())
  }

  /// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): every bit depends on every bit.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
