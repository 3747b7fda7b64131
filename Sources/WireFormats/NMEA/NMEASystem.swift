/// The system identifier of GSA and GNS (NMEA 0183 4.11, table 20).
package enum NMEASystem: UInt8, Hashable, Sendable {
  case gps = 1
  case glonass = 2
  case galileo = 3
  case beidou = 4
  case qzss = 5
  case navic = 6
}
