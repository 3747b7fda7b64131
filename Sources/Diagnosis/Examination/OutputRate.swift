import Geodesy
import WireFormats

/// How many bytes a receiver sends in a second of its own clock. Bytes that wait while this machine is busy arrive
/// late, and then faster than any line carries them; the times in the receiver's messages are not affected.
struct OutputRate: Sendable {
  /// The clock that a time is read from. The raw value is the period, in milliseconds, after which the clock starts
  /// again at 0.
  private enum Clock: Int64, Hashable, Sendable {
    case day = 86_400_000
    case week = 604_800_000
  }

  private struct Epoch: Sendable {
    var clock: Clock
    var milliseconds: Int64
    /// Where in the data the first message with this time ends.
    var position: UInt64
  }

  /// The longest step from one time to the next, milliseconds. A longer one is not measured: the clock was set, or data
  /// are missing.
  private static let longestStep: Int64 = 10_000

  private var latest: Epoch?
  private var milliseconds: Int64 = 0
  private var bytes: UInt64 = 0

  /// - Parameter end: the position in the data of the end of the message.
  mutating func add(_ message: WireMessage, end: UInt64) {
    let time: (clock: Clock, milliseconds: Int64)?
    switch message {
    case .nmea(.rmc(let rmc), _): time = Self.ofDay(rmc.time)
    case .nmea(.gga(let gga), _): time = Self.ofDay(gga.time)
    case .nmea(.gns(let gns), _): time = Self.ofDay(gns.time)
    case .nmea(.gll(let gll), _): time = Self.ofDay(gll.time)
    case .ubx(.navPVT(let pvt)): time = (.week, Int64(pvt.timeOfWeekMilliseconds))
    case .ubx(.navSOL(let sol)): time = (.week, Int64(sol.timeOfWeekMilliseconds))
    case .nmea, .ubx: time = nil
    }
    guard let time else { return }
    guard let latest else {
      self.latest = Epoch(clock: time.clock, milliseconds: time.milliseconds, position: end)
      return
    }
    // If a receiver sends times of both clocks, only the clock that was received first counts.
    guard latest.clock == time.clock else { return }
    let step = (time.milliseconds - latest.milliseconds + latest.clock.rawValue) % latest.clock.rawValue
    guard step > 0 else { return }
    self.latest = Epoch(clock: time.clock, milliseconds: time.milliseconds, position: end)
    guard step <= Self.longestStep else { return }
    milliseconds += step
    bytes &+= end &- latest.position
  }

  private static func ofDay(_ time: TimeOfDay?) -> (clock: Clock, milliseconds: Int64)? {
    time.map { (.day, $0.nanosecondsSinceMidnight / 1_000_000) }
  }

  /// `nil`: less than two seconds were measured.
  var bytesPerSecond: Double? { milliseconds >= 2000 ? Double(bytes) * 1000 / Double(milliseconds) : nil }
}
