package import Geodesy

/// GBS, satellite fault detection: expected errors (NMEA 0183 4.11, section 8.3.33).
package struct GBS: Hashable, Sendable {
  package var time: TimeOfDay?
  package var latitudeErrorMillimeters: Int64?
  package var longitudeErrorMillimeters: Int64?
  package var altitudeErrorMillimeters: Int64?
}
