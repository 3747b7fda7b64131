import Geodesy
import WireFormats

extension PlayedMessage {
  /// Adds the content of one decoded message; a UBX list comes as several messages from one frame.
  mutating func receive(_ message: WireMessage) {
    switch message {
    case .nmea(let sentence, _): receive(sentence)
    case .ubx(let frame): receive(frame)
    }
  }

  private mutating func receive(_ message: NMEAMessage) {
    switch message {
    case .rmc(let rmc):
      send(rmc.time, coordinateAt: 3)
      place(rmc.latitudeNanodegrees, rmc.longitudeNanodegrees)
      saysNoFix = !rmc.isValid
    case .gga(let gga):
      send(gga.time, coordinateAt: 2, heightsAt: [9, 11])
      place(gga.latitudeNanodegrees, gga.longitudeNanodegrees)
      saysNoFix = gga.quality == .invalid
      tellsHeight = gga.altitudeMillimeters != nil
      satellitesUsed = gga.satellitesUsed.map(Int.init)
    case .gns(let gns):
      send(gns.time, coordinateAt: 2, heightsAt: [9, 10])
      place(gns.latitudeNanodegrees, gns.longitudeNanodegrees)
      saysNoFix = gns.mode == .invalid
      tellsHeight = gns.altitudeMillimeters != nil
      satellitesUsed = gns.satellitesUsed.map(Int.init)
    case .gll(let gll):
      send(gll.time, coordinateAt: 1)
      place(gll.latitudeNanodegrees, gll.longitudeNanodegrees)
      saysNoFix = !gll.isValid
    case .gsa(let gsa): dimensions = Int(gsa.dimension.rawValue)
    case .zda(let zda): send(zda.time)
    case .gst(let gst): send(gst.time)
    case .gsv(let gsv):
      isList = true
      endsList = gsv.isLast
      listPart = "\(address ?? "") \(gsv.sentence) \(gsv.signal ?? 0)"
      for index in 0..<Int(gsv.count) {
        let satellite = gsv.satellites[index]
        add(
          satellite.id, elevation: satellite.elevationDegrees.map(Int.init),
          azimuth: satellite.azimuthDegrees.map(Int.init), signal: Int(satellite.signalDecibelHertz ?? 0), isUsed: nil)
      }
    case .vtg, .dtm, .gbs, .hdt, .ths, .magneticHeading, .rateOfTurn, .txt, .pubxPosition, .pubxSatellite, .pubxTime,
      .pmtk, .pgrme, .ggk, .pqxfi,
      .phoneAccuracy, .unknown:
      break
    }
  }

  private mutating func receive(_ message: UBXMessage) {
    switch message {
    case .navPVT(let pvt):
      timeOfWeek = Int(pvt.timeOfWeekMilliseconds)
      satellitesUsed = pvt.satellitesUsed.map(Int.init)
      receive(pvt.fixType, isOK: pvt.isFixOK && !pvt.isPositionInvalid)
    case .navSOL(let sol):
      timeOfWeek = Int(sol.timeOfWeekMilliseconds)
      receive(sol.fixType, isOK: sol.isFixOK)
    case .navPOSECEF(let position): timeOfWeek = Int(position.timeOfWeekMilliseconds)
    case .navPOSLLH(let position): timeOfWeek = Int(position.timeOfWeekMilliseconds)
    case .navVELNED(let velocity): timeOfWeek = Int(velocity.timeOfWeekMilliseconds)
    case .navTIMEUTC(let time): timeOfWeek = Int(time.timeOfWeekMilliseconds)
    case .navDOP(let dop): timeOfWeek = Int(dop.timeOfWeekMilliseconds)
    case .navSTATUS(let status):
      timeOfWeek = Int(status.timeOfWeekMilliseconds)
      receive(status.fixType, isOK: status.isFixOK)
    case .navSVINFO(let list), .navSAT(let list):
      timeOfWeek = Int(list.timeOfWeekMilliseconds)
      isList = true
      endsList = true
    case .navSatellite(let satellite):
      add(
        satellite.id, elevation: Int(satellite.elevationDegrees), azimuth: Int(satellite.azimuthDegrees),
        signal: Int(satellite.signalDecibelHertz), isUsed: satellite.isUsed)
    case .navCOV, .navEOE, .navTIMELS, .navRELPOSNED, .timTP, .monVERSoftware, .monVERHardware, .monVERExtension,
      .secUNIQID,
      .monRF, .acknowledgement, .configuration, .assistance, .assistanceAcknowledgement, .unknown:
      break
    }
  }

  private mutating func place(_ latitudeNanodegrees: Int64?, _ longitudeNanodegrees: Int64?) {
    latitude = latitudeNanodegrees.map { Double($0) * 1e-9 }
    longitude = longitudeNanodegrees.map { Double($0) * 1e-9 }
  }

  private mutating func receive(_ type: NavPVT.FixType, isOK: Bool) {
    saysNoFix = type == .none
    isTimeOnly = type == .timeOnly
    isDenied = !isOK && type != .none
  }

  private mutating func send(_ time: TimeOfDay?, coordinateAt field: Int? = nil, heightsAt heights: [Int] = []) {
    if let field, let sentence { coordinateStep = Self.step(ofFieldAt: field, in: sentence).map { $0 / 60 } }
    if let sentence { heightStep = heights.compactMap { Self.step(ofFieldAt: $0, in: sentence) }.max() }
    timeOfDay = time.map { Int($0.nanosecondsSinceMidnight / 1_000_000) }
  }

  private mutating func add(_ id: SatelliteID?, elevation: Int?, azimuth: Int?, signal: Int, isUsed: Bool?) {
    guard let id else {
      unnamedSatellites += 1
      return
    }
    satellites.append(
      Satellite(
        constellation: Int(id.constellation.rawValue), number: Int(id.number), elevation: elevation, azimuth: azimuth,
        signal: signal, isUsed: isUsed))
  }

  /// The value of one unit of a field's last digit.
  private static func step(ofFieldAt field: Int, in sentence: String) -> Double? {
    let fields = sentence.split(separator: ",", omittingEmptySubsequences: false)
    guard field < fields.count, !fields[field].isEmpty else { return nil }
    let decimals = fields[field].split(separator: ".").dropFirst().first?.count ?? 0
    return (0..<decimals).reduce(1.0) { step, _ in step / 10 }
  }
}
