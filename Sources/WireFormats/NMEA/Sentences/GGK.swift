package import Geodesy

/// PTNL,GGK: Trimble's position with its quality and the height above the ellipsoid (Trimble 5700 user guide, table 12.5; BD970
/// and SPSx51 guides for the qualities above 4).
package struct GGK: Hashable, Sendable {
  /// What the position stands on.
  package enum Quality: Hashable, Sendable {
    case invalid
    case autonomous
    /// Code corrections: beacon, SBAS, OmniSTAR VBS and HP, RTX.
    case differential
    case rtkFloat
    case rtkFixed
  }

  package var time: TimeOfDay?
  /// `nil` also where the sentence leaves it open: some guides say mmddyy and others ddmmyy, so that only a day beyond the 12th
  /// tells which one a receiver means.
  package var date: TwoDigitDate?
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// Digits behind the point of the coordinates' minutes.
  package var coordinateDecimals: UInt8 = 0
  package var quality: Quality
  /// Whether the network solution holds its height.
  package var isTwoDimensional = false
  package var satellitesUsed: UInt8?
  package var pdopHundredths: Int32?
  /// Above the ellipsoid.
  package var ellipsoidMillimeters: Int32?
}
