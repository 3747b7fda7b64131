import Geodesy
import WireFormats

/// What each UBX message adds to an epoch.
extension EpochDraft {
  mutating func absorb(_ message: UBXMessage) {
    talker = .combined
    switch message {
    case .navPVT(let pvt): absorb(pvt)
    case .navSOL(let sol):
      setFix(sol.fixType, isOK: sol.isFixOK, isDifferential: sol.isDifferential)
      setSatellitesUsed(Int(sol.satellitesUsed), replaces: true)
      setDilution(p: sol.pdopHundredths, h: nil, v: nil)
      setPosition(of: sol)
      setDate(of: sol)
    case .navPOSECEF(let position):
      setPosition(
        EarthCentered(
          xMeters: Double(position.xCentimeters) / 100, yMeters: Double(position.yCentimeters) / 100,
          zMeters: Double(position.zCentimeters) / 100), accuracyCentimeters: position.accuracyCentimeters)
    case .navPOSLLH(let position):
      setPosition(
        latitude: Int64(position.latitudeE7) * 100 + Int64(position.latitudeRestE9),
        longitude: Int64(position.longitudeE7) * 100 + Int64(position.longitudeRestE9),
        rank: position.isHighPrecision ? .precise : .ubx)
      setHeights(ellipsoid: position.heightMillimeters, seaLevel: position.meanSeaLevelMillimeters)
      setAccuracy(horizontal: position.horizontalAccuracyMillimeters, vertical: position.verticalAccuracyMillimeters)
    case .navVELNED(let velocity):
      setMotion(
        speedMetersPerSecond: Double(velocity.speedCentimetersPerSecond) / 100,
        courseDegrees: Self.course(velocity.courseE5), rank: .ubx)
      evidence.speedDeviationMetersPerSecond = Double(velocity.speedAccuracyCentimetersPerSecond) / 100
      evidence.courseDeviationDegrees = Double(velocity.courseAccuracyE5) * 1e-5
    case .navTIMEUTC(let time):
      setDate(time.isDateValid ? time.date : nil, time.time, nanoseconds: time.nanoseconds)
      confirmsTime = confirmsTime ?? time.isUTCValid
    case .navSVINFO, .navSAT: listsSatellites = true
    case .navSatellite(let satellite):
      // If the elevation is unknown, so is the azimuth.
      let isPlaced = (-90...90).contains(satellite.elevationDegrees)
      addSatellite(
        satellite.id, signal: satellite.signalDecibelHertz, elevation: isPlaced ? satellite.elevationDegrees : nil,
        azimuth: isPlaced ? satellite.azimuthDegrees : nil, isUsed: satellite.isUsed, isHealthy: satellite.isHealthy)
      if satellite.isUsed { satellitesListedAsUsed += 1 }
    case .navDOP(let dop): setDilution(p: dop.pdopHundredths, h: dop.hdopHundredths, v: dop.vdopHundredths)
    case .navSTATUS(let status):
      setFix(status.fixType, isOK: status.isFixOK, isDifferential: status.isDifferential)
      if status.isSpoofingIndicated { isJammed = true }
    case .navCOV(let covariance):
      guard covariance.isPositionValid, covariance.positionNorthNorth + covariance.positionEastEast > 0 else { break }
      evidence.ellipse = ErrorEllipse(
        northVariance: Double(covariance.positionNorthNorth), eastVariance: Double(covariance.positionEastEast),
        northEastCovariance: Double(covariance.positionNorthEast))
      evidence.verticalDeviationMeters = Double(covariance.positionDownDown).squareRoot()
    case .navTIMELS(let leap):
      if leap.isDefault { leapSecondsAreDefault = true }
    case .navEOE, .navRELPOSNED, .timTP, .monVERSoftware, .monVERHardware, .monVERExtension, .monRF, .secUNIQID,
      .acknowledgement,
      .configuration,
      .assistance,
      .assistanceAcknowledgement, .unknown:
      break
    }
  }

  /// Receivers of generations 5 to 8 that gpsd has configured send their position in no other message.
  private mutating func setPosition(of sol: NavSOL) {
    guard sol.isFixOK, sol.fixType == .two || sol.fixType == .three || sol.fixType == .combined else { return }
    setPosition(
      EarthCentered(
        xMeters: Double(sol.xCentimeters) / 100, yMeters: Double(sol.yCentimeters) / 100,
        zMeters: Double(sol.zCentimeters) / 100), accuracyCentimeters: sol.accuracyCentimeters)
  }

  /// Sets a position from ECEF unless one in degrees is known: those have more digits.
  private mutating func setPosition(_ position: EarthCentered, accuracyCentimeters: UInt32) {
    guard let (coordinate, height) = position.geodetic() else { return }
    setPosition(
      latitude: Int64((coordinate.latitude.degrees * 1e9).rounded()),
      longitude: Int64((coordinate.longitude.degrees * 1e9).rounded()), rank: .ecef)
    ellipsoidMillimeters = ellipsoidMillimeters ?? Int64((height.value * 1000).rounded())
    // The reported accuracy is the 3D error, so it is never too small for the horizontal one.
    guard evidence.horizontalAccuracyMeters == nil, (1..<UInt32.max).contains(accuracyCentimeters) else { return }
    evidence.horizontalAccuracyMeters = Double(accuracyCentimeters) / 100
  }

