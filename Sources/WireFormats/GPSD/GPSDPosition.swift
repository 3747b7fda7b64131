package import Geodesy

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
