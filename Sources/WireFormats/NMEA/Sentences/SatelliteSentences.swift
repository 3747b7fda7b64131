package import Geodesy

/// GSA, satellites used and dilution (NMEA 0183 4.11, section 8.3.41). Receivers send several per epoch, one per
/// system.
package struct GSA: Sendable {
  /// Dimensions of the fix.
  package enum Dimension: UInt8, Hashable, Sendable {
    case none = 1
    case two = 2
    case three = 3
  }

  /// The maximum number of satellite fields in a sentence: some receivers have 24 (Navior CH-4701), the standard has twelve.
  package static let mostSatellites = 24

  package var dimension: Dimension
  /// The number of satellite fields that contain a number.
  package var satellitesUsed: UInt8 = 0
  /// The satellite numbers as received; the first `satellitesUsed` entries are valid. `system` defines the numbering.
  package var numbers: InlineArray<24, Int16> = .init(repeating: 0)
  package var pdopHundredths: Int32?
  package var hdopHundredths: Int32?
  package var vdopHundredths: Int32?
  /// The system identifier, since 4.11; without one, the system of the talker, which is `nil` for GN and unknown talkers.
  package var system: NMEASystem?
}

/// GSV, satellites in view: up to four entries of a list that spans several sentences (NMEA 0183 4.11, section 8.3.43).
package struct GSV: Sendable {
  /// One satellite.
  package struct Satellite: Hashable, Sendable {
    /// `nil` if the receiver has not identified the satellite of the signal, or no numbering contains its number.
    package var id: SatelliteID?
    /// −90…90.
    package var elevationDegrees: Int8?
    /// 0…360, clockwise from true north.
    package var azimuthDegrees: Int16?
    /// Carrier-to-noise density in dB-Hz; `nil` if not tracked.
    package var signalDecibelHertz: UInt8?
  }

  package var sentences: UInt8
  /// 1…`sentences`.
  package var sentence: UInt8
  /// As received: some receivers count satellites, others signals.
  package var satellitesInView: UInt8 = 0
  /// The number of valid entries in `satellites`.
  package var count: UInt8 = 0
  package var satellites: InlineArray<4, Satellite> = .init(repeating: Satellite())
  /// Signal identifier, since 4.11 (table 21).
  package var signal: UInt8?

  /// Whether the list ends with this sentence.
  package var isLast: Bool { sentence == sentences }
}

/// GST, pseudorange error statistics (NMEA 0183 4.11, section 8.3.42): one-sigma errors.
package struct GST: Hashable, Sendable {
  package var time: TimeOfDay?
  package var semiMajorMillimeters: Int64?
  package var semiMinorMillimeters: Int64?
  package var latitudeDeviationMillimeters: Int64?
  package var longitudeDeviationMillimeters: Int64?
  package var altitudeDeviationMillimeters: Int64?
}

/// GBS, satellite fault detection: expected errors (NMEA 0183 4.11, section 8.3.33).
package struct GBS: Hashable, Sendable {
  package var time: TimeOfDay?
  package var latitudeErrorMillimeters: Int64?
  package var longitudeErrorMillimeters: Int64?
  package var altitudeErrorMillimeters: Int64?
}