  /// Sets the date from the week number if no message contains a date. It is the day that makes the time of day nearest to the
  /// time of week, so that the number of leap seconds does not matter.
  private mutating func setDate(of sol: NavSOL) {
    guard date == nil, sol.isWeekValid, sol.isTimeOfWeekValid, let nanosecondsOfDay else { return }
    let day = GNSSTime.nanosecondsPerDay
    let gps = Int64(sol.week) * 7 * day + Int64(sol.timeOfWeekMilliseconds) * 1_000_000
    let days = (gps - nanosecondsOfDay + day / 2) / day
    date = CalendarDate(daysSince1970: Self.gpsEpoch + Int(days))
  }

  /// 6 January 1980, in days since 1970.
  private static let gpsEpoch = 3657

  private mutating func absorb(_ pvt: NavPVT) {
    setDate(pvt.isDateValid ? pvt.date : nil, pvt.time, nanoseconds: pvt.nanoseconds)
    confirmsTime =
      pvt.isDateValid && pvt.isTimeValid && pvt.isFullyResolved && (pvt.isTimeConfirmed ?? true)
    setFix(pvt.fixType, isOK: pvt.isFixOK && !pvt.isPositionInvalid, isDifferential: pvt.isDifferential)
    correctionAge = pvt.correctionAgeSeconds.map { .seconds($0) }
    switch pvt.carrier {
    case .none: break
    case .float: raise(.rtkFloat)
    case .fixed: raise(.rtkFixed)
    }
    setPosition(latitude: Int64(pvt.latitudeE7) * 100, longitude: Int64(pvt.longitudeE7) * 100, rank: .ubx)
    setHeights(ellipsoid: pvt.heightMillimeters, seaLevel: pvt.meanSeaLevelMillimeters)
    setAccuracy(horizontal: pvt.horizontalAccuracyMillimeters, vertical: pvt.verticalAccuracyMillimeters)
    setMotion(
      speedMetersPerSecond: Double(max(0, pvt.speedMillimetersPerSecond)) / 1000,
      courseDegrees: Self.course(pvt.courseE5), rank: .ubx)
    evidence.speedDeviationMetersPerSecond = Double(pvt.speedAccuracyMillimetersPerSecond) / 1000
    evidence.courseDeviationDegrees = Double(pvt.courseAccuracyE5) * 1e-5
    // HNR-PVT does not report its satellites.
    setSatellitesUsed(pvt.satellitesUsed.map(Int.init), replaces: true)
    setDilution(p: pvt.pdopHundredths, h: nil, v: nil)
  }

  /// Sets the date of the epoch. The nanoseconds can move the reported time across midnight; then the epoch lies in the day
  /// before or after the reported one.
  private mutating func setDate(_ reported: CalendarDate?, _ time: TimeOfDay?, nanoseconds: Int32) {
    guard let reported else { return }
    let dayShift = time.map { UTCMoment($0, adding: nanoseconds).dayShift } ?? 0
    date = CalendarDate(daysSince1970: reported.daysSince1970 + dayShift) ?? reported
  }

  private mutating func setFix(_ type: NavPVT.FixType, isOK: Bool, isDifferential: Bool) {
    guard isOK else {
      markInvalid()
      return
    }
    switch type {
    case .none, .timeOnly: markInvalid()
    case .deadReckoning: raise(.estimated)
    case .two:
      raise(isDifferential ? .differential : nil)
      isTwoDimensional = true
    case .three, .combined:
      raise(isDifferential ? .differential : nil)
      isTwoDimensional = false
    }
  }

  /// Sets both heights, which every UBX position contains, so that the order of messages does not matter.
  private mutating func setHeights(ellipsoid: Int32, seaLevel: Int32) {
    ellipsoidMillimeters = Int64(ellipsoid)
    meanSeaLevelMillimeters = Int64(seaLevel)
  }

  /// Receivers without an estimate send the highest number, or zero.
  private mutating func setAccuracy(horizontal: UInt32, vertical: UInt32) {
    if horizontal > 0, horizontal < .max { evidence.horizontalAccuracyMeters = Double(horizontal) / 1000 }
    if vertical > 0, vertical < .max, evidence.ellipse == nil {
      evidence.verticalDeviationMeters = Double(vertical) / 1000
    }
  }

  private mutating func setDilution(p: UInt16, h: UInt16?, v: UInt16?) {
    func dilution(_ hundredths: UInt16?) -> Double? {
      hundredths.flatMap { (1..<9900).contains($0) ? Double($0) / 100 : nil }
    }
    evidence.positionDilution = dilution(p) ?? evidence.positionDilution
    evidence.horizontalDilution = dilution(h) ?? evidence.horizontalDilution
    evidence.verticalDilution = dilution(v) ?? evidence.verticalDilution
  }

  private static func course(_ e5: Int32) -> Double? {
    let degrees = Double(e5) * 1e-5
    guard (-360...360).contains(degrees) else { return nil }
    return degrees < 0 ? degrees + 360 : degrees
  }
}
