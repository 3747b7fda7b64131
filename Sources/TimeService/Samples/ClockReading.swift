package import Geodesy

/// The machine's clocks, read directly after one another.
///
/// A sample of time relates the receiver's UTC to the system's clock. The clock can step, and its rate is changed while it is
/// disciplined. Therefore the filter works with the raw clock, whose rate no program changes, and converts its result with the
/// newest reading.
package struct ClockReading: Hashable, Sendable {
  /// `CLOCK_REALTIME`: the clock that is disciplined.
  package var system: GNSSTime
  /// `CLOCK_BOOTTIME`, as everywhere in the service.
  package var monotonic: Instant
  /// `CLOCK_MONOTONIC_RAW`, nanoseconds. It stops while the machine is suspended.
  package var rawNanoseconds: Int64

  package init(system: GNSSTime, monotonic: Instant, rawNanoseconds: Int64) {
    self.system = system
    self.monotonic = monotonic
    self.rawNanoseconds = rawNanoseconds
  }

  /// The clocks a short time before this reading. Over a burst their rates count as equal.
  package func earlier(by duration: Duration) -> ClockReading {
    ClockReading(
      system: system + (.zero - duration), monotonic: monotonic - duration,
      rawNanoseconds: rawNanoseconds - duration.wholeNanoseconds)
  }

  /// Whether the system's clock was stepped between `earlier` and this reading. Both clocks run at the same rate, so that their
  /// difference changes only by a step.
  package func hasStepped(since earlier: ClockReading) -> Bool {
    let change = (system - earlier.system) - (monotonic - earlier.monotonic)
    return change > Self.smallestStep || change < .zero - Self.smallestStep
  }

  /// Whether the machine was suspended between `earlier` and this reading. The rates differ by at most a tenth (chrony.conf(5),
  /// `maxslewrate`: 83,333 ppm).
  package func wasSuspended(since earlier: ClockReading) -> Bool {
    // In integers: the division of a duration allocates.
    let raw = rawNanoseconds &- earlier.rawNanoseconds
    let elapsed = monotonic.nanoseconds &- earlier.monotonic.nanoseconds
    return elapsed &- raw > 500_000_000 + raw / 10
  }

  /// More than the time between the reading of one clock and of the next.
  private static let smallestStep: Duration = .milliseconds(1)
}
