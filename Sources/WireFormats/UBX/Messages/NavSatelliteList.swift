/// The head of UBX-NAV-SAT (0x01 0x35) and of UBX-NAV-SVINFO (0x01 0x30, up to u-blox 8): a list of satellites follows.
package struct NavSatelliteList: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Satellites that follow.
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
