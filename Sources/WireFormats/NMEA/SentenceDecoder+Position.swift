import Geodesy

/// The sentences that carry a position, a motion, or a time.
extension SentenceDecoder {
  static func rmc(_ fields: inout SentenceFields) -> NMEAMessage? {
    // 2.3 added the mode, 4.1 the navigational status; very old receivers end with the magnetic variation's number.
    guard (10...14).contains(fields.count), let status = fields.letter(2),
      status == UInt8(ascii: "A") || status == UInt8(ascii: "V")
    else { return nil }
    let rmc = RMC(
      time: fields.time(1), date: fields.date(9), isValid: status == UInt8(ascii: "A"),
      latitudeNanodegrees: fields.latitude(3), longitudeNanodegrees: fields.longitude(5),
      speedMilliknots: fields.milliknots(7), courseMillidegrees: fields.courseMillidegrees(8),
      mode: fields.count > 12 ? fields.mode(12) : nil)
    // A valid position needs all that makes it one; half of it is a damaged sentence.
    guard !rmc.isValid || (rmc.time != nil && rmc.latitudeNanodegrees != nil && rmc.longitudeNanodegrees != nil) else {
      return nil
    }
    return .rmc(rmc)
  }

  static func gga(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count == 15, let value = fields.integer(6, in: 0...9), let quality = GGA.Quality(rawValue: UInt8(value))
    else { return nil }
    let gga = GGA(
      time: fields.time(1), latitudeNanodegrees: fields.latitude(2), longitudeNanodegrees: fields.longitude(4),
      quality: quality, satellitesUsed: fields.integer(7, in: 0...99).map(UInt8.init),
      hdopHundredths: fields.dilutionHundredths(8), altitudeMillimeters: fields.millimeters(9),
      geoidSeparationMillimeters: fields.millimeters(11))
    fields.expectMeters(10)
    fields.expectMeters(12)
    guard quality == .invalid || (gga.latitudeNanodegrees != nil && gga.longitudeNanodegrees != nil) else { return nil }
    return .gga(gga)
  }

  static func gns(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard (13...14).contains(fields.count), let mode = gnsMode(&fields) else { return nil }
    let gns = GNS(
      time: fields.time(1), latitudeNanodegrees: fields.latitude(2), longitudeNanodegrees: fields.longitude(4),
      mode: mode, satellitesUsed: fields.integer(7, in: 0...99).map(UInt8.init),
      hdopHundredths: fields.dilutionHundredths(8), altitudeMillimeters: fields.millimeters(9),
      geoidSeparationMillimeters: fields.millimeters(10))
    guard mode == .invalid || (gns.latitudeNanodegrees != nil && gns.longitudeNanodegrees != nil) else { return nil }
    return .gns(gns)
  }

  /// One letter for each system; the best of them is the mode of the solution.
  private static func gnsMode(_ fields: inout SentenceFields) -> PositionMode? {
    let lower = fields.lower(6)
    let upper = fields.upper(6)
    guard upper > lower, upper - lower <= 10 else { return nil }
    var best = PositionMode.invalid
    for position in lower..<upper {
      guard let mode = PositionMode(rawValue: fields.bytes[position]), let rank = rank(of: mode) else { return nil }
      if rank > self.rank(of: best) ?? 0 { best = mode }
    }
    return best
  }

  private static func rank(of mode: PositionMode) -> Int? {
    switch mode {
    case .invalid: 0
    case .estimated: 1
    case .manual: 2
    case .simulator: 3
    case .autonomous: 4
    case .precise: 5
    case .differential: 6
    case .rtkFloat: 7
    case .rtkFixed: 8
    case .caution, .unsafe, .valid: nil
    }
  }

  static func gll(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard (7...8).contains(fields.count), let status = fields.letter(6),
      status == UInt8(ascii: "A") || status == UInt8(ascii: "V")
    else { return nil }
    let gll = GLL(
      time: fields.time(5), isValid: status == UInt8(ascii: "A"), latitudeNanodegrees: fields.latitude(1),
      longitudeNanodegrees: fields.longitude(3), mode: fields.count > 7 ? fields.mode(7) : nil)
    guard !gll.isValid || (gll.latitudeNanodegrees != nil && gll.longitudeNanodegrees != nil) else { return nil }
    return .gll(gll)
  }

  static func vtg(_ fields: inout SentenceFields) -> NMEAMessage? {
    // The old form is true course, magnetic course, knots, km/h without letters.
    if fields.count == 5 {
      return .vtg(
        VTG(courseMillidegrees: fields.courseMillidegrees(1), speedMilliknots: fields.milliknots(3), mode: nil))
    }
    guard (9...10).contains(fields.count) else { return nil }
    if let unit = fields.letter(2), unit != UInt8(ascii: "T") { return nil }
    if let unit = fields.letter(6), unit != UInt8(ascii: "N") { return nil }
    return .vtg(
      VTG(
        courseMillidegrees: fields.courseMillidegrees(1), speedMilliknots: fields.milliknots(5),
        mode: fields.count > 9 ? fields.mode(9) : nil))
  }

  static func zda(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard (5...7).contains(fields.count) else { return nil }
    let time = fields.time(1)
    let day = fields.integer(2, in: 1...31)
    let month = fields.integer(3, in: 1...12)
    let year = fields.integer(4, in: 1...9999)
    guard let day, let month, let year else {
      return day == nil && month == nil && year == nil ? .zda(ZDA(time: time, date: nil)) : nil
    }
    guard let date = CalendarDate(year: year, month: month, day: day) else { return nil }
    return .zda(ZDA(time: time, date: date))
  }
}
