/// A decoded UBX message. A list is a header followed by one message for each element, which avoids allocation.
package enum UBXMessage: Sendable {
  case navPVT(NavPVT)
  case navSOL(NavSOL)
  case navPOSECEF(NavPOSECEF)
  case navPOSLLH(NavPOSLLH)
  case navVELNED(NavVELNED)
  case navTIMEUTC(NavTIMEUTC)
  case navSVINFO(NavSatelliteList)
  case navSAT(NavSatelliteList)
  /// One entry of the preceding list.
  case navSatellite(NavSatellite)
  case navDOP(NavDOP)
  case navSTATUS(NavSTATUS)
  case navCOV(NavCOV)
  case navEOE(timeOfWeekMilliseconds: UInt32)
  case navTIMELS(NavTIMELS)
  case navRELPOSNED(NavRELPOSNED)
  case timTP(TimTP)
  case monVERSoftware(InlineText)
  case monVERHardware(InlineText)
  /// One extension of the preceding version.
  case monVERExtension(InlineText)
  /// Also UBX-MON-HW.
  case monRF(MonRF)
  case secUNIQID(SecUNIQID)
  /// A configuration message was accepted (ACK-ACK) or not (ACK-NAK).
  case acknowledgement(class: UInt8, id: UInt8, isAccepted: Bool)
  /// The value of a polled setting: class CFG.
  case configuration(UBXPayload)
  /// A part of the receiver's satellite data: UBX-MGA-DBD (0x13 0x80), or from generations 5 to 7 UBX-AID-EPH, -ALM and
  /// -HUI (0x0B 0x31, 0x30, 0x02).
  case assistance(UBXPayload)
  /// UBX-MGA-ACK-DATA0 (0x13 0x60).
  case assistanceAcknowledgement(MgaACK)
  /// A frame with a correct checksum and a type that is not decoded.
  case unknown(class: UInt8, id: UInt8)
}

/// Decodes the payload of a UBX frame with a correct checksum according to its class and identifier.
///
/// Offsets and scales are those of the u-blox F9 interface description UBX-21048598, section 3.15, and for generations 5 to 7 of
/// the u-blox 7 protocol specification GPS.G7-SW-12001.
enum UBXDecoder {
  /// The result of decoding a payload.
  enum Outcome {
    case decoded
    /// A length or a value that the type does not allow.
    case malformed
    case unknown
  }

  static func decode(
    class messageClass: UInt8, id: UInt8, _ payload: Span<UInt8>, _ body: (UBXMessage) -> Void
  ) -> Outcome {
    let message: UBXMessage?
    switch (messageClass, id) {
    case (0x01, 0x07): message = NavPVT(payload).map(UBXMessage.navPVT)
    case (0x01, 0x35): return NavSatelliteList.decodeSAT(payload, body)
    case (0x01, 0x30): return NavSatelliteList.decodeSVINFO(payload, body)
    case (0x01, 0x01): message = NavPOSECEF(payload).map(UBXMessage.navPOSECEF)
    case (0x01, 0x02): message = NavPOSLLH(payload).map(UBXMessage.navPOSLLH)
    case (0x01, 0x14): message = NavPOSLLH(highPrecision: payload).map(UBXMessage.navPOSLLH)
    case (0x28, 0x00): message = NavPVT(highRate: payload).map(UBXMessage.navPVT)
    case (0x01, 0x03): message = NavSTATUS(payload).map(UBXMessage.navSTATUS)
    case (0x01, 0x04): message = NavDOP(payload).map(UBXMessage.navDOP)
    case (0x01, 0x06): message = NavSOL(payload).map(UBXMessage.navSOL)
    case (0x01, 0x12): message = NavVELNED(payload).map(UBXMessage.navVELNED)
    case (0x01, 0x21): message = NavTIMEUTC(payload).map(UBXMessage.navTIMEUTC)
    case (0x01, 0x26): message = NavTIMELS(payload).map(UBXMessage.navTIMELS)
    case (0x01, 0x3C) where payload.count == 64: message = NavRELPOSNED(payload).map(UBXMessage.navRELPOSNED)
    case (0x0D, 0x01): message = TimTP(payload).map(UBXMessage.timTP)
    case (0x01, 0x36): message = NavCOV(payload).map(UBXMessage.navCOV)
    case (0x01, 0x61):
      message =
        payload.count == 4 && payload.u4(0) < 604_800_000 ? .navEOE(timeOfWeekMilliseconds: payload.u4(0)) : nil
    case (0x05, 0x00), (0x05, 0x01):
      message =
        payload.count == 2
        ? .acknowledgement(class: payload[0], id: payload[1], isAccepted: id == 0x01) : nil
    case (0x06, _) where payload.count <= UBXPayload.capacity:
      message = UBXPayload(class: messageClass, id: id, payload).map(UBXMessage.configuration)
    case (0x0B, 0x02), (0x0B, 0x30), (0x0B, 0x31), (0x13, 0x80):
      message = UBXPayload(class: messageClass, id: id, payload).map(UBXMessage.assistance)
    case (0x13, 0x60): message = MgaACK(payload).map(UBXMessage.assistanceAcknowledgement)
    case (0x0A, 0x04): return MonVER.decode(payload, body)
    case (0x0A, 0x38): message = MonRF(blocks: payload).map(UBXMessage.monRF)
    case (0x0A, 0x09): message = MonRF(hardware: payload).map(UBXMessage.monRF)
    case (0x27, 0x03): message = SecUNIQID(payload).map(UBXMessage.secUNIQID)
    default:
      body(.unknown(class: messageClass, id: id))
      return .unknown
    }
    guard let message else { return .malformed }
    body(message)
    return .decoded
  }
}
