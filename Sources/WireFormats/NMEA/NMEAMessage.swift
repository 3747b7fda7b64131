/// A decoded NMEA sentence.
package enum NMEAMessage: Sendable {
  case rmc(RMC)
  case gga(GGA)
  case gns(GNS)
  case gll(GLL)
  case vtg(VTG)
  case gsa(GSA)
  case gsv(GSV)
  case zda(ZDA)
  case dtm(DTM)
  case gst(GST)
  case gbs(GBS)
  case hdt(HDT)
  case ths(THS)
  case txt(TXT)
  case pubxPosition(PUBXPosition)
  /// One per satellite of a PUBX,03.
  case pubxSatellite(PUBXSatellite)
  case pubxTime(PUBXTime)
  case pmtk(PMTK)
  case pgrme(PGRME)
  case ggk(GGK)
  case pqxfi(PQXFI)
  /// A right checksum and a type that is not decoded: the first five letters of its address, big end first.
  case unknown(UInt64)
}
