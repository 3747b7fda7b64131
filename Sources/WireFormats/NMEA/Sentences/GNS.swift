package import Geodesy

/// GNS, fix data of several systems (NMEA 0183 4.11, section 8.3.39).
package struct GNS: Hashable, Sendable {
  package var time: TimeOfDay?
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// Digits behind the point of the coordinates' minutes.
  package var coordinateDecimals: UInt8 = 0
  /// The best of the modes of the systems.
  package var mode: PositionMode
  package var satellitesUsed: UInt8?
  package var hdopHundredths: Int32?
  package var altitudeMillimeters: Int32?
  package var geoidSeparationMillimeters: Int32?
  /// Navigational status S, C, U or V, from 4.1 on.
  package var navigationalStatus: UInt8?
}
