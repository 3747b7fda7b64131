import Geodesy
import WireFormats

/// Lines of text as sentences with a correct checksum, so that every field decoder is reached: decoded values are in range, and
/// each sentence is counted as a message, as unknown or as malformed.
func checkNMEA(_ input: [UInt8]) {
  var decoder = WireDecoder()
  var sentences: UInt64 = 0
  var handed: UInt64 = 0
  var listed: UInt64 = 0
  for line in input.split(separator: 0x0A).prefix(64) {
    let content = line.prefix(WireDecoder.maximumLine - 2).filter {
      (0x20...0x7E).contains($0) && $0 != 0x24 && $0 != 0x21 && $0 != 0x2A
    }
    let bytes = NMEASentence.encode(String(decoding: content, as: UTF8.self))
    let before = decoder.counters.malformed
    let handedBefore = handed
    var inThis: UInt64 = 0
    decoder.push(bytes.span) { message in
      guard case .nmea(let sentence, _) = message else { fatalError("no NMEA in it") }
      checkRanges(sentence)
      if case .pubxSatellite = sentence { inThis += 1 } else { handed += 1 }
    }
    sentences += 1
    let isMalformed = decoder.counters.malformed != before
    let isList = !isMalformed && handed == handedBefore
    precondition(!isMalformed || (handed == handedBefore && inThis == 0), "malformed, and yet a message")
    precondition(!isList || content.starts(with: Array("PUBX,".utf8)), "neither message nor malformed")
    if isList { listed += 1 }
  }
  let counters = decoder.counters
  precondition(counters.validNMEA == sentences && counters.noiseBytes == 0 && counters.checksumErrors == 0)
  precondition(handed + listed + counters.malformed == sentences && counters.unknown <= handed)
}

private func checkRanges(_ sentence: NMEAMessage) {
  switch sentence {
  case .rmc(let rmc):
    place(rmc.latitudeNanodegrees, rmc.longitudeNanodegrees)
    within(rmc.courseMillidegrees, 0...360_000)
    within(rmc.speedMilliknots, 0...150_000_000)
    day(rmc.date)
    precondition(!rmc.isValid || (rmc.time != nil && rmc.latitudeNanodegrees != nil))
  case .gga(let gga):
    place(gga.latitudeNanodegrees, gga.longitudeNanodegrees)
    within(gga.satellitesUsed, 0...99)
    within(gga.hdopHundredths, 0...999_999)
    within(gga.altitudeMillimeters, -1_000_000_000...1_000_000_000)
    within(gga.geoidSeparationMillimeters, -1_000_000_000...1_000_000_000)
    precondition(gga.quality == .invalid || gga.latitudeNanodegrees != nil)
  case .gns(let gns):
    place(gns.latitudeNanodegrees, gns.longitudeNanodegrees)
    within(gns.satellitesUsed, 0...99)
    precondition(gns.mode == .invalid || gns.latitudeNanodegrees != nil)
  case .gll(let gll):
    place(gll.latitudeNanodegrees, gll.longitudeNanodegrees)
    precondition(!gll.isValid || gll.latitudeNanodegrees != nil)
  case .vtg(let vtg):
    within(vtg.courseMillidegrees, 0...360_000)
    within(vtg.speedMilliknots, 0...150_000_000)
  case .gsa(let gsa):
    within(gsa.satellitesUsed, 0...UInt8(GSA.mostSatellites))
    for index in 0..<Int(gsa.satellitesUsed) { within(gsa.numbers[index], 1...999) }
    within(gsa.pdopHundredths, 0...999_999)
  case .gsv(let gsv):
    precondition(gsv.count <= 4 && gsv.sentence >= 1 && gsv.sentence <= gsv.sentences)
    for index in 0..<Int(gsv.count) {
      let satellite = gsv.satellites[index]
      within(satellite.elevationDegrees, -90...90)
      within(satellite.azimuthDegrees, 0...360)
      within(satellite.signalDecibelHertz, 0...99)
      number(satellite.id)
    }
  case .zda(let zda): precondition(zda.date.map { TwoDigitDate.years.contains(Int($0.year)) } ?? true)
  case .dtm(let dtm):
    within(dtm.latitudeOffsetNanodegrees, -1_000_000_000...1_000_000_000)
    within(dtm.longitudeOffsetNanodegrees, -1_000_000_000...1_000_000_000)
  case .gst(let gst): within(gst.semiMajorMillimeters, 0...99_999_999_999_999)
  case .gbs(let gbs): within(gbs.latitudeErrorMillimeters, 0...99_999_999_999_999)
  case .hdt(let hdt): within(hdt.headingMillidegrees, 0...360_000)
  case .ths(let ths): within(ths.headingMillidegrees, 0...360_000)
  case .magneticHeading(let compass):
    within(compass.headingMillidegrees, 0...360_000)
    within(compass.trueHeadingMillidegrees, 0...360_000)
    within(compass.deviationMillidegrees, -180_000...180_000)
    within(compass.variationMillidegrees, -180_000...180_000)
  case .rateOfTurn(let turn): within(turn.millidegreesPerMinute, -100_000_000...100_000_000)
  case .txt(let txt): printable(txt.text)
  case .pubxPosition(let position):
    place(position.latitudeNanodegrees, position.longitudeNanodegrees)
    within(position.courseMillidegrees, 0...360_000)
    within(position.horizontalAccuracyMillimeters, 0...99_999_999_999_999)
  case .pubxSatellite(let satellite):
    within(satellite.elevationDegrees, -90...90)
    within(satellite.azimuthDegrees, 0...360)
    number(satellite.id)
  case .pubxTime(let time):
    day(time.date)
    within(time.leapSeconds, 0...99)
  case .pmtk(let packet): printable(packet.text)
  case .ggk(let ggk):
    place(ggk.latitudeNanodegrees, ggk.longitudeNanodegrees)
    within(ggk.pdopHundredths, 0...999_999)
    day(ggk.date)
  case .pqxfi(let errors):
    within(errors.horizontalErrorMillimeters, 0...99_999_999_999_999)
    within(errors.verticalErrorMillimeters, 0...99_999_999_999_999)
  case .phoneAccuracy(let accuracy): within(accuracy.horizontalRadius68Millimeters, 0...99_999_999_999_999)
  case .pgrme(let errors): within(errors.horizontalErrorMillimeters, 0...99_999_999_999_999)
  case .unknown: break
  }
}

private func within<Value: Comparable>(_ value: Value?, _ range: ClosedRange<Value>) {
  precondition(value.map { range.contains($0) } ?? true, "out of range")
}

private func place(_ latitude: Int64?, _ longitude: Int64?) {
  within(latitude, -90_000_000_000...90_000_000_000)
  within(longitude, -180_000_000_000...180_000_000_000)
}

private func day(_ date: TwoDigitDate?) {
  guard let date else { return }
  precondition(CalendarDate(year: 2000 + Int(date.year), month: Int(date.month), day: Int(date.day)) != nil)
}

private func number(_ id: SatelliteID?) { precondition(id.map { $0.number > 0 && $0.number < 255 } ?? true) }

private func printable(_ text: InlineText) {
  precondition(
    text.string.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.string.utf8.count <= InlineText.capacity)
}
