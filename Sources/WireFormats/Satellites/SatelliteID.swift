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

/// One satellite: its system, and its number within that system (PRN, slot, or space vehicle number, counted from 1; SBAS
/// from 120).
package struct SatelliteID: Hashable, Sendable {
  package let constellation: Constellation
  /// Number within the system, 1…255.
  package let number: UInt8

  package init(_ constellation: Constellation, _ number: UInt8) {
    self.constellation = constellation
    self.number = number
  }
}

/// The numbering schemes of NMEA receivers, which agree only on GPS.
///
/// Sources: NMEA 0183 4.11, table 20 (system identifiers); for receivers before 4.11 u-blox M8 UBX-13003221, section
/// 15.4.2 ("strict" and "extended" numbering); and other manufacturers' conventions that do not contradict these.
extension SatelliteID {
  /// The satellite with `number` in a GSA or GSV from `talker`; `system` is the system identifier of the sentence, if it has
  /// one. `nil` if no scheme contains the number.
  package init?(nmea number: Int, talker: Talker, system: NMEASystem?) {
    guard number > 0 else { return nil }
    switch system ?? talker.system {
    case .gps?: self.init(gpsLike: number)
    case .glonass?:
      // Most receivers send slots 1…32 as 65…96, some send them unchanged.
      switch number {
      case 1...32: self.init(.glonass, UInt8(number))
      case 65...96: self.init(.glonass, UInt8(number - 64))
      default: self.init(extended: number, of: .glonass)
      }
    case .galileo?:
      switch number {
      case 1...64: self.init(.galileo, UInt8(number))
      // Quectel 101…136, extended numbering 301…336.
      case 101...136: self.init(.galileo, UInt8(number - 100))
      default: self.init(extended: number, of: .galileo)
      }
    case .beidou?:
      switch number {
      case 1...64: self.init(.beidou, UInt8(number))
      // Quectel 201…264.
      case 201...264: self.init(.beidou, UInt8(number - 200))
      default: self.init(extended: number, of: .beidou)
      }
    case .qzss?:
      switch number {
      case 1...10: self.init(.qzss, UInt8(number))
      default: self.init(extended: number, of: .qzss)
      }
    case .navic?:
      switch number {
      case 1...18: self.init(.navic, UInt8(number))
      default: self.init(extended: number, of: .navic)
      }
    case nil: self.init(extended: number)
    }
  }

  /// The numbering of GPS includes SBAS: 33…64 represent 120…151.
  private init?(gpsLike number: Int) {
    switch number {
    case 1...32: self.init(.gps, UInt8(number))
    case 33...64: self.init(.sbas, UInt8(number + 87))
    default: self.init(extended: number)
    }
  }

  /// Numbers that identify their system. Accepts the system of the talker, and SBAS, whose satellites any talker may
  /// report.
  private init?(extended number: Int, of constellation: Constellation) {
    guard let id = SatelliteID(extended: number), id.constellation == constellation || id.constellation == .sbas else {
      return nil
    }
    self = id
  }

  /// Numbers that identify their system.
  private init?(extended number: Int) {
    switch number {
    case 1...32: self.init(.gps, UInt8(number))
    case 33...64: self.init(.sbas, UInt8(number + 87))
    case 65...96: self.init(.glonass, UInt8(number - 64))
    case 120...158: self.init(.sbas, UInt8(number))
    case 173...182: self.init(.imes, UInt8(number - 172))
    case 193...202: self.init(.qzss, UInt8(number - 192))
    case 301...336: self.init(.galileo, UInt8(number - 300))
    case 401...463: self.init(.beidou, UInt8(number - 400))
    case 901...918: self.init(.navic, UInt8(number - 900))
    default: return nil
    }
  }
}

/// The single-number satellite identifiers of u-blox receivers up to generation 8.
extension SatelliteID {
  /// The satellite of NAV-SVINFO or PUBX,03 (u-blox M8 UBX-13003221, appendix A); `nil` if the receiver has not identified it.
  package init?(ublox number: UInt8) {
    switch number {
    case 1...32: self.init(.gps, number)
    case 33...64: self.init(.beidou, number - 27)
    case 65...96: self.init(.glonass, number - 64)
    case 120...158: self.init(.sbas, number)
    case 159...163: self.init(.beidou, number - 158)
    case 173...182: self.init(.imes, number - 172)
    case 193...202: self.init(.qzss, number - 192)
    case 211...246: self.init(.galileo, number - 210)
    default: return nil
    }
  }
}
