import Geodesy

/// Sentences with a position, a motion, or a time. Each function returns whether the sentence was well formed and delivered.
extension SentenceDecoder {
  static func rmc(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    var rmc = RMC(isValid: false)
    rmc.time = fields.time()
    rmc.isValid = fields.isActive()
    if rmc.isValid {
      rmc.latitudeNanodegrees = fields.latitude()
      rmc.longitudeNanodegrees = fields.longitude()
      rmc.coordinateDecimals = fields.coordinateDecimals
    } else {
      // Receivers without a fix send impossible coordinates (8960.0000,N or 36000.0000,N,72000.0000,E).
      fields.skip(4)
    }
    rmc.speedMilliknots = fields.milliknots()
    rmc.courseMillidegrees = fields.courseMillidegrees()
    rmc.date = fields.date()
    guard !fields.isAtEnd else { return false }
    // Skips the magnetic variation and its direction. Very old receivers omit the direction.
    fields.skip()
    if !fields.isAtEnd { fields.skip() }
    // The mode exists since 2.3, the navigational status (S, C, U, V) since 4.1.
    rmc.mode = fields.mode()
    rmc.navigationalStatus = fields.letter()
    // A valid fix needs time, latitude and longitude; if any is missing, the sentence is damaged.
    guard fields.isWellFormed,
      !rmc.isValid || (rmc.time != nil && rmc.latitudeNanodegrees != nil && rmc.longitudeNanodegrees != nil)
    else { return false }
    body(.nmea(.rmc(rmc), from: talker))
    return true
  }

  static func gga(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    var gga = GGA(quality: .invalid)
    gga.time = fields.time()
    gga.latitudeNanodegrees = fields.latitude()
    gga.longitudeNanodegrees = fields.longitude()
    gga.coordinateDecimals = fields.coordinateDecimals
    guard let value = fields.integer(in: 0...9), let quality = GGA.Quality(rawValue: UInt8(value)) else { return false }
    gga.quality = quality
    gga.satellitesUsed = fields.count()
    gga.hdopHundredths = fields.dilutionHundredths()
    gga.altitudeMillimeters = fields.millimeters()
    fields.expect(0x4D)
    gga.geoidSeparationMillimeters = fields.millimeters()
    fields.expect(0x4D)
    // Skips the age and station of the corrections; the SiRF Atlas VI sends a dilution after them.
    guard (2...3).contains(fields.remaining) else { return false }
    fields.skip(2)
    if !fields.isAtEnd { _ = fields.dilutionHundredths() }
    guard fields.isWellFormed,
      quality == .invalid || (gga.latitudeNanodegrees != nil && gga.longitudeNanodegrees != nil)
    else { return false }
    body(.nmea(.gga(gga), from: talker))
    return true
  }

  static func gns(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    var gns = GNS(mode: .invalid)
    gns.time = fields.time()
    gns.latitudeNanodegrees = fields.latitude()
    gns.longitudeNanodegrees = fields.longitude()
    gns.coordinateDecimals = fields.coordinateDecimals
    guard let mode = systemModes(&fields) else { return false }
    gns.mode = mode
    gns.satellitesUsed = fields.count()
    gns.hdopHundredths = fields.dilutionHundredths()
    gns.altitudeMillimeters = fields.millimeters()
    gns.geoidSeparationMillimeters = fields.millimeters()
    guard (2...3).contains(fields.remaining) else { return false }
    fields.skip(2)
    gns.navigationalStatus = fields.letter()
    guard fields.isWellFormed,
      mode == .invalid || (gns.latitudeNanodegrees != nil && gns.longitudeNanodegrees != nil)
    else { return false }
    body(.nmea(.gns(gns), from: talker))
    return true
  }

