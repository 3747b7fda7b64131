package import Geodesy

/// What gpsd says of a receiver (gpsd_json(5)), where the receiver's own bytes are not to be had. Values without references.
package enum GPSDMessage: Hashable, Sendable {
  /// TPV.
  case position(GPSDPosition)
  /// The head of a SKY; its satellites follow.
  case sky(GPSDSky)
  case satellite(GPSDSatellite)
}

/// TPV: time, position, velocity. Every field but the mode may be missing; none is NaN or infinite.
package struct GPSDPosition: Hashable, Sendable {
  /// NMEA mode, as gpsd uses it.
  package enum Mode: Int, Sendable {
    case unknown, noFix, twoDimensional, threeDimensional
  }

  /// `status`, as gpsd numbers it since 3.18; 0 and 1 are never sent.
  package enum Status: Int, Sendable {
    case unknown, gps, differential, rtkFixed, rtkFloat, deadReckoning, combined, timeOnly, simulated, precise
  }

  /// What the error fields mean, which depends on the driver that gpsd reads the receiver with.
  package enum ErrorMeaning: Sendable {
    /// The receiver's own one-sigma estimates, passed on (driver "u-blox": hAcc, vAcc, sAcc).
    case oneSigma
    /// gpsd's guess, dilution times a constant: says nothing of the receiver.
    case scaledDilution
  }

  package var mode: Mode
  package var status = Status.unknown
  package var errorMeaning = ErrorMeaning.scaledDilution
  package var time: GNSSTime?
  /// Degrees, checked to be in range.
  package var latitude: Double?
  package var longitude: Double?
  /// Height above the ellipsoid, metres.
  package var altHAE: Double?
  /// Height above mean sea level, metres.
  package var altMSL: Double?
  /// m/s.
  package var speed: Double?
  /// True course, degrees.
  package var track: Double?
  /// Horizontal position error, metres.
  package var eph: Double?
  /// Height error, metres.
  package var epv: Double?
  /// Speed error, m/s.
  package var eps: Double?

  package init(mode: Mode) { self.mode = mode }
}

/// The head of a SKY: dilutions, and how many satellites follow. A SKY may have either without the other.
package struct GPSDSky: Hashable, Sendable {
  package var time: GNSSTime?
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  /// Satellites used, where any are listed.
  package var used: Int?

  package init() {}
}

/// One satellite of a SKY.
package struct GPSDSatellite: Hashable, Sendable {
  /// `nil`: a number that no scheme knows.
  package var id: SatelliteID?
  /// C/N0 in dB-Hz; 0: not heard.
  package var signalDecibelHertz: UInt8
  package var isUsed: Bool
  /// −90…90; `nil`: not known.
  package var elevationDegrees: Int8?
  /// 0…360, clockwise from true north; `nil`: not known.
  package var azimuthDegrees: Int16?
  /// `nil`: not known.
  package var isHealthy: Bool?

  package init(id: SatelliteID?, signalDecibelHertz: UInt8, isUsed: Bool) {
    self.id = id
    self.signalDecibelHertz = signalDecibelHertz
    self.isUsed = isUsed
  }
}
