/// UBX-NAV-RELPOSNED version 1 (0x01 0x3C; UBX-21048598, section 3.15.13): the vector from a base to this receiver. If both antennas
/// are on one vehicle, it is the vehicle's heading.
package struct NavRELPOSNED: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Length of the vector, 0.1 mm.
  package let lengthTenthsOfMillimeter: Int64
  /// Direction of the vector from true north, 1e-5 degrees, 0..<36,000,000; `nil` if the receiver does not report it as valid.
  package let headingE5: Int32?
  /// Standard deviation of the direction, 1e-5 degrees.
  package let headingAccuracyE5: UInt32
  /// Whether the ambiguities of the carrier phase are fixed (RTK fixed); otherwise the direction is that of a float solution.
  package let isFixed: Bool
  /// Whether the base moves.
  package let isMovingBase: Bool

  init?(_ payload: Span<UInt8>) {
    // Version 0, with 40 bytes, has no heading.
    guard payload.count == 64, payload.u1(0) == 1 else { return nil }
    timeOfWeekMilliseconds = payload.u4(4)
    lengthTenthsOfMillimeter = Int64(payload.i4(20)) * 100 + Int64(Int8(bitPattern: payload.u1(35)))
    let flags = payload.u4(60)
    let heading = payload.i4(24)
    guard timeOfWeekMilliseconds < 604_800_000, (0..<36_000_000).contains(heading) || flags & 1 << 8 == 0 else {
      return nil
    }
    // gnssFixOK, relPosValid and relPosHeadingValid.
    headingE5 = flags & 1 != 0 && flags & 1 << 2 != 0 && flags & 1 << 8 != 0 ? heading : nil
    headingAccuracyE5 = payload.u4(52)
    isFixed = flags >> 3 & 3 == 2
    isMovingBase = flags & 1 << 5 != 0
  }
}
