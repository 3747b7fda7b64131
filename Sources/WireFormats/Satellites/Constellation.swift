/// A satellite system; raw values are u-blox' gnssId (u-blox F9 interface description UBX-21048598, section 1.5.2).
package enum Constellation: UInt8, Hashable, Sendable {
  case gps = 0
  case sbas = 1
  case galileo = 2
  case beidou = 3
  case imes = 4
  case qzss = 5
  case glonass = 6
  case navic = 7
}
