import Geodesy
import WireFormats

/// The moment that UBX tells as a time of day and nanoseconds to add, which may be negative (UBX-NAV-PVT and -TIMEUTC,
/// `nano`): rounded to milliseconds, as epochs are on them and the rest is the error of the receiver's clock.
struct UTCMoment {
  /// Since midnight of the day that `dayShift` leads to.
  let nanosecondsOfDay: Int64
  /// -1 where the sum lies before midnight of the told day, 1 where it lies in the next.
  let dayShift: Int

  init(_ time: TimeOfDay, adding nanoseconds: Int32) {
    let day = GNSSTime.nanosecondsPerDay
    // A day ahead of the truth, so that nothing is negative and division rounds one way.
    let sum = time.nanosecondsSinceMidnight + Int64(nanoseconds) + 500_000 + day
    let rounded = sum / 1_000_000 * 1_000_000
    nanosecondsOfDay = rounded % day
    dayShift = Int(rounded / day) - 1
  }
}
