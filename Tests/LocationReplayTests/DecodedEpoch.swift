import Geodesy
import LocationReplay
import WireFormats

/// The decoded content of one epoch of a simulated receiver, whichever messages contained it.
struct DecodedEpoch {
  var timeOfDay: TimeOfDay?
  var timeOfWeekMilliseconds: UInt32?
  var date: CalendarDate?
  /// In degrees.
  var latitude: Double?
  var longitude: Double?
  /// In meters.
  var heightAboveEllipsoid: Double?
  var heightAboveMeanSeaLevel: Double?
  var horizontalAccuracy: Double?
  var verticalAccuracy: Double?
  var satellitesUsed: Int?
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  var dimensions = 0
  var isSimulated = false
  var isFullyResolved: Bool?
  var week: Int16?
  var used: Set<SatelliteID> = []
  var inView: Set<SatelliteID> = []
  var kinds: [String] = []
}

/// All epochs in `bytes`, each of which begins with a message of kind `first`.
func decode(_ bytes: [UInt8], first: String) -> (epochs: [DecodedEpoch], counters: DecodeCounters) {
  var decoder = WireDecoder()
  var epochs: [DecodedEpoch] = []
  decoder.push(bytes.span) { message in
    let kind = kindName(message)
    if kind == first { epochs.append(DecodedEpoch()) }
    guard let last = epochs.indices.last else { return }
    if epochs[last].kinds.last != kind { epochs[last].kinds.append(kind) }
    switch message {
    case .nmea(let sentence, _): epochs[last].receive(sentence)
    case .ubx(let message): epochs[last].receive(message)
    }
  }
  return (epochs, decoder.counters)
}

private func kindName(_ message: WireMessage) -> String {
  switch message {
  case .nmea(let sentence, _): String(String(describing: sentence).prefix { $0 != "(" })
  case .ubx(let message): String(String(describing: message).prefix { $0 != "(" })
  }
}

extension DecodedEpoch {
  fileprivate mutating func receive(_ sentence: NMEAMessage) {
    switch sentence {
    case .rmc(let rmc):
      timeOfDay = rmc.time ?? timeOfDay
      if let reported = rmc.date {
        date = CalendarDate(year: 2000 + Int(reported.year), month: Int(reported.month), day: Int(reported.day))
      }
      speedMetersPerSecond = rmc.speedMilliknots.map { Double($0) / 1000 * 1852 / 3600 }
      courseDegrees = rmc.courseMillidegrees.map { Double($0) / 1000 }
      if rmc.mode == .simulator { isSimulated = true }
      position(rmc.latitudeNanodegrees, rmc.longitudeNanodegrees)
    case .gga(let gga):
      timeOfDay = gga.time ?? timeOfDay
      position(gga.latitudeNanodegrees, gga.longitudeNanodegrees)
      heightAboveMeanSeaLevel = gga.altitudeMillimeters.map { Double($0) / 1000 }
      if let altitude = gga.altitudeMillimeters, let separation = gga.geoidSeparationMillimeters {
        heightAboveEllipsoid = Double(altitude + separation) / 1000
      }
      satellitesUsed = gga.satellitesUsed.map { Int($0) }
      isSimulated = gga.quality == .simulator
    case .gsa(let gsa): dimensions = gsa.dimension == .three ? 3 : gsa.dimension == .two ? 2 : 0
    case .gsv(let gsv):
      for index in 0..<Int(gsv.count) { if let id = gsv.satellites[index].id { inView.insert(id) } }
    case .gst(let gst):
      if let north = gst.latitudeDeviationMillimeters, let east = gst.longitudeDeviationMillimeters {
        horizontalAccuracy = Double(north * north + east * east).squareRoot() / 1000
      }
      verticalAccuracy = gst.altitudeDeviationMillimeters.map { Double($0) / 1000 }
    case .pubxPosition(let pubx):
      heightAboveEllipsoid = pubx.heightMillimeters.map { Double($0) / 1000 }
      horizontalAccuracy = pubx.horizontalAccuracyMillimeters.map { Double($0) / 1000 }
    case .gns(let gns): satellitesUsed = gns.satellitesUsed.map { Int($0) }
    case .zda(let zda): date = zda.date
    case .gll(let gll): position(gll.latitudeNanodegrees, gll.longitudeNanodegrees)
    case .vtg, .dtm, .gbs, .hdt, .ths, .magneticHeading, .rateOfTurn, .txt, .pubxSatellite, .pubxTime, .pmtk, .pgrme,
      .ggk, .pqxfi,
      .phoneAccuracy, .unknown:
      break
    }
  }

