/// All that one epoch said about its own errors, each in the meaning of its message. What is not said is `nil`.
package struct AccuracyEvidence: Hashable, Sendable {
  /// UBX-NAV-COV, NMEA GST: one-sigma axes of the position error.
  package var ellipse: ErrorEllipse?
  /// UBX hAcc, PUBX,00 hAcc: √(σN² + σE²) in metres.
  package var horizontalAccuracyMeters: Double?
  /// PGRME: horizontal error in metres that holds 50 % (Garmin's estimated position error, as gpsd reads it).
  package var horizontalError50Meters: Double?
  /// UBX vAcc, GST altitude, NAV-COV: one-sigma height error in metres.
  package var verticalDeviationMeters: Double?
  /// PGRME: vertical error in metres that holds 50 %.
  package var verticalError50Meters: Double?
  /// UBX sAcc: one-sigma speed error in m/s.
  package var speedDeviationMetersPerSecond: Double?
  /// UBX headAcc: one-sigma course error in degrees.
  package var courseDeviationDegrees: Double?
  /// Horizontal dilution of precision.
  package var horizontalDilution: Double?
  /// Vertical dilution of precision.
  package var verticalDilution: Double?
  /// Position dilution of precision.
  package var positionDilution: Double?

  /// Nothing said.
  package init() {}
}
