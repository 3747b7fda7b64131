/// The language that a simulated receiver talks: one for each generation on sale.
package enum Dialect: String, CaseIterable, Hashable, Sendable {
  /// NMEA 0183 2.3, GPS only, talker GP (SiRF III, MTK): GGA GSA GSV RMC VTG GLL.
  case nmea23
  /// NMEA 0183 4.11, four constellations with system and signal ids (u-blox 9 and 10, Quectel): RMC VTG GGA GSA GSV GLL.
  case nmea411
  /// UBX of u-blox 5 and 6, which have no NAV-PVT: POSLLH SOL VELNED TIMEUTC DOP SVINFO.
  case ublox6
  /// UBX of u-blox 7: NAV-PVT of 84 bytes, SVINFO, DOP.
  case ublox7
  /// UBX of u-blox 8 and M8: NAV-PVT of 92 bytes, SAT, DOP; no end-of-epoch message.
  case ublox8
  /// UBX of u-blox 9 and later: PVT SAT DOP COV EOE.
  case ublox9
  /// u-blox 8 with both protocols on one port: RMC GGA GSA GSV between PVT and SAT.
  case mixed
}
