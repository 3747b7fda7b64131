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
  /// Height above the ellipsoid.
  package var heightMillimeters: Int32?
  package var status: Status
  package var horizontalAccuracyMillimeters: Int64?
  package var verticalAccuracyMillimeters: Int64?
  /// Meters per hour: kilometers per hour times 1000.
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
  /// Whether the count is the firmware's default, not yet received from a satellite; also true if the count is missing.
  package var leapSecondsAreDefault: Bool
}

/// PGRME, Garmin's estimated errors (Garmin device interface 190-00684-00, section 4.2.6).
package struct PGRME: Hashable, Sendable {
  package var horizontalErrorMillimeters: Int64?
  package var verticalErrorMillimeters: Int64?
  package var positionErrorMillimeters: Int64?
}

/// GPACCURACY or GNACCURACY, which GNSS chips of phones send, and apps pass on. It has no public specification: the number is the accuracy
/// that Android's `Location.getAccuracy()` returns, the radius in meters that contains 68 % of the errors.
package struct PhoneAccuracy: Hashable, Sendable {
  package var horizontalRadius68Millimeters: Int64?
}

/// A MediaTek packet (PMTK command packets, revision A11): acknowledgments (001), start-up messages (010, 011) and the
/// release text (705).
package struct PMTK: Hashable, Sendable {
  /// 001, 010, 011, 705.
  package var type: UInt16
  /// The command that a 001 acknowledges, or the number of a 010.
  package var command: UInt16?
  /// 001: 0 invalid, 1 unsupported, 2 failed, 3 done.
  package var result: UInt8?
  /// 011 and 705.
  package var text: InlineText
}

/// PQXFI, "extended fix information" of Qualcomm's receivers (SIM7600, EC25, EM7355): the errors of the fix in GGA and
/// RMC. Qualcomm publishes no description. The fields are time, latitude, longitude and height as in GGA, then the horizontal
/// error (HEPE, √(σN² + σE²) according to the modules' own `AT!GPSLOC`), the vertical error (VEPE) and the speed error.
package struct PQXFI: Hashable, Sendable {
  package var time: TimeOfDay?
  package var horizontalErrorMillimeters: Int64?
  package var verticalErrorMillimeters: Int64?
}
