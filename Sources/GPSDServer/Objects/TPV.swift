import Geodesy
import LocationIPC
import TrackFormats

/// TPV: time, position, velocity (gpsd_json(5), "TPV").
extension GPSDObjectBuffer {
  /// The smallest speed with a meaningful track, m/s: below it the direction is noise.
  private static let slowestWithTrack = 0.3
  /// The error of a confirmed time, seconds.
  private static let timeError = 0.005

  /// The object, without a line end.
  mutating func appendTPV(_ epoch: GPSDEpoch, device: String, access: GPSDAccess, at now: Instant) {
    let mode = GPSDMode(epoch.fix, access)
    append(TPVKey.tpv)
    path(TPVKey.device, device)
    number(TPVKey.mode, mode.rawValue)
    guard let fix = epoch.fix, mode.hasPosition else {
      if access == .full {
        appendTime(of: epoch)
        // Clients show no fix; this key says why.
        if let flag = epoch.fix?.qualityFlag { text("xSuspect", Self.word(flag)) }
      }
      return close()
    }
    if access == .full { number(TPVKey.status, Self.status(fix)) }
    appendTime(of: epoch)
    number(TPVKey.latitude, fix.coordinate.latitude.degrees, decimals: 9)
    number(TPVKey.longitude, fix.coordinate.longitude.degrees, decimals: 9)
    let radius = epoch.radius68(at: now)
    let (height, heightError): (FixHeights?, Double?) =
      mode == .threeDimensional ? (FixHeights(fix), fix.verticalRadius68?.value) : (nil, nil)
    number(TPVKey.aboveEllipsoid, height?.aboveEllipsoid, decimals: 4)
    number(TPVKey.aboveMeanSeaLevel, height?.aboveMeanSeaLevel, decimals: 4)
    // Older clients know only this key, which gpsd fills with the height above sea level.
    number(TPVKey.altitude, height?.aboveMeanSeaLevel, decimals: 4)
    number(TPVKey.eph, radius, decimals: 3)
    // Half of the clients read these and not `eph`: epx² + epy² = eph².
    number(TPVKey.epx, radius.map { $0 / 2.0.squareRoot() }, decimals: 3)
    number(TPVKey.epy, radius.map { $0 / 2.0.squareRoot() }, decimals: 3)
    number(TPVKey.epv, heightError, decimals: 3)
    if let radius, let heightError { number(TPVKey.sep, Math.hypot(radius, heightError), decimals: 3) }
    number(TPVKey.separation, height?.separation, decimals: 4)
    if access == .full {
      number(TPVKey.speed, fix.speedMetersPerSecond, decimals: 3)
      number(TPVKey.eps, fix.speedRadius68MetersPerSecond, decimals: 3)
      if (fix.speedMetersPerSecond ?? 0) >= Self.slowestWithTrack {
        direction(TPVKey.track, fix.course?.degrees)
        if fix.course != nil { number(TPVKey.epd, fix.courseRadius68?.degrees, decimals: 4) }
      }
      number(TPVKey.correctionAge, fix.correctionAge?.inSeconds, decimals: 1)
    }
    close()
  }

  /// GST: the errors of latitude, longitude and height (gpsd_json(5), "GST"); returns whether the object was written.
  mutating func appendGST(_ epoch: GPSDEpoch, device: String, access: GPSDAccess, at now: Instant) -> Bool {
    guard access == .full, let fix = epoch.fix, GPSDMode(fix, access).hasPosition, fix.technologies.contains(.gnss),
      let radius = epoch.radius68(at: now)
    else { return false }
    append(TPVKey.gst)
    path(TPVKey.device, device)
    if fix.timeValidity == .confirmed { time(TPVKey.time, fix.time) }
    number(TPVKey.latitude, radius / 2.0.squareRoot(), decimals: 3)
    number(TPVKey.longitude, radius / 2.0.squareRoot(), decimals: 3)
    if GPSDMode(fix, access) == .threeDimensional { number(TPVKey.altitude, fix.verticalRadius68?.value, decimals: 3) }
    close()
    return true
  }

  /// The time and its error, once the receiver has confirmed it: before that, its era or its leap seconds may be wrong.
  private mutating func appendTime(of epoch: GPSDEpoch) {
    let time = epoch.fix.map(\.time) ?? epoch.sky?.time
    let validity = epoch.fix.map(\.timeValidity) ?? epoch.sky?.timeValidity
    guard let time, validity == .confirmed, Timestamp(time) != nil else { return }
    self.time(TPVKey.time, time)
    number(TPVKey.ept, Self.timeError, decimals: 3)
  }

  /// gpsd's numbering since 3.18; absent for an ordinary fix, as gpsd does.
  private static func status(_ fix: PositionFix) -> Int? {
    if fix.isSimulated { return 8 }
    switch fix.kind {
    case .differential: return 2
    case .rtkFixed: return 3
    case .rtkFloat: return 4
    case .estimated: return fix.technologies.contains(.gnss) ? 5 : nil
    case .twoDimensional, .threeDimensional: return nil
    }
  }

  private static func word(_ flag: FixQualityFlag) -> String {
    switch flag {
    case .frozen: "frozen"
    case .jammed: "jammed"
    case .implausible: "implausible"
    }
  }
}

/// The keys of TPV and GST.
private enum TPVKey {
  typealias Key = GPSDObjectBuffer.Constant

  static let (tpv, gst, device) = (Key(class: "TPV"), Key(class: "GST"), Key(key: "device"))
  static let (time, ept, mode, status) = (Key(key: "time"), Key(key: "ept"), Key(key: "mode"), Key(key: "status"))
  static let (latitude, longitude, altitude) = (Key(key: "lat"), Key(key: "lon"), Key(key: "alt"))
  static let (aboveEllipsoid, aboveMeanSeaLevel) = (Key(key: "altHAE"), Key(key: "altMSL"))
  static let (eph, epx, epy, epv, sep) = (
    Key(key: "eph"), Key(key: "epx"), Key(key: "epy"), Key(key: "epv"), Key(key: "sep")
  )
  static let separation = Key(key: "geoidSep")
  static let (speed, eps, track, epd) = (Key(key: "speed"), Key(key: "eps"), Key(key: "track"), Key(key: "epd"))
  static let correctionAge = Key(key: "dgpsAge")
}
