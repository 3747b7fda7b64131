/// UBX-NAV-VELNED (0x01 0x12): velocity and its accuracy.
package struct NavVELNED: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Over ground.
  package let speedCentimetersPerSecond: UInt32
  package let courseE5: Int32
  package let speedAccuracyCentimetersPerSecond: UInt32
  package let courseAccuracyE5: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 36 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    speedCentimetersPerSecond = payload.u4(20)
    courseE5 = payload.i4(24)
    speedAccuracyCentimetersPerSecond = payload.u4(28)
    courseAccuracyE5 = payload.u4(32)
    guard timeOfWeekMilliseconds < 604_800_000 else { return nil }
  }
}
