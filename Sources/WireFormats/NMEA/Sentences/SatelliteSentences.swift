package import Geodesy

/// GSA, satellites used and dilution (NMEA 0183 4.11, section 8.3.40). Several an epoch, one per system.
package struct GSA: Sendable {
  /// Dimensions of the fix.
  package enum Dimension: UInt8, Hashable, Sendable {
    case none = 1
    case two = 2
    case three = 3
  }

  /// Places that some receivers have (Navior CH-4701); the standard has twelve.
  package static let mostSatellites = 24

  package var dimension: Dimension
  /// Satellites of the places that are filled with a number.
  package var satellitesUsed: UInt8 = 0
  /// The first `satellitesUsed` of them are those numbers, as told: `system` says whose.
  package var numbers: InlineArray<24, Int16> = .init(repeating: 0)
  package var pdopHundredths: Int32?
  package var hdopHundredths: Int32?
  package var vdopHundredths: Int32?
  /// From 4.11 on.
  package var system: NMEASystem?
}

/// GSV, satellites in view: up to four of a list that goes on over several sentences (NMEA 0183 4.11, section 8.3.41).
package struct GSV: Sendable {
  /// One satellite.
  package struct Satellite: Hashable, Sendable {
    /// `nil`: the receiver hears a signal that it has not identified.
    package var id: SatelliteID?
    /// −90…90.
    package var elevationDegrees: Int8?
    /// 0…360, clockwise from true north.
    package var azimuthDegrees: Int16?
    /// Carrier to noise density in dB-Hz; `nil`: not tracked.
    package var signalDecibelHertz: UInt8?
  }

  package var sentences: UInt8
  /// 1…`sentences`.
  package var sentence: UInt8
  /// As told: some count satellites, some signals.
  package var satellitesInView: UInt8 = 0
  /// Of `satellites`, so many are told here.
  package var count: UInt8 = 0
  package var satellites: InlineArray<4, Satellite> = .init(repeating: Satellite())
  /// Signal identifier, from 4.11 on (table 21).
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
