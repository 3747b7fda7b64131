import Geodesy
import WireFormats

/// What each of gpsd's reports adds to an epoch. gpsd sends several for one epoch; later ones contain more.
extension EpochDraft {
  mutating func absorb(_ message: GPSDMessage) {
    talker = .combined
    switch message {
    case .position(let position): absorb(position)
    case .sky(let sky):
      evidence.horizontalDilution = Self.dilution(sky.hdop) ?? evidence.horizontalDilution
      evidence.verticalDilution = Self.dilution(sky.vdop) ?? evidence.verticalDilution
      evidence.positionDilution = Self.dilution(sky.pdop) ?? evidence.positionDilution
      setSatellitesUsed(sky.used, replaces: true)
    case .satellite(let satellite):
      addSatellite(
        satellite.id, signal: satellite.signalDecibelHertz, elevation: satellite.elevationDegrees,
        azimuth: satellite.azimuthDegrees, isUsed: satellite.isUsed, isHealthy: satellite.isHealthy)
    }
  }

  private mutating func absorb(_ position: GPSDPosition) {
    date = position.time?.date ?? date
    switch position.mode {
    case .unknown: return
    case .noFix:
      markInvalid()
      return
    case .twoDimensional: isTwoDimensional = true
    case .threeDimensional: isTwoDimensional = false
    }
    switch position.status {
    case .unknown, .gps, .combined, .precise: raise(nil)
    case .differential: raise(.differential)
    case .rtkFixed: raise(.rtkFixed)
    case .rtkFloat: raise(.rtkFloat)
    case .deadReckoning, .timeOnly: raise(.estimated)
    case .simulated:
      raise(nil)
      isSimulated = true
    }
    if let latitude = position.latitude, let longitude = position.longitude {
      setPosition(
        latitude: Int64((latitude * 1e9).rounded()), longitude: Int64((longitude * 1e9).rounded()), rank: .sentence)
    }
    ellipsoidMillimeters = Self.millimeters(position.altHAE) ?? ellipsoidMillimeters
    meanSeaLevelMillimeters = Self.millimeters(position.altMSL) ?? meanSeaLevelMillimeters
    setMotion(speedMetersPerSecond: position.speed, courseDegrees: position.track, rank: .rmc)
    // The errors that gpsd computes from dilutions are 19 times the actual errors of a good receiver; the dilutions
    // themselves come with SKY.
    guard position.errorMeaning == .oneSigma else { return }
    evidence.horizontalAccuracyMeters = Self.error(position.eph) ?? evidence.horizontalAccuracyMeters
    evidence.verticalDeviationMeters = Self.error(position.epv) ?? evidence.verticalDeviationMeters
    evidence.speedDeviationMetersPerSecond = Self.error(position.eps) ?? evidence.speedDeviationMetersPerSecond
  }

  /// Millimeters, if the height is plausible on or around the Earth.
  private static func millimeters(_ meters: Double?) -> Int64? {
    meters.flatMap { (-100_000...100_000_000).contains($0) ? Int64(($0 * 1000).rounded()) : nil }
  }

  private static func dilution(_ value: Double?) -> Double? { value.flatMap { (0.01..<99).contains($0) ? $0 : nil } }

  private static func error(_ value: Double?) -> Double? { value.flatMap { $0 > 0 && $0 < 1e7 ? $0 : nil } }
}
