/// A decoded UBX message. Lists come as a header and then one message for each element, so that nothing is allocated.
package enum UBXMessage: Sendable {
  case navPVT(NavPVT)
  case navSOL(NavSOL)
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
  case secUNIQID(SecUNIQID)
  /// A configuration message was accepted (ACK-ACK) or not (ACK-NAK).
  case acknowledgement(class: UInt8, id: UInt8, isAccepted: Bool)
  /// A right checksum and a type that is not decoded.
  case unknown(class: UInt8, id: UInt8)
}
