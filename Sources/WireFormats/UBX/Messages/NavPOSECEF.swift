/// UBX-NAV-POSECEF (0x01 0x01): the position in ECEF and its accuracy (UBX-21048598, section 3.15; 20 bytes in all generations).
/// Like NAV-POSLLH it does not tell whether there is a fix.
package struct NavPOSECEF: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Earth-centered, earth-fixed.
  package let xCentimeters: Int32
  package let yCentimeters: Int32
  package let zCentimeters: Int32
  /// One sigma in space.
  package let accuracyCentimeters: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 20 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    xCentimeters = payload.i4(4)
    yCentimeters = payload.i4(8)
    zCentimeters = payload.i4(12)
    accuracyCentimeters = payload.u4(16)
    guard timeOfWeekMilliseconds < 604_800_000 else { return nil }
  }
}
