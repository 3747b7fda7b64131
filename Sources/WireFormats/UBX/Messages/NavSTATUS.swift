/// UBX-NAV-STATUS (0x01 0x03): fix status, and what the receiver thinks of spoofing.
package struct NavSTATUS: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let fixType: NavPVT.FixType
  package let isFixOK: Bool
  package let isDifferential: Bool
  /// One or several indicators speak for spoofing (from protocol 18).
  package let isSpoofingIndicated: Bool
  package let timeToFirstFixMilliseconds: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 16, payload.u4(0) < 604_800_000, let fixType = NavPVT.FixType(rawValue: payload.u1(4)) else {
      return nil
    }
    timeOfWeekMilliseconds = payload.u4(0)
    self.fixType = fixType
    isFixOK = payload.u1(5) & 1 != 0
    isDifferential = payload.u1(5) & 2 != 0
    isSpoofingIndicated = payload.u1(7) >> 3 & 3 >= 2
    timeToFirstFixMilliseconds = payload.u4(8)
  }
}
