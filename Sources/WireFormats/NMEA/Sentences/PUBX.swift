package import Geodesy

/// PUBX,00: u-blox' own position sentence, with its accuracy (UBX-13003221, section 31.3.2).
package struct PUBXPosition: Hashable, Sendable {
  /// Navigation status.
  package enum Status: Hashable, Sendable {
    case noFix, deadReckoning, standalone2D, standalone3D, differential2D, differential3D, combined, timeOnly
  }

  package var time: TimeOfDay?
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// Above the ellipsoid.
  package var heightMillimeters: Int32?
  package var status: Status
  package var horizontalAccuracyMillimeters: Int64?
  package var verticalAccuracyMillimeters: Int64?
  /// Kilometres per hour / 1000.
  package var speedMetersPerHour: Int32?
  package var courseMillidegrees: Int32?
  package var hdopHundredths: Int32?
  package var vdopHundredths: Int32?
  package var satellitesUsed: UInt8?
}

/// One satellite of PUBX,03 (UBX-13003221, section 31.3.4).
package struct PUBXSatellite: Hashable, Sendable {
  package var id: SatelliteID?
  package var isUsed: Bool
  package var elevationDegrees: Int8?
  package var azimuthDegrees: Int16?
  package var signalDecibelHertz: UInt8?
}

/// PUBX,04: time of day, date, leap seconds (UBX-13003221, section 31.3.5).
package struct PUBXTime: Hashable, Sendable {
  package var time: TimeOfDay?
  package var date: TwoDigitDate?
  package var leapSeconds: Int8?
  /// The count is the firmware's default, not yet received from a satellite.
  package var leapSecondsAreDefault: Bool
}
