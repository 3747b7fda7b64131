package import Geodesy

/// The quantization errors that a u-blox announces for its pulses: its pulse follows the edges of its own oscillator,
/// and is up to 20 ns off the second.
///
/// UBX-TIM-TP describes the next pulse (ZED-F9R integration manual, "Time pulse": all messages between two pulses
/// belong to the second one, and the last of them is the most accurate).
package struct QuantizationError: Sendable {
  private struct Announcement {
    var picoseconds: Int32?
    var at: Instant
  }

  /// The latest announcement, and the one before: the pulse that it described may be read after the next message.
  private var latest: Announcement?
  private var previous: Announcement?
  /// A message that is older than a pulse's period announced a pulse that was not observed.
  private static let longestAnnouncement: Duration = .milliseconds(1100)
  /// No oscillator of a receiver is so slow; such a value is an error.
  private static let largestPicoseconds: Int64 = 1_000_000

  package init() {}

  /// Handles UBX-TIM-TP; `picoseconds`: `nil` if the message marks its value as invalid.
  package mutating func announced(picoseconds: Int32?, at now: Instant) {
    previous = latest
    latest = Announcement(
      picoseconds: picoseconds.flatMap { abs(Int64($0)) <= Self.largestPicoseconds ? $0 : nil }, at: now)
  }

  /// The error of the pulse at `time`, seconds, to be added to the pulse's time; `nil`: unknown. Each announcement counts once.
  package mutating func takeSeconds(pulseAt time: Instant) -> Double? {
    let isOfLatest = latest.map { $0.at <= time } ?? false
    let announcement = isOfLatest ? latest : previous
    previous = nil
    if isOfLatest { latest = nil }
    guard let announcement, time >= announcement.at, time - announcement.at <= Self.longestAnnouncement else {
      return nil
    }
    return announcement.picoseconds.map { Double($0) * 1e-12 }
  }
}
