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
