package import Geodesy

/// GST, pseudorange error statistics (NMEA 0183 4.11, section 8.3.42): one-sigma errors.
package struct GST: Hashable, Sendable {
  package var time: TimeOfDay?
  package var semiMajorMillimeters: Int64?
  package var semiMinorMillimeters: Int64?
  package var latitudeDeviationMillimeters: Int64?
  package var longitudeDeviationMillimeters: Int64?
  package var altitudeDeviationMillimeters: Int64?
}
