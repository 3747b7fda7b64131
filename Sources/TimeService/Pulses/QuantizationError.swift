package import Geodesy

/// The quantization errors that a u-blox announces for its pulses: its pulse follows the edges of its own oscillator, and lies up to
/// 20 ns beside the second.
///
/// UBX-TIM-TP describes the next pulse (ZED-F9R integration manual, "Time pulse": all messages between two pulses belong to the second
/// one, and the last of them is the most accurate).
package struct QuantizationError: Sendable {
  private var picoseconds: Int32?
  private var announcedAt: Instant?
  /// A message that is older than a pulse's period announced a pulse that was not observed.
  static let longestAnnouncement: Duration = .milliseconds(1100)
  /// No oscillator of a receiver is so slow; such a value is an error.
  private static let largestPicoseconds: Int64 = 1_000_000

  package init() {}

  /// Handles UBX-TIM-TP; `picoseconds`: `nil` if the message marks its value as invalid.
  package mutating func announced(picoseconds: Int32?, at now: Instant) {
    self.picoseconds = picoseconds.flatMap { abs(Int64($0)) <= Self.largestPicoseconds ? $0 : nil }
    announcedAt = now
  }

  /// The error of the pulse at `now`, seconds, to be added to its time; `nil`: unknown. Each announcement counts once.
  package mutating func takeSeconds(pulseAt now: Instant) -> Double? {
    defer {
      self.picoseconds = nil
      self.announcedAt = nil
    }
    guard let picoseconds, let announcedAt, now >= announcedAt, now - announcedAt <= Self.longestAnnouncement else {
      return nil
    }
    return Double(picoseconds) * 1e-12
  }
}
