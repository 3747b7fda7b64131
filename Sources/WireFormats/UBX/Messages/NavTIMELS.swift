/// UBX-NAV-TIMELS (0x01 0x26): leap seconds, and where they are known from.
package struct NavTIMELS: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Current count of leap seconds since 1980; `nil`: not known.
  package let leapSeconds: Int8?
  /// The count is the firmware's default, not yet received.
  package let isDefault: Bool

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 24, payload.u4(0) < 604_800_000 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    isDefault = payload.u1(8) == 0
    leapSeconds = payload.u1(23) & 1 != 0 ? payload.i1(9) : nil
  }
}
