/// How likely a bit is zero, by those that came before in the same place: the mean of all until there are 60, and then one
/// that forgets.
struct AdaptiveBit {
  /// The likelihood of a zero in 65,536ths, kept where neither bit costs nothing.
  private(set) var zero: UInt32 = 1 << 15
  private var count: UInt32 = 0

  /// A bit that it was certain of costs 1/1400 bit then, and the other one 11 bits.
  private static let range: ClosedRange<UInt32> = 32...65_504
  private static let memory: UInt32 = 60

  mutating func learn(_ bit: Bool) {
    let share = count + 2
    zero = bit ? zero - zero / share : zero + (65_536 - zero) / share
    zero = min(Self.range.upperBound, max(Self.range.lowerBound, zero))
    if count < Self.memory { count += 1 }
  }
}