  private mutating func position(_ latitude: Int64?, _ longitude: Int64?) {
    self.latitude = latitude.map { Double($0) / 1e9 }
    self.longitude = longitude.map { Double($0) / 1e9 }
  }

  fileprivate mutating func receive(_ message: UBXMessage) {
    switch message {
    case .navPVT(let pvt):
      timeOfWeekMilliseconds = pvt.timeOfWeekMilliseconds
      timeOfDay = pvt.isTimeValid ? pvt.time : nil
      date = pvt.isDateValid ? pvt.date : nil
      isFullyResolved = pvt.isFullyResolved
      dimensions = pvt.fixType == .three ? 3 : pvt.fixType == .two ? 2 : 0
      satellitesUsed = pvt.satellitesUsed.map(Int.init)
      guard pvt.isFixOK else { return }
      position(Int64(pvt.latitudeE7) * 100, Int64(pvt.longitudeE7) * 100)
      heightAboveEllipsoid = Double(pvt.heightMillimeters) / 1000
      heightAboveMeanSeaLevel = Double(pvt.meanSeaLevelMillimeters) / 1000
      horizontalAccuracy = Double(pvt.horizontalAccuracyMillimeters) / 1000
      verticalAccuracy = Double(pvt.verticalAccuracyMillimeters) / 1000
      speedMetersPerSecond = Double(pvt.speedMillimetersPerSecond) / 1000
      courseDegrees = Double(pvt.courseE5) / 1e5
    case .navPOSLLH(let position):
      timeOfWeekMilliseconds = position.timeOfWeekMilliseconds
      self.position(Int64(position.latitudeE7) * 100, Int64(position.longitudeE7) * 100)
      heightAboveEllipsoid = Double(position.heightMillimeters) / 1000
      heightAboveMeanSeaLevel = Double(position.meanSeaLevelMillimeters) / 1000
      horizontalAccuracy = Double(position.horizontalAccuracyMillimeters) / 1000
      verticalAccuracy = Double(position.verticalAccuracyMillimeters) / 1000
    case .navSOL(let sol):
      dimensions = sol.fixType == .three ? 3 : sol.fixType == .two ? 2 : 0
      satellitesUsed = Int(sol.satellitesUsed)
      week = sol.week
      if !sol.isFixOK { position(nil, nil) }
    case .navVELNED(let velocity):
      speedMetersPerSecond = Double(velocity.speedCentimetersPerSecond) / 100
      courseDegrees = Double(velocity.courseE5) / 1e5
    case .navTIMEUTC(let time):
      timeOfDay = time.time
      date = time.date
      isFullyResolved = time.isUTCValid
    case .navSatellite(let satellite):
      guard let id = satellite.id else { return }
      inView.insert(id)
      if satellite.isUsed { used.insert(id) }
    case .navCOV(let covariance):
      horizontalAccuracy = Double(covariance.positionNorthNorth + covariance.positionEastEast).squareRoot()
    case .navPOSECEF, .navSVINFO, .navSAT, .navDOP, .navSTATUS, .navEOE, .navTIMELS, .navRELPOSNED, .timTP,
      .monVERSoftware,
      .monVERHardware,
      .monVERExtension, .monRF, .secUNIQID,
      .acknowledgement, .configuration, .assistance,
      .assistanceAcknowledgement, .unknown:
      break
    }
  }
}
