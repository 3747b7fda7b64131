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
  /// The number of decimals in the minutes of the coordinates.
  package var coordinateDecimals: UInt8 = 0
  package var quality: Quality
  package var satellitesUsed: UInt8?
  package var hdopHundredths: Int32?
  /// The height of the antenna above mean sea level.
  package var altitudeMillimeters: Int32?
  /// The height of the geoid above the ellipsoid.
  package var geoidSeparationMillimeters: Int32?
}

/// GLL, position (NMEA 0183 4.11, section 8.3.37).
package struct GLL: Hashable, Sendable {
  package var isValid: Bool
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// The number of decimals in the minutes of the coordinates.
  package var coordinateDecimals: UInt8 = 0
  package var time: TimeOfDay?
  package var mode: PositionMode?
}

/// GNS, fix data of several systems (NMEA 0183 4.11, section 8.3.39).
package struct GNS: Hashable, Sendable {
  package var time: TimeOfDay?
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// The number of decimals in the minutes of the coordinates.
  package var coordinateDecimals: UInt8 = 0
  /// The best of the modes of the systems.
  package var mode: PositionMode
  package var satellitesUsed: UInt8?
  package var hdopHundredths: Int32?
  package var altitudeMillimeters: Int32?
  package var geoidSeparationMillimeters: Int32?
  /// Navigational status S, C, U or V, since 4.1.
  package var navigationalStatus: UInt8?
}

/// RMC, recommended minimum: time, date, position, motion (NMEA 0183 4.11, section 8.3.72).
package struct RMC: Hashable, Sendable {
  package var time: TimeOfDay?
  /// Day of the month, month and the last two digits of the year, as received.
  package var date: TwoDigitDate?
  /// Status A; V means "no valid fix".
  package var isValid: Bool
  /// 1e-9 degrees, north positive.
  package var latitudeNanodegrees: Int64?
  /// 1e-9 degrees, east positive.
  package var longitudeNanodegrees: Int64?
  /// The number of decimals in the minutes of the coordinates.
  package var coordinateDecimals: UInt8 = 0
  package var speedMilliknots: Int32?
  /// 0…360,000, clockwise from true north.
  package var courseMillidegrees: Int32?
  /// Since 2.3.
  package var mode: PositionMode?
  /// Navigational status S, C, U or V, since 4.1; receivers without integrity monitoring always send V.
  package var navigationalStatus: UInt8?
}

/// A date with a two-digit year (ddmmyy).
package struct TwoDigitDate: Hashable, Sendable {
  /// 1…31.
  package var day: UInt8
  /// 1…12.
  package var month: UInt8
  /// 0…99.
  package var year: UInt8

  /// The years that two digits can represent: GPS time begins in 1980. Any other year is a receiver error.
  package static let years = 1980...2079

  /// The year that two digits represent.
  package static func fullYear(_ twoDigits: Int) -> Int { twoDigits >= 80 ? 1900 + twoDigits : 2000 + twoDigits }

  /// The date with its full year.
  package var date: CalendarDate? {
    CalendarDate(year: Self.fullYear(Int(year)), month: Int(month), day: Int(day))
  }
}

/// PTNL,GGK: Trimble's position with its quality and the height above the ellipsoid (Trimble 5700 user guide, table 12.5; BD970
/// and SPSx51 guides for the qualities above 4).
package struct GGK: Hashable, Sendable {
  /// The kind of solution.
  package enum Quality: Hashable, Sendable {
    case invalid
    case autonomous
    /// Code corrections: beacon, SBAS, OmniSTAR VBS and HP, RTX.
    case differential
    case rtkFloat
    case rtkFixed
  }

  package var time: TimeOfDay?
  /// `nil` if missing or ambiguous: some guides specify mmddyy and others ddmmyy, so only a day after the 12th, or one equal to
  /// the month, determines the date.
  package var date: TwoDigitDate?
  package var latitudeNanodegrees: Int64?
  package var longitudeNanodegrees: Int64?
  /// The number of decimals in the minutes of the coordinates.
  package var coordinateDecimals: UInt8 = 0
  package var quality: Quality
  /// Whether the network solution keeps the height fixed.
  package var isTwoDimensional = false
  package var satellitesUsed: UInt8?
  package var pdopHundredths: Int32?
  /// Height above the ellipsoid.
  package var ellipsoidMillimeters: Int32?
}

/// DTM, datum reference: which datum the positions that follow refer to (NMEA 0183 4.11, section 8.3.27).
///
/// The offsets convert from the reference datum to the local one: local position = reference position + offset. Receivers repeat
/// the sentence at least every 30 s.
package struct DTM: Hashable, Sendable {
  /// A datum, by its three-letter code.
  package enum Datum: Hashable, Sendable {
    /// W84.
    case wgs84
    /// W72.
    case wgs72
    /// S85, the Soviet geodetic system of 1985.
    case sgs85
    /// P90: PZ-90, since 2007 within half a meter of WGS 84.
    case pz90
    /// Any other: a regional datum by its IHO S-60 code, or 999, a datum that the user defines.
    case other
  }

  /// `nil` if the receiver does not know it.
  package var local: Datum?
  /// 1e-9 degrees, north positive; `nil` if not reported.
  package var latitudeOffsetNanodegrees: Int64?
  /// 1e-9 degrees, east positive; `nil` if not reported.
  package var longitudeOffsetNanodegrees: Int64?
  /// `nil` if not reported.
  package var reference: Datum?
}
