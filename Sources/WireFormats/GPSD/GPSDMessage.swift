package import Geodesy

/// A gpsd report about a receiver (gpsd_json(5)), used if the receiver's own bytes are not available. Values without references.
package enum GPSDMessage: Hashable, Sendable {
  /// TPV.
  case position(GPSDPosition)
  /// The header of a SKY; its satellites follow.
  case sky(GPSDSky)
  case satellite(GPSDSatellite)
}

/// TPV: time, position, velocity. Every field but the mode may be missing; none is NaN or infinite.
package struct GPSDPosition: Hashable, Sendable {
  /// NMEA mode, as gpsd uses it.
  package enum Mode: Int, Sendable {
    case unknown, noFix, twoDimensional, threeDimensional
  }

  /// `status` with gpsd's numbering since 3.18; gpsd never sends 0 and 1.
  package enum Status: Int, Sendable {
    case unknown, gps, differential, rtkFixed, rtkFloat, deadReckoning, combined, timeOnly, simulated, precise
  }

  /// The meaning of the error fields, which depends on gpsd's driver for the receiver.
  package enum ErrorMeaning: Sendable {
    /// The receiver's own one-sigma estimates, which gpsd passes on (driver "u-blox": hAcc, vAcc, sAcc).
    case oneSigma
    /// gpsd's estimate, dilution times a constant, which contains no error information from the receiver.
    case scaledDilution
  }

  package var mode: Mode
  package var status = Status.unknown
  package var errorMeaning = ErrorMeaning.scaledDilution
  package var time: GNSSTime?
  /// Degrees, validated range.
  package var latitude: Double?
  package var longitude: Double?
  /// Height above the ellipsoid, meters.
  package var altHAE: Double?
  /// Height above mean sea level, meters.
  package var altMSL: Double?
  /// m/s.
  package var speed: Double?
  /// True course, degrees.
  package var track: Double?
  /// Horizontal position error, meters.
  package var eph: Double?
  /// Height error, meters.
  package var epv: Double?
  /// Speed error, m/s.
  package var eps: Double?

  package init(mode: Mode) { self.mode = mode }
}

/// The header of a SKY: dilutions and the number of satellites used. A SKY can contain dilutions without satellites, and
/// the reverse.
package struct GPSDSky: Hashable, Sendable {
  package var time: GNSSTime?
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  /// The number of satellites used; `nil` if the SKY lists no satellites.
  package var used: Int?

  package init() {}
}

/// One satellite of a SKY.
package struct GPSDSatellite: Hashable, Sendable {
  /// `nil` if gpsd reports no number, or a system that is not known.
  package var id: SatelliteID?
  /// C/N0 in dB-Hz; 0 if no signal is received.
  package var signalDecibelHertz: UInt8
  package var isUsed: Bool
  /// −90…90; `nil` if unknown.
  package var elevationDegrees: Int8?
  /// 0…360, clockwise from true north; `nil` if unknown.
  package var azimuthDegrees: Int16?
  /// `nil` if unknown.
  package var isHealthy: Bool?

  package init(id: SatelliteID?, signalDecibelHertz: UInt8, isUsed: Bool) {
    self.id = id
    self.signalDecibelHertz = signalDecibelHertz
    self.isUsed = isUsed
  }
}
