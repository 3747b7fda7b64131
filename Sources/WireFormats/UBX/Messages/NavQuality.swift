/// UBX-NAV-STATUS (0x01 0x03): fix status and the receiver's spoofing detection.
package struct NavSTATUS: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let fixType: NavPVT.FixType
  package let isFixOK: Bool
  package let isDifferential: Bool
  /// Whether one or several indicators suggest spoofing (since protocol 18).
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

/// UBX-NAV-COV (0x01 0x36): covariances of position and velocity in north, east, down.
package struct NavCOV: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let isPositionValid: Bool
  package let isVelocityValid: Bool
  /// m².
  package let positionNorthNorth: Float
  package let positionNorthEast: Float
  package let positionEastEast: Float
  package let positionDownDown: Float

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 64, payload.u4(0) < 604_800_000 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    positionNorthNorth = payload.r4(16)
    positionNorthEast = payload.r4(20)
    positionEastEast = payload.r4(28)
    positionDownDown = payload.r4(36)
    let isFinite =
      positionNorthNorth.isFinite && positionNorthEast.isFinite && positionEastEast.isFinite
      && positionDownDown.isFinite
    let isPositive = positionNorthNorth >= 0 && positionEastEast >= 0 && positionDownDown >= 0
    isPositionValid = payload.u1(5) & 1 != 0
    isVelocityValid = payload.u1(6) & 1 != 0
    guard isFinite, isPositive else { return nil }
  }
}
