import Geodesy
import WireFormats

/// What each NMEA sentence adds to an epoch.
extension EpochDraft {
  /// Meters per second in a knot, exactly (1852 m an hour).
  private static let metersPerSecondPerKnot = 1852.0 / 3600

  /// - Parameter datum: the datum of the sentence's position.
  mutating func absorb(_ message: NMEAMessage, from talker: Talker, in datum: DatumReference) {
    self.datum = datum
    self.talker = FixTalkers(message, from: talker)
    switch message {
    case .rmc(let rmc): absorb(rmc)
    case .gga(let gga): absorb(gga)
    case .gns(let gns): absorb(gns)
    case .gll(let gll):
      guard setValidity(gll.isValid, mode: gll.mode) else { return }
      setPosition(gll.latitudeNanodegrees, gll.longitudeNanodegrees, decimals: gll.coordinateDecimals)
    case .vtg(let vtg): setMotion(milliknots: vtg.speedMilliknots, millidegrees: vtg.courseMillidegrees, rank: .vtg)
    case .gsa(let gsa): absorb(gsa)
    case .gsv(let gsv): absorb(gsv)
    case .zda(let zda): date = zda.date ?? date
    case .gst(let gst): absorb(gst)
    case .pubxPosition(let position): absorb(position)
    case .pubxSatellite(let satellite):
      addSatellite(
        satellite.id, signal: satellite.signalDecibelHertz ?? 0, elevation: satellite.elevationDegrees,
        azimuth: satellite.azimuthDegrees, isUsed: satellite.isUsed)
    case .pubxTime(let time):
      setDate(time.date)
      if time.leapSecondsAreDefault { leapSecondsAreDefault = true }
    case .pgrme(let pgrme):
      evidence.horizontalError50Meters = Self.error(pgrme.horizontalErrorMillimeters)
      evidence.verticalError50Meters = Self.error(pgrme.verticalErrorMillimeters)
    case .ggk(let ggk): absorb(ggk)
    case .phoneAccuracy(let accuracy):
      evidence.horizontalRadius68Meters = Self.error(accuracy.horizontalRadius68Millimeters)
    case .pqxfi(let errors):
      evidence.horizontalAccuracyMeters =
        Self.error(errors.horizontalErrorMillimeters) ?? evidence.horizontalAccuracyMeters
      if evidence.ellipse == nil, let vertical = Self.error(errors.verticalErrorMillimeters) {
        evidence.verticalDeviationMeters = vertical
      }
    // Integrity figures, the bow's heading, texts and acknowledgements do not contain the position; the datum comes with each
    // position.
    case .dtm, .gbs, .hdt, .ths, .magneticHeading, .rateOfTurn, .txt, .pmtk, .unknown: break
    }
  }

  private mutating func absorb(_ rmc: RMC) {
    setDate(rmc.date)
    guard setValidity(rmc.isValid, mode: rmc.mode) else { return }
    setPosition(rmc.latitudeNanodegrees, rmc.longitudeNanodegrees, decimals: rmc.coordinateDecimals)
    setMotion(milliknots: rmc.speedMilliknots, millidegrees: rmc.courseMillidegrees, rank: .rmc)
  }

  private mutating func absorb(_ gga: GGA) {
    switch gga.quality {
    case .invalid:
      markInvalid()
      return setSatellites(gga.satellitesUsed, hdopHundredths: nil, isVoid: true)
    case .autonomous, .precise: raise(nil)
    case .simulator:
      raise(nil)
      isSimulated = true
    case .differential, .sbas: raise(.differential)
    case .rtkFixed: raise(.rtkFixed)
    case .rtkFloat: raise(.rtkFloat)
    case .estimated: raise(.estimated)
    case .manual: raiseManual()
    }
    setPosition(gga.latitudeNanodegrees, gga.longitudeNanodegrees, decimals: gga.coordinateDecimals)
    setHeight(gga.altitudeMillimeters, separation: gga.geoidSeparationMillimeters)
    setSatellites(gga.satellitesUsed, hdopHundredths: gga.hdopHundredths)
  }

