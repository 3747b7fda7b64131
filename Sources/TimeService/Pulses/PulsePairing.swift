package import Geodesy

/// A pulse together with the second that it marks.
package struct PairedPulse: Hashable, Sendable {
  /// The second, from the receiver's messages.
  package var second: GNSSTime
  /// The system's clock at the pulse.
  package var system: GNSSTime
  /// The second minus the system's clock, seconds, with the quantization error applied.
  package var offsetSeconds: Double
  /// How far that is from the offset of the messages, seconds.
  package var distanceSeconds: Double
}

/// Finds the second that a pulse marks. The pulse itself does not identify its second; the messages do if the error of
/// their offset is less than half a second.
package enum PulsePairing {
  /// The largest distance between the second of the messages and the pulse.
  package static let largestDistanceSeconds = 0.4

  /// The result for a pulse.
  package enum Outcome: Hashable, Sendable {
    case paired(PairedPulse)
    /// The nearest second lies farther away than the limit: pulse and messages do not agree.
    case tooFar(distanceSeconds: Double)
  }

  /// - Parameters:
  ///   - messageOffsetSeconds: the offset of the system's clock from the receiver's messages, with the receiver's delay added.
  ///   - quantizationSeconds: the announced error of this pulse, added to its time; 0 if unknown.
  package static func pair(
    _ pulse: PulseReading, messageOffsetSeconds: Double, quantizationSeconds: Double = 0
  ) -> Outcome {
    let whole = messageOffsetSeconds.rounded(.down)
    // In two steps: a Double cannot represent an offset of years to the nanosecond.
    let estimate =
      pulse.system + .nanoseconds(nanoseconds(whole)) + .nanoseconds(nanoseconds(messageOffsetSeconds - whole))
    let second = nearestSecond(to: estimate)
    let distance = (second - estimate).inSeconds
    guard abs(distance) <= largestDistanceSeconds else { return .tooFar(distanceSeconds: distance) }
    return .paired(
      PairedPulse(
        second: second, system: pulse.system, offsetSeconds: (second - pulse.system).inSeconds - quantizationSeconds,
        distanceSeconds: distance))
  }

  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1e9).rounded()) ?? 0 }

  private static func nearestSecond(to time: GNSSTime) -> GNSSTime {
    let remainder = time.secondsAndNanoseconds.nanoseconds
    let down = time.nanosecondsSince1970 - remainder
    return GNSSTime(nanosecondsSince1970: remainder >= 500_000_000 ? down + 1_000_000_000 : down)
  }
}
