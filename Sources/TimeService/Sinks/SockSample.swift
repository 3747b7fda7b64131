package import Geodesy

/// A sample for chrony's `refclock SOCK` (chrony, refclock_sock.c, `struct sock_sample`): one datagram.
///
/// | offset | type   | field |
/// |--:|---|---|
/// | 0  | int64  | seconds of the system's clock |
/// | 8  | int64  | microseconds of the second |
/// | 16 | double | true time minus system's clock, seconds |
/// | 24 | int32  | 1: a pulse, whose second chrony takes from another source |
/// | 28 | int32  | leap second at the end of the day: 0 none, 1 insert, 2 delete |
/// | 32 | int32  | 0 |
/// | 36 | int32  | 0x534F434B |
///
/// The layout is that of a machine with a `time_t` of 64 bits. chronyd drops a datagram of another length or number.
package struct SockSample: Hashable, Sendable {
  package static let size = 40
  private static let magic: Int32 = 0x534F_434B

  /// The reading of the system's clock to which the offset applies.
  package var system: GNSSTime
  /// True time minus the system's clock, seconds.
  package var offsetSeconds: Double
  package var isPulse: Bool
  package var leap: LeapIndicator

  package init(system: GNSSTime, offsetSeconds: Double, isPulse: Bool = false, leap: LeapIndicator = .none) {
    (self.system, self.offsetSeconds) = (system, offsetSeconds)
    (self.isPulse, self.leap) = (isPulse, leap)
  }

  /// The datagram.
  ///
  /// The field for the clock has whole microseconds; the rest of the reading is left out. The offset is not adapted:
  /// chrony adds it to the field, and it does not change within a microsecond. Adding the rest to it would be an error of
  /// up to a microsecond.
  package var encoded: InlineArray<40, UInt8> {
    var bytes = InlineArray<40, UInt8>(repeating: 0)
    let (seconds, nanoseconds) = system.secondsAndNanoseconds
    NativeBytes.put(seconds, into: &bytes, at: 0)
    NativeBytes.put(nanoseconds / 1000, into: &bytes, at: 8)
    NativeBytes.put(fieldSeconds.bitPattern, into: &bytes, at: 16)
    NativeBytes.put(Int32(isPulse ? 1 : 0), into: &bytes, at: 24)
    NativeBytes.put(Int32(leap.rawValue), into: &bytes, at: 28)
    NativeBytes.put(Self.magic, into: &bytes, at: 36)
    return bytes
  }

  /// chrony reads the offset of a pulse as the fraction of the system's second at which the pulse arrived, which has the opposite sign
  /// (refclock.c, `RCL_AddCookedPulse`).
  private var fieldSeconds: Double { isPulse ? -offsetSeconds : offsetSeconds }
}
