/// A decoded UBX message. Lists come as a header and then one message for each element, so that nothing is allocated.
package enum UBXMessage: Sendable {
  case navPVT(NavPVT)
  case navSOL(NavSOL)
  case navPOSECEF(NavPOSECEF)
  case navPOSLLH(NavPOSLLH)
  case navVELNED(NavVELNED)
  case navTIMEUTC(NavTIMEUTC)
  case navSVINFO(NavSatelliteList)
  case navSAT(NavSatelliteList)
  /// One of the list before.
  case navSatellite(NavSatellite)
  case navDOP(NavDOP)
  case navSTATUS(NavSTATUS)
  case navCOV(NavCOV)
  case navEOE(timeOfWeekMilliseconds: UInt32)
  case navTIMELS(NavTIMELS)
  case monVERSoftware(InlineText)
  case monVERHardware(InlineText)
  /// One of the extensions of the version before.
  case monVERExtension(InlineText)
  /// Also UBX-MON-HW.
  case monRF(MonRF)
  case secUNIQID(SecUNIQID)
  /// A configuration message was accepted (ACK-ACK) or not (ACK-NAK).
  case acknowledgement(class: UInt8, id: UInt8, isAccepted: Bool)
  /// What a setting is, as it was asked for: class CFG.
  case configuration(UBXPayload)
  /// A piece of what the receiver knows of its satellites: UBX-MGA-DBD (0x13 0x80), or of generations 5 to 7 UBX-AID-EPH,
  /// -ALM and -HUI (0x0B 0x31, 0x30, 0x02).
  case assistance(UBXPayload)
  /// UBX-MGA-ACK-DATA0 (0x13 0x60).
  case assistanceAcknowledgement(MgaACK)
  /// A right checksum and a type that is not decoded.
  case unknown(class: UInt8, id: UInt8)
}
