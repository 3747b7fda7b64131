/// How fast it has been of late while it moved: seconds spent in each half metre per second, older ones less.
struct SpeedMemory {
  /// Width of a bin, m/s.
  private static let width = 0.5
  private static let count = 32
  /// The last bin holds all that is faster: 15.5 m/s and up.
  private var seconds = InlineArray<32, Double>(repeating: 0)
  /// All seconds together.
  private(set) var total = 0.0

  /// Adds a speed that lasted for `dt` seconds; what is older fades with `memory`.
  mutating func add(_ speed: Double, for dt: Double, memory: Double) {
    let kept = memory / (memory + dt)
    for bin in 0..<Self.count { seconds[bin] *= kept }
    seconds[min(Self.count - 1, Int(speed / Self.width))] += dt
    total = total * kept + dt
  }

  /// The speed that is not exceeded in this share of the time, m/s, by straight lines within bins; 0 where nothing is known.
  func percentile(_ share: Double) -> Double {
    guard total > 0 else { return 0 }
    let seconds = seconds.span
    var left = share * total
    for bin in 0..<Self.count {
      if left <= seconds[bin] { return (Double(bin) + left / max(seconds[bin], .leastNormalMagnitude)) * Self.width }
      left -= seconds[bin]
    }
    return Double(Self.count) * Self.width
  }
}
