package import Geodesy

/// A sample for the shared memory of ntpd, NTPsec and chrony (NTP, "Shared Memory Driver", `struct shmTime`), mode 1.
///
/// | offset | type   | field |
/// |--:|---|---|
/// | 0  | int32  | mode: 1 |
/// | 4  | int32  | count: odd while the fields are being written |
/// | 8  | int64  | true time, seconds |
/// | 16 | int32  | its microseconds |
/// | 24 | int64  | system's clock, seconds |
/// | 32 | int32  | its microseconds |
/// | 36 | int32  | leap second: 0 none, 1 insert, 2 delete |
/// | 40 | int32  | precision: log₂ of seconds |
/// | 44 | int32  | number of samples: not used |
/// | 48 | int32  | valid: 1; the reader sets it to 0 |
/// | 52 | uint32 | true time, nanoseconds |
/// | 56 | uint32 | system's clock, nanoseconds |
///
/// The microseconds are the nanoseconds truncated: readers ignore nanoseconds that do not match. The layout is that of a
/// machine with a `time_t` of 64 bits.
package struct SharedMemorySample: Hashable, Sendable {
  package static let size = 96
  /// The key of unit 0; the other units follow.
  package static let firstKey: Int32 = 0x4E54_5030

  /// The reading of the system's clock to which the sample applies.
  package var system: GNSSTime
  /// The true time at that moment.
  package var time: GNSSTime
  package var leap: LeapIndicator
  /// log₂ of the error in seconds: −7 for messages, −10 for a pulse on USB, −20 for a pulse that the kernel records.
  package var precision: Int8

  package init(system: GNSSTime, time: GNSSTime, leap: LeapIndicator = .none, precision: Int8) {
    (self.system, self.time) = (system, time)
    (self.leap, self.precision) = (leap, precision)
  }

  /// A sample with an offset in seconds.
  package init(system: GNSSTime, offsetSeconds: Double, leap: LeapIndicator = .none, precision: Int8) {
    let whole = offsetSeconds.rounded(.down)
    let time =
      system + .seconds(Int64(exactly: whole) ?? 0) + .nanoseconds(Int64(((offsetSeconds - whole) * 1e9).rounded()))
    self.init(system: system, time: time, leap: leap, precision: precision)
  }

  /// The segment while it is written (`isValid` false and an odd count), or when it is complete. The writer sets valid to
  /// 0, then the odd count, then the fields, then the even count, then valid to 1, in this order.
  package func encoded(count: Int32, isValid: Bool) -> InlineArray<96, UInt8> {
    var bytes = InlineArray<96, UInt8>(repeating: 0)
    let (trueSeconds, trueNanoseconds) = time.secondsAndNanoseconds
    let (systemSeconds, systemNanoseconds) = system.secondsAndNanoseconds
    NativeBytes.put(1 as Int32, into: &bytes, at: 0)
    NativeBytes.put(count, into: &bytes, at: 4)
    NativeBytes.put(trueSeconds, into: &bytes, at: 8)
    NativeBytes.put(Int32(trueNanoseconds / 1000), into: &bytes, at: 16)
    NativeBytes.put(systemSeconds, into: &bytes, at: 24)
    NativeBytes.put(Int32(systemNanoseconds / 1000), into: &bytes, at: 32)
    NativeBytes.put(Int32(leap.rawValue), into: &bytes, at: 36)
    NativeBytes.put(Int32(precision), into: &bytes, at: 40)
    NativeBytes.put(0 as Int32, into: &bytes, at: 44)
    NativeBytes.put(Int32(isValid ? 1 : 0), into: &bytes, at: 48)
    NativeBytes.put(Int32(trueNanoseconds), into: &bytes, at: 52)
    NativeBytes.put(Int32(systemNanoseconds), into: &bytes, at: 56)
    return bytes
  }

  /// The counts of a write after one that ended with `count`: odd while it is written, even afterwards.
  package static func counts(after count: Int32) -> (writing: Int32, complete: Int32) {
    let even = count & ~1
    return (even &+ 1, even &+ 2)
  }
}