  /// Reads one letter for each system; the best one is the mode of the solution.
  private static func systemModes(_ fields: inout FieldCursor) -> PositionMode? {
    let start = fields.position
    fields.skip()
    let upper = fields.position - 1
    guard upper > start, upper - start <= 10 else { return nil }
    var best = PositionMode.invalid
    for place in start..<upper {
      guard let mode = PositionMode(rawValue: fields.bytes[place]), let rank = rank(of: mode) else { return nil }
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

  static func gll(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    let latitude = fields.latitude()
    let longitude = fields.longitude()
    var gll = GLL(isValid: false, latitudeNanodegrees: latitude, longitudeNanodegrees: longitude)
    gll.coordinateDecimals = fields.coordinateDecimals
    gll.time = fields.time()
    gll.isValid = fields.isActive()
    gll.mode = fields.mode()
    guard fields.isWellFormed, !gll.isValid || (latitude != nil && longitude != nil) else { return false }
    body(.nmea(.gll(gll), from: talker))
    return true
  }

  static func vtg(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    // The old form contains true course, magnetic course, knots and km/h, without letters.
    let isOld = fields.remaining == 4
    guard isOld || (8...9).contains(fields.remaining) else { return false }
    var vtg = VTG()
    vtg.courseMillidegrees = fields.courseMillidegrees()
    if isOld {
      fields.skip()
      vtg.speedMilliknots = fields.milliknots()
      fields.skip()
    } else {
      fields.expect(0x54)
      fields.skip(2)
      vtg.speedMilliknots = fields.milliknots()
      fields.expect(0x4E)
      fields.skip(2)
      vtg.mode = fields.mode()
    }
    guard fields.isWellFormed else { return false }
    body(.nmea(.vtg(vtg), from: talker))
    return true
  }

  static func zda(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard (4...6).contains(fields.remaining) else { return false }
    let time = fields.time()
    let day = fields.integer(in: 1...31)
    let month = fields.integer(in: 1...12)
    let year = fields.integer(in: 1...9999).map { $0 < 100 ? TwoDigitDate.fullYear($0) : $0 }
    // Skips the hours and minutes of the local time zone.
    while !fields.isAtEnd { fields.skip() }
    guard fields.isWellFormed else { return false }
    var date: CalendarDate?
    if day != nil || month != nil || year != nil {
      guard let day, let month, let year, let known = CalendarDate(year: year, month: month, day: day) else {
        return false
      }
      // A year outside this range is a receiver error. The time is still valid, and another sentence provides the date.
      if TwoDigitDate.years.contains(year) { date = known }
    }
    body(.nmea(.zda(ZDA(time: time, date: date)), from: talker))
    return true
  }

  static func dtm(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 8 else { return false }
    var dtm = DTM()
    dtm.local = datum(&fields)
    // Skips the subdivision of a regional datum.
    fields.skip()
    dtm.latitudeOffsetNanodegrees = offset(&fields, positive: 0x4E, negative: 0x53)
    dtm.longitudeOffsetNanodegrees = offset(&fields, positive: 0x45, negative: 0x57)
    // Ignores the height offset between the two ellipsoids, because receivers report heights above mean sea level.
    _ = fields.millimeters()
    dtm.reference = datum(&fields)
    guard fields.isWellFormed else { return false }
    body(.nmea(.dtm(dtm), from: talker))
    return true
  }

  /// The code of a datum; `nil` if the field is empty.
  private static func datum(_ fields: inout FieldCursor) -> DTM.Datum? {
    let start = fields.position
    fields.skip()
    let length = fields.position - 1 - start
    guard length > 0 else { return nil }
    guard length == 3 else { return .other }
    switch code(fields.bytes[start], fields.bytes[start + 1], fields.bytes[start + 2]) {
    case 0x573834: return .wgs84
    case 0x573732: return .wgs72
    case 0x533835: return .sgs85
    case 0x503930: return .pz90
    default: return .other
    }
  }

  /// An offset in minutes with its direction in the next field, as 1e-9 degrees; at most one degree.
  private static func offset(_ fields: inout FieldCursor, positive: UInt8, negative: UInt8) -> Int64? {
    // Some receivers express the direction in the sign.
    let nanominutes = fields.decimal(9, in: -60_000_000_000...60_000_000_000)
    let direction = fields.letter()
    guard let nanominutes else { return nil }
    guard direction == positive || direction == negative else {
      fields.reject()
      return nil
    }
    let nanodegrees = (nanominutes + (nanominutes < 0 ? -30 : 30)) / 60
    return direction == negative ? -nanodegrees : nanodegrees
  }
}
