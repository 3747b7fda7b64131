/// UBX-MON-RF (0x0A 0x38; UBX-21048598, 3.14.8), and of generations 5 to 8 UBX-MON-HW (0x0A 0x09): what the receiver's front
/// end says of the antenna and of jamming. Of several bands the worst.
package struct MonRF: Hashable, Sendable {
  /// The antenna supervisor's word.
  package enum Antenna: UInt8, Hashable, Sendable {
    case starting = 0
    case unknown = 1
    case good = 2
    case short = 3
    case open = 4
  }

  package let antenna: Antenna
  /// Interference is so strong that there is no fix (jammingState 3, "critical").
  package let isJammingCritical: Bool

  /// MON-RF.
  init?(blocks payload: Span<UInt8>) {
    guard payload.count >= 4, payload.count == 4 + 24 * Int(payload.u1(1)), payload.u1(1) > 0 else { return nil }
    var worst = Antenna.starting
    var isCritical = false
    for block in 0..<Int(payload.u1(1)) {
      let offset = 4 + 24 * block
      guard let antenna = Antenna(rawValue: payload.u1(offset + 2)) else { return nil }
      if antenna.rawValue > worst.rawValue { worst = antenna }
      if payload.u1(offset + 1) & 3 == 3 { isCritical = true }
    }
    antenna = worst
    isJammingCritical = isCritical
  }

  /// MON-HW: 68 bytes of u-blox 5 to 7, 60 of u-blox 8.
  init?(hardware payload: Span<UInt8>) {
    guard payload.count == 60 || payload.count == 68, let antenna = Antenna(rawValue: payload.u1(20)) else {
      return nil
    }
    self.antenna = antenna
    isJammingCritical = payload.u1(22) >> 2 & 3 == 3
  }
}
