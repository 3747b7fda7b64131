import Geodesy
import WireFormats

/// Reads a log of NMEA 0183 sentences, also with other bytes between them, and joins the sentences of one time. RMC and
/// ZDA have the date, GGA and GNS the height, RMC and VTG the motion, GST the accuracy. The HDOP is kept, but is not an
/// accuracy.
struct NMEATrackReader: TrackFileReader {
  private static let halfDay = GNSSTime.nanosecondsPerDay / 2
  /// The distance that contains 68.27 % of the errors of a circular distribution, in standard deviations: √(−2 ln
  /// 0.3173).
  private static let radiusPerDeviation = 1.515
  /// Longer silences are interruptions.
  private static let longestGap: Duration = .seconds(300)

  /// The sentences of one time of day.
  private struct Moment {
    var timeOfDay: TimeOfDay
    var date: CalendarDate?
    var position = ImportedPosition()
    /// Whether a sentence declares the position invalid, and whether one declares it valid.
    var isInvalid = false
    var isValid = false
  }

  private var decoder = WireDecoder()
  private var moment: Moment?
  private var last: (date: CalendarDate, timeOfDay: TimeOfDay)?
  private var lastTime: GNSSTime?

  mutating func receive(_ bytes: Span<UInt8>, _ output: inout ImportOutput) throws(TrackImportError) {
    var messages: [NMEAMessage] = []
    decoder.push(bytes) { message in
      if case .nmea(let sentence, _) = message { messages.append(sentence) }
    }
    for message in messages { receive(message, &output) }
  }

  mutating func finish(_ output: inout ImportOutput) throws(TrackImportError) {
    // A last line without a line ending.
    try receive([0x0D, 0x0A].span, &output)
    endMoment(&output)
  }

  private mutating func receive(_ message: NMEAMessage, _ output: inout ImportOutput) {
    switch message {
    case .rmc(let rmc):
      begin(rmc.time, &output)
      let mode = rmc.mode
      note(isValid: rmc.isValid && mode != .invalid)
      if let date = rmc.date?.date { moment?.date = date }
      setPlace(rmc.latitudeNanodegrees, rmc.longitudeNanodegrees)
      if let speed = rmc.speedMilliknots { moment?.position.speed = Self.metersPerSecond(milliknots: speed) }
      if let course = rmc.courseMillidegrees { moment?.position.course = Double(course) / 1000 }
      if mode == .simulator { moment?.position.isSimulated = true }
    case .gga(let gga):
      begin(gga.time, &output)
      note(isValid: gga.quality != .invalid)
      setPlace(gga.latitudeNanodegrees, gga.longitudeNanodegrees)
      setHeight(gga.altitudeMillimeters, gga.geoidSeparationMillimeters)
      moment?.position.satellites = gga.satellitesUsed.map { Int($0) }
      setDilution(gga.hdopHundredths)
      switch gga.quality {
      case .differential, .sbas: moment?.position.kind = .differential
      case .rtkFixed: moment?.position.kind = .rtkFixed
      case .rtkFloat: moment?.position.kind = .rtkFloat
      case .simulator: moment?.position.isSimulated = true
      case .invalid, .autonomous, .precise, .estimated, .manual: break
      }
    case .gns(let gns):
      begin(gns.time, &output)
      note(isValid: gns.mode != .invalid)
      setPlace(gns.latitudeNanodegrees, gns.longitudeNanodegrees)
      setHeight(gns.altitudeMillimeters, gns.geoidSeparationMillimeters)
      moment?.position.satellites = gns.satellitesUsed.map { Int($0) }
      setDilution(gns.hdopHundredths)
    case .gll(let gll):
      begin(gll.time, &output)
      note(isValid: gll.isValid)
      setPlace(gll.latitudeNanodegrees, gll.longitudeNanodegrees)
    case .vtg(let vtg):
      if let speed = vtg.speedMilliknots { moment?.position.speed = Self.metersPerSecond(milliknots: speed) }
      if let course = vtg.courseMillidegrees { moment?.position.course = Double(course) / 1000 }
    case .gst(let gst):
      begin(gst.time, &output)
      setAccuracy(gst)
    case .zda(let zda):
      begin(zda.time, &output)
      if let date = zda.date { moment?.date = date }
    case .gsa, .gsv, .dtm, .gbs, .hdt, .ths, .magneticHeading, .rateOfTurn, .txt, .pubxPosition, .pubxSatellite,
      .pubxTime, .pmtk, .pgrme, .ggk,
      .pqxfi, .phoneAccuracy, .unknown:
      break
    }
  }

  // MARK: - One moment

  /// A sentence with another time begins the next moment. A sentence without a time belongs to no moment: the receiver
  /// has no fix.
  private mutating func begin(_ time: TimeOfDay?, _ output: inout ImportOutput) {
    guard let time else {
      endMoment(&output)
      return output.interrupt()
    }
    guard time != moment?.timeOfDay else { return }
    endMoment(&output)
    moment = Moment(timeOfDay: time)
  }

  private mutating func note(isValid: Bool) {
    if isValid { moment?.isValid = true } else { moment?.isInvalid = true }
  }

  private mutating func setPlace(_ latitude: Int64?, _ longitude: Int64?) {
    guard let latitude, let longitude else { return }
    moment?.position.latitude = Double(latitude) / 1e9
    moment?.position.longitude = Double(longitude) / 1e9
  }

  private mutating func setHeight(_ altitude: Int32?, _ separation: Int32?) {
    moment?.position.heightAboveMeanSeaLevel = altitude.map { Double($0) / 1000 }
    moment?.position.geoidSeparation = separation.map { Double($0) / 1000 }
  }

  private mutating func setDilution(_ hundredths: Int32?) {
    if let hundredths { moment?.position.hdop = Double(hundredths) / 100 }
  }

  private mutating func setAccuracy(_ gst: GST) {
    if let north = gst.latitudeDeviationMillimeters, let east = gst.longitudeDeviationMillimeters {
      let (north, east) = (Double(north) / 1000, Double(east) / 1000)
      moment?.position.horizontalRadius = Self.radiusPerDeviation * ((north * north + east * east) / 2).squareRoot()
    }
    moment?.position.verticalRadius = gst.altitudeDeviationMillimeters.map { Double($0) / 1000 }
  }

  private static func metersPerSecond(milliknots: Int32) -> Double { Double(milliknots) / 1000 * 1852 / 3600 }

  private mutating func endMoment(_ output: inout ImportOutput) {
    guard var moment = self.moment.take() else { return }
    guard moment.isValid, !moment.isInvalid else {
      if moment.isInvalid {
        output.skip(.noFix)
        output.interrupt()
      }
      return noteTime(of: moment)
    }
    noteTime(of: moment)
    moment.position.time = last.flatMap { GNSSTime(date: $0.date, timeOfDay: $0.timeOfDay) }
    if let time = moment.position.time {
      if let lastTime, time - lastTime > Self.longestGap || time < lastTime { output.interrupt() }
      lastTime = time
    }
    output.add(moment.position)
  }

  /// The date of a moment is its own, or follows from the one before: after midnight the time of day is smaller.
  private mutating func noteTime(of moment: Moment) {
    if let date = moment.date { return last = (date, moment.timeOfDay) }
    guard let before = last else { return }
    let step = moment.timeOfDay.nanosecondsSinceMidnight - before.timeOfDay.nanosecondsSinceMidnight
    let date = step < -Self.halfDay ? CalendarDate(daysSince1970: before.date.daysSince1970 + 1) : before.date
    last = date.map { ($0, moment.timeOfDay) }
  }
}
