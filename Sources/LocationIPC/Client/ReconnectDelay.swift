/// How long to wait before the next try: a tenth of a second, doubling up to half a minute, each between half and the whole
/// of it, so that the clients of a service that has restarted do not all come at once.
struct ReconnectDelay: Sendable {
  private static let first: Duration = .milliseconds(100)
  private static let longest: Duration = .seconds(30)

  private var step = 0
  private var random: UInt64

  /// - Parameter seed: differs between clients.
  init(seed: UInt64) { random = seed | 1 }

  mutating func next() -> Duration {
    let whole = min(Self.first * (1 << min(step, 20)), Self.longest)
    step += 1
    // Marsaglia, "Xorshift RNGs", 2003.
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return whole / 2 + whole / 2 * (Double(random >> 11) * 0x1p-53)
  }

  /// The service was there: the next try is a first one.
  mutating func reset() { step = 0 }
}
