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
    open("TPV")
    path("device", device)
    number("mode", mode.rawValue)
    guard let fix = epoch.fix, mode.hasPosition else {
      if access == .full {
        appendTime(of: epoch)
        // Clients show no fix; this key says why.
        if let flag = epoch.fix?.qualityFlag { text("xSuspect", Self.word(flag)) }
      }
      return close()
    }
    if access == .full { number("status", Self.status(fix)) }
    appendTime(of: epoch)
    number("lat", fix.coordinate.latitude.degrees, decimals: 9)
    number("lon", fix.coordinate.longitude.degrees, decimals: 9)
    let radius = epoch.radius68(at: now)
    let (height, heightError): (FixHeights?, Double?) =
      mode == .threeDimensional ? (FixHeights(fix), fix.verticalRadius68?.value) : (nil, nil)
    number("altHAE", height?.aboveEllipsoid, decimals: 4)
    number("altMSL", height?.aboveMeanSeaLevel, decimals: 4)
    // Older clients know only this key, which gpsd fills with the height above sea level.
    number("alt", height?.aboveMeanSeaLevel, decimals: 4)
    number("eph", radius, decimals: 3)
    // Half of the clients read these and not `eph`: epx² + epy² = eph².
    number("epx", radius.map { $0 / 2.0.squareRoot() }, decimals: 3)
    number("epy", radius.map { $0 / 2.0.squareRoot() }, decimals: 3)
    number("epv", heightError, decimals: 3)
    if let radius, let heightError { number("sep", Math.hypot(radius, heightError), decimals: 3) }
    number("geoidSep", height?.separation, decimals: 4)
    if access == .full {
      number("speed", fix.speedMetersPerSecond, decimals: 3)
      number("eps", fix.speedRadius68MetersPerSecond, decimals: 3)
      if (fix.speedMetersPerSecond ?? 0) >= Self.slowestWithTrack {
        direction("track", fix.course?.degrees)
        if fix.course != nil { number("epd", fix.courseRadius68?.degrees, decimals: 4) }
      }
    }
    close()
  }

  /// GST: the errors of latitude, longitude and height (gpsd_json(5), "GST"); returns whether the object was written.
  mutating func appendGST(_ epoch: GPSDEpoch, device: String, access: GPSDAccess, at now: Instant) -> Bool {
    guard access == .full, let fix = epoch.fix, GPSDMode(fix, access).hasPosition, fix.technologies.contains(.gnss),
      let radius = epoch.radius68(at: now)
    else { return false }
    open("GST")
    path("device", device)
    if fix.timeValidity == .confirmed { time("time", fix.time) }
    number("lat", radius / 2.0.squareRoot(), decimals: 3)
    number("lon", radius / 2.0.squareRoot(), decimals: 3)
    if GPSDMode(fix, access) == .threeDimensional { number("alt", fix.verticalRadius68?.value, decimals: 3) }
    close()
    return true
  }

  /// The time and its error, once the receiver has confirmed it: before that, its era or its leap seconds may be wrong.
  private mutating func appendTime(of epoch: GPSDEpoch) {
    let time = epoch.fix.map(\.time) ?? epoch.sky?.time
    let validity = epoch.fix.map(\.timeValidity) ?? epoch.sky?.timeValidity
    guard let time, validity == .confirmed, Timestamp(time) != nil else { return }
    self.time("time", time)
    number("ept", Self.timeError, decimals: 3)
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
