/// The header of UBX-NAV-SAT (0x01 0x35) and of UBX-NAV-SVINFO (0x01 0x30, up to u-blox 8): a list of satellites follows.
package struct NavSatelliteList: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// The number of satellites that follow.
  package let count: UInt8

  static func decodeSAT(_ payload: Span<UInt8>, _ body: (UBXMessage) -> Void) -> UBXDecoder.Outcome {
    guard payload.count >= 8, payload.count == 8 + 12 * Int(payload.u1(5)), payload.u4(0) < 604_800_000 else {
      return .malformed
    }
    body(.navSAT(NavSatelliteList(timeOfWeekMilliseconds: payload.u4(0), count: payload.u1(5))))
    for index in 0..<Int(payload.u1(5)) { body(.navSatellite(NavSatellite(sat: payload, at: 8 + 12 * index))) }
    return .decoded
  }

  static func decodeSVINFO(_ payload: Span<UInt8>, _ body: (UBXMessage) -> Void) -> UBXDecoder.Outcome {
    guard payload.count >= 8, payload.count == 8 + 12 * Int(payload.u1(4)), payload.u4(0) < 604_800_000 else {
      return .malformed
    }
    body(.navSVINFO(NavSatelliteList(timeOfWeekMilliseconds: payload.u4(0), count: payload.u1(4))))
    for index in 0..<Int(payload.u1(4)) { body(.navSatellite(NavSatellite(svinfo: payload, at: 8 + 12 * index))) }
    return .decoded
  }
}

/// One satellite of UBX-NAV-SAT or UBX-NAV-SVINFO.
package struct NavSatellite: Hashable, Sendable {
  /// `nil` if the satellite is not identified or its system is unknown.
  package let id: SatelliteID?
  /// Carrier-to-noise density in dB-Hz; 0 if not tracked.
  package let signalDecibelHertz: UInt8
  /// −90…90; unknown if outside this range.
  package let elevationDegrees: Int8
  package let azimuthDegrees: Int16
  package let isUsed: Bool
  /// Whether the satellite reports itself as healthy; `nil` if unknown.
  package let isHealthy: Bool?

  init(sat payload: Span<UInt8>, at offset: Int) {
    // GLONASS 255: a signal whose slot is not yet known.
    let number = payload.u1(offset + 1)
    id =
      number == 0 || number == 255 ? nil : Constellation(rawValue: payload.u1(offset)).map { SatelliteID($0, number) }
    signalDecibelHertz = payload.u1(offset + 2)
    elevationDegrees = payload.i1(offset + 3)
    azimuthDegrees = payload.i2(offset + 4)
    isUsed = payload.u4(offset + 8) & 8 != 0
    // health: 0 unknown, 1 healthy, 2 unhealthy.
    isHealthy =
      switch payload.u4(offset + 8) >> 4 & 3 {
      case 1: true
      case 2: false
      default: nil
      }
  }

  init(svinfo payload: Span<UInt8>, at offset: Int) {
    id = SatelliteID(ublox: payload.u1(offset + 1))
    isUsed = payload.u1(offset + 2) & 1 != 0
    // There is a flag only for unhealthy.
    isHealthy = payload.u1(offset + 2) & 0x10 != 0 ? false : nil
    signalDecibelHertz = payload.u1(offset + 4)
    elevationDegrees = payload.i1(offset + 5)
    azimuthDegrees = payload.i2(offset + 6)
  }
}