  private mutating func absorb(_ gns: GNS) {
    guard setValidity(gns.mode != .invalid, mode: gns.mode) else {
      return setSatellites(gns.satellitesUsed, hdopHundredths: nil, isVoid: true)
    }
    setPosition(gns.latitudeNanodegrees, gns.longitudeNanodegrees, decimals: gns.coordinateDecimals)
    setHeight(gns.altitudeMillimeters, separation: gns.geoidSeparationMillimeters)
    setSatellites(gns.satellitesUsed, hdopHundredths: gns.hdopHundredths)
  }

  private mutating func absorb(_ ggk: GGK) {
    setDate(ggk.date)
    switch ggk.quality {
    case .invalid: markInvalid()
    case .autonomous: raise(nil)
    case .differential: raise(.differential)
    case .rtkFloat: raise(.rtkFloat)
    case .rtkFixed: raise(.rtkFixed)
    }
    if ggk.isTwoDimensional { isTwoDimensional = isTwoDimensional ?? true }
    setPosition(ggk.latitudeNanodegrees, ggk.longitudeNanodegrees, decimals: ggk.coordinateDecimals)
    if datum.sharesEllipsoid { ellipsoidMillimeters = ellipsoidMillimeters ?? ggk.ellipsoidMillimeters.map(Int64.init) }
    setSatellites(ggk.satellitesUsed, hdopHundredths: nil)
    setDilution(p: ggk.pdopHundredths, h: nil, v: nil)
  }

  private mutating func absorb(_ gsa: GSA) {
    switch gsa.dimension {
    // One of several systems may not contribute to the solution: that is not "no fix".
    case .none: break
    case .two: isTwoDimensional = isTwoDimensional ?? true
    case .three: isTwoDimensional = false
    }
    satellitesListedAsUsed += Int(gsa.satellitesUsed)
    for index in 0..<Int(gsa.satellitesUsed) {
      addUsed(SatelliteID(nmea: Int(gsa.numbers[index]), talker: .combined, system: gsa.system))
    }
    listsUsed = true
    guard gsa.dimension != .none else { return }
    setDilution(p: gsa.pdopHundredths, h: gsa.hdopHundredths, v: gsa.vdopHundredths)
  }

  private mutating func absorb(_ gsv: GSV) {
    listsSatellites = true
    for index in 0..<Int(gsv.count) {
      let satellite = gsv.satellites[index]
      addSatellite(
        satellite.id, signal: satellite.signalDecibelHertz ?? 0, elevation: satellite.elevationDegrees,
        azimuth: satellite.azimuthDegrees, code: gsv.signal)
    }
  }

  private mutating func absorb(_ gst: GST) {
    if let major = gst.semiMajorMillimeters, let minor = gst.semiMinorMillimeters, major > 0 {
      evidence.ellipse = ErrorEllipse(axis: Double(major) / 1000, axis: Double(minor) / 1000)
    } else if let north = gst.latitudeDeviationMillimeters, let east = gst.longitudeDeviationMillimeters,
      max(north, east) > 0
    {
      evidence.ellipse = ErrorEllipse(axis: Double(north) / 1000, axis: Double(east) / 1000)
    }
    evidence.verticalDeviationMeters = Self.error(gst.altitudeDeviationMillimeters)
  }

