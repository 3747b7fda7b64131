package import Geodesy

/// GGA, fix data (NMEA 0183 4.11, section 8.3.35).
package struct GGA: Hashable, Sendable {
  /// Quality indicator.
  package enum Quality: UInt8, Hashable, Sendable {
    case invalid = 0
    case autonomous = 1
    case differential = 2
    case precise = 3
    case rtkFixed = 4
    case rtkFloat = 5
    case estimated = 6
    case manual = 7
    case simulator = 8
    /// NovAtel: SBAS.
    case sbas = 9
  }

  package var time: TimeOfDay?
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// Digits behind the point of the coordinates' minutes.
  package var coordinateDecimals: UInt8 = 0
  package var quality: Quality
  package var satellitesUsed: UInt8?
  package var hdopHundredths: Int32?
  /// Antenna above mean sea level.
  package var altitudeMillimeters: Int32?
  /// Geoid above the ellipsoid.
  package var geoidSeparationMillimeters: Int32?
}
