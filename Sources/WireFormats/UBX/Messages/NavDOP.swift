/// UBX-NAV-DOP (0x01 0x04): dilution of precision.
package struct NavDOP: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let pdopHundredths: UInt16
  package let vdopHundredths: UInt16
  package let hdopHundredths: UInt16

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 18, payload.u4(0) < 604_800_000 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    pdopHundredths = payload.u2(6)
    vdopHundredths = payload.u2(10)
    hdopHundredths = payload.u2(12)
  }
}