  private mutating func absorb(_ position: PUBXPosition) {
    switch position.status {
    case .noFix, .timeOnly: markInvalid()
    case .deadReckoning, .combined: raise(position.status == .deadReckoning ? .estimated : nil)
    case .standalone2D, .differential2D:
      raise(position.status == .differential2D ? .differential : nil)
      isTwoDimensional = true
    case .standalone3D, .differential3D:
      raise(position.status == .differential3D ? .differential : nil)
      isTwoDimensional = false
    }
    if let latitude = position.latitudeNanodegrees, let longitude = position.longitudeNanodegrees {
      setLocalPosition(latitude: latitude, longitude: longitude, rank: .pubx)
    }
    if datum.sharesEllipsoid {
      ellipsoidMillimeters = position.heightMillimeters.map(Int64.init) ?? ellipsoidMillimeters
    }
    evidence.horizontalAccuracyMeters = Self.error(position.horizontalAccuracyMillimeters)
    if evidence.verticalDeviationMeters == nil {
      evidence.verticalDeviationMeters = Self.error(position.verticalAccuracyMillimeters)
    }
    setMotion(
      speedMetersPerSecond: position.speedMetersPerHour.map { Double($0) / 3600 },
      courseDegrees: position.courseMillidegrees.map { Double($0) / 1000 }, rank: .pubx)
    setDilution(p: nil, h: position.hdopHundredths, v: position.vdopHundredths)
    setSatellites(position.satellitesUsed, hdopHundredths: nil)
  }

  // MARK: -

  /// Meters; a receiver that does not know its error sends 0.
  private static func error(_ millimeters: (some BinaryInteger)?) -> Double? {
    millimeters.flatMap { $0 > 0 ? Double($0) / 1000 : nil }
  }

  private mutating func setDate(_ reported: TwoDigitDate?) {
    guard let reported, date == nil else { return }
    date = reported.date
  }

  /// Whether the sentence has a fix: the position and motion of a void sentence are missing or old.
  private mutating func setValidity(_ isValid: Bool, mode: PositionMode?) -> Bool {
    guard isValid, mode != .invalid else {
      markInvalid()
      return false
    }
    switch mode {
    case .autonomous?, .precise?, .caution?, .unsafe?, .valid?, nil: raise(nil)
    case .simulator?:
      raise(nil)
      isSimulated = true
    case .differential?: raise(.differential)
    case .rtkFloat?: raise(.rtkFloat)
    case .rtkFixed?: raise(.rtkFixed)
    case .estimated?: raise(.estimated)
    case .manual?: raiseManual()
    case .invalid?: break
    }
    return true
  }

  private mutating func setPosition(_ latitude: Int64?, _ longitude: Int64?, decimals: UInt8) {
    guard let latitude, let longitude else { return }
    setLocalPosition(latitude: latitude, longitude: longitude, rank: .sentence, decimals: decimals)
  }

  private mutating func setMotion(milliknots: Int32?, millidegrees: Int32?, rank: MotionRank) {
    setMotion(
      speedMetersPerSecond: milliknots.map { Double($0) / 1000 * Self.metersPerSecondPerKnot },
      courseDegrees: millidegrees.map { Double($0) / 1000 }, rank: rank)
  }

  private mutating func setHeight(_ seaLevel: Int32?, separation: Int32?) {
    meanSeaLevelMillimeters = meanSeaLevelMillimeters ?? seaLevel.map(Int64.init)
    // The separation of a local datum's ellipsoid does not apply to WGS 84's.
    if datum.sharesEllipsoid { geoidSeparationMillimeters = geoidSeparationMillimeters ?? separation.map(Int64.init) }
  }

  private mutating func setSatellites(_ used: UInt8?, hdopHundredths: Int32?, isVoid: Bool = false) {
    setSatellitesUsed(used.map(Int.init), isVoid: isVoid)
    setDilution(p: nil, h: hdopHundredths, v: nil)
  }

  /// Keeps the first value. 99.99 and the like stand for "none": in a fix such a value is read as the worst dilution, unless
  /// another sentence gives a better one. Zero is not a dilution.
  private mutating func setDilution(p: Int32?, h: Int32?, v: Int32?) {
    func dilution(_ hundredths: Int32?, unless known: Double?) -> Double? {
      if let known, known < Self.worstDilution { return known }
      return hundredths.flatMap { $0 > 0 ? min(Double($0) / 100, Self.worstDilution) : nil } ?? known
    }
    evidence.positionDilution = dilution(p, unless: evidence.positionDilution)
    evidence.horizontalDilution = dilution(h, unless: evidence.horizontalDilution)
    evidence.verticalDilution = dilution(v, unless: evidence.verticalDilution)
  }

  private static let worstDilution = 99.0
}
