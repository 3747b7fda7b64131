internal import CLinux
package import Geodesy
import Glibc

/// The clock of deadlines and ages, which keeps counting in suspend and never steps.
package enum MonotonicClock {
  /// This moment (`CLOCK_BOOTTIME`).
  package static func now() -> Instant { Instant(nanoseconds: clinux_clock_nanoseconds(CLOCK_BOOTTIME)) }
}

/// The time of day as this machine believes it; it can be wrong and it can step.
package enum WallClock {
  /// This moment (`CLOCK_REALTIME`).
  package static func now() -> GNSSTime { GNSSTime(nanosecondsSince1970: clinux_clock_nanoseconds(CLOCK_REALTIME)) }

  /// How far it may be off while something keeps it right, such as NTP; `nil`: nothing does.
  package static var error: Duration? {
    let microseconds = clinux_clock_error()
    return microseconds < 0 ? nil : .microseconds(microseconds)
  }
}
