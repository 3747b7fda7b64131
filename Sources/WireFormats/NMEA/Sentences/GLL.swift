package import Geodesy

/// GLL, position (NMEA 0183 4.11, section 8.3.37).
package struct GLL: Hashable, Sendable {
  package var isValid: Bool
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// Digits behind the point of the coordinates' minutes.
  package var coordinateDecimals: UInt8 = 0
  package var time: TimeOfDay?
  package var mode: PositionMode?
}
