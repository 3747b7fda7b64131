internal import CLinux
package import Geodesy
import Glibc

/// The clock of deadlines and ages, which continues during suspend and never steps.
package enum MonotonicClock {
  /// The current time (`CLOCK_BOOTTIME`).
  package static func now() -> Instant { Instant(nanoseconds: clinux_clock_nanoseconds(CLOCK_BOOTTIME)) }
}

/// The system's time of day; it can be wrong and it can step.
package enum WallClock {
  /// The current time (`CLOCK_REALTIME`).
  package static func now() -> GNSSTime { GNSSTime(nanosecondsSince1970: clinux_clock_nanoseconds(CLOCK_REALTIME)) }

  /// The maximum error while the clock is synchronized, for example by NTP; `nil` if it is not synchronized.
  package static var error: Duration? {
    let microseconds = clinux_clock_error()
    return microseconds < 0 ? nil : .microseconds(microseconds)
  }
}

/// The machine's clocks, read directly after one another.
package struct ClockReadings: Hashable, Sendable {
  /// `CLOCK_REALTIME`.
  package var system: GNSSTime
  /// `CLOCK_BOOTTIME`.
  package var monotonic: Instant
  /// `CLOCK_MONOTONIC_RAW`, nanoseconds.
  package var rawNanoseconds: Int64

  /// Reads them now.
  package static func now() -> ClockReadings {
    ClockReadings(
      system: WallClock.now(), monotonic: MonotonicClock.now(),
      rawNanoseconds: clinux_clock_nanoseconds(CLOCK_MONOTONIC_RAW))
  }
}

extension WallClock {
  /// Adds a duration to the clock; needs the capability CAP_SYS_TIME.
  package static func step(by offset: Duration) throws(SystemError) {
    try SystemCall.run("clock_settime") { clinux_clock_step(offset.wholeNanoseconds) }
  }
}

/// Local time of a time zone, by the system's time zone database.
package enum LocalTime {
  private static let database = "/usr/share/zoneinfo/"

  /// Makes `zone` (`Europe/Zurich`) this process's time zone; `false` if the database has none of that name. Call this
  /// before other threads run, because it changes the process's environment.
  package static func select(zone: String) -> Bool {
    let isName = zone.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "/"):
        true
      default: false
      }
    }
    guard isName, !zone.isEmpty, !zone.hasPrefix("/"), let status = try? FileStatus.of(database + zone),
      status.st_mode & S_IFMT == S_IFREG
    else { return false }
    return unsafe setenv("TZ", ":" + zone, 1) == 0
  }

  /// The time at which the zone's local time is what `clock` shows as UTC: either of two times in the hour that is
  /// repeated in autumn, and a time one hour later in the hour that is skipped in spring. `nil` if the system cannot
  /// convert it.
  package static func utc(of clock: GNSSTime) -> GNSSTime? {
    guard let date = clock.date else { return nil }
    let nanoseconds = clock.nanosecondsSinceMidnight
    let seconds = Int32(nanoseconds / 1_000_000_000)
    // Its pointer to the zone's name is never read.
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(date.year) - 1900
    unsafe parts.tm_mon = Int32(date.month) - 1
    unsafe parts.tm_mday = Int32(date.day)
    unsafe parts.tm_hour = seconds / 3600
    unsafe parts.tm_min = seconds / 60 % 60
    unsafe parts.tm_sec = seconds % 60
    unsafe parts.tm_isdst = -1
    // -1 is a valid time too; the day of the week is set only on success.
    unsafe parts.tm_wday = -1
    tzset()
    let time = unsafe mktime(&parts)
    guard unsafe parts.tm_wday >= 0 else { return nil }
    let (scaled, overflow) = Int64(time).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    return GNSSTime(nanosecondsSince1970: scaled) + .nanoseconds(nanoseconds % 1_000_000_000)
  }
}

extension LocalTime {
  /// The local time of the zone at `time`, as if it were UTC, and the zone's abbreviation then (`CET`); `nil` if the
  /// system cannot convert it.
  package static func clock(of time: GNSSTime) -> (clock: GNSSTime, zone: String)? {
    tzset()
    var seconds = time_t(time.secondsAndNanoseconds.seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
    let zone = unsafe parts.tm_zone.map { unsafe String(cString: $0) } ?? ""
    return unsafe (time + .seconds(Int64(parts.tm_gmtoff)), zone)
  }
}

/// The day on which this program was built: certainly in the past, whatever the system's clock shows.
package enum BuildDate {
  /// From the compiler (`__DATE__`, which `SOURCE_DATE_EPOCH` sets for a reproducible build): "Nov 21 2026".
  package static var date: CalendarDate? {
    let text = unsafe String(cString: clinux_build_date())
    let parts = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 3, let month = months.firstIndex(where: { $0 == parts[0] }), let day = Int(parts[1]),
      let year = Int(parts[2])
    else { return nil }
    return CalendarDate(year: year, month: month + 1, day: day)
  }
}

extension WallClock {
  /// The system's time, if the clock has evidently been set since power-on: it is not before the day of the build.
  /// Otherwise `nil`.
  package static var believable: GNSSTime? {
    let reading = now()
    return reading.isBelievable(after: BuildDate.date) ? reading : nil
  }
}
