import Geodesy

/// A fix as NMEA 0183 GGA and RMC (version 2.3 and later), talker GP, which every reader supports.
package enum NMEAFormat {
  package static func lines(_ located: LocatedFix) -> [UInt8] {
    sentence(gga(located)) + sentence(rmc(located))
  }

  /// The same with VTG, and with GST if the accuracy is known, as receivers send them.
  package static func sentences(_ located: LocatedFix) -> [UInt8] {
    lines(located) + sentence(vtg(located)) + (gst(located).map { sentence($0) } ?? [])
  }

  /// The sentences for "no fix now": quality 0 and status V, without a position.
  package static func lost(at time: Timestamp?) -> [UInt8] {
    sentence("GPGGA,\(time?.nmeaTime ?? ""),,,,,0,,,,M,,M,,")
      + sentence("GPRMC,\(time?.nmeaTime ?? ""),V,,,,,,,\(time?.nmeaDate ?? ""),,,N")
  }

  private static func gga(_ located: LocatedFix) -> String {
    let fix = located.fix
    let satellites = fix.satellitesUsed.map { FixedDecimal.padded(Int64(min(max($0, 0), 99)), to: 2) } ?? ""
    // The separation belongs to the altitude: a reader would add it to nothing if it stood alone.
    let heights = located.heights
    let altitude = heights.aboveMeanSeaLevel.flatMap { FixedDecimal.text($0, decimals: 3, minimum: 1) }
    let separation =
      altitude == nil ? nil : heights.separation.flatMap { FixedDecimal.text($0, decimals: 3, minimum: 1) }
    return "GPGGA,\(Timestamp(fix.time)?.nmeaTime ?? ""),\(position(fix.coordinate)),\(quality(fix)),\(satellites),,"
      + "\(altitude ?? ""),M,\(separation ?? ""),M,,"
  }

  private static func rmc(_ located: LocatedFix) -> String {
    let fix = located.fix
    let time = Timestamp(fix.time)
    let knots = fix.speedMetersPerSecond.flatMap { FixedDecimal.text($0 * 3600 / 1852, decimals: 3, minimum: 1) } ?? ""
    let course = fix.course.flatMap { FixedDecimal.direction($0.degrees, decimals: 2) } ?? ""
    return "GPRMC,\(time?.nmeaTime ?? ""),\(fix.qualityFlag == nil ? "A" : "V"),\(position(fix.coordinate)),"
      + "\(knots),\(course),\(time?.nmeaDate ?? ""),,,\(mode(fix))"
  }

  private static func vtg(_ located: LocatedFix) -> String {
    let fix = located.fix
    let speed = fix.speedMetersPerSecond
    let knots = speed.flatMap { FixedDecimal.text($0 * 3600 / 1852, decimals: 3, minimum: 1) } ?? ""
    let kilometers = speed.flatMap { FixedDecimal.text($0 * 3.6, decimals: 3, minimum: 1) } ?? ""
    let course = fix.course.flatMap { FixedDecimal.direction($0.degrees, decimals: 2) } ?? ""
    return "GPVTG,\(course),T,,M,\(knots),N,\(kilometers),K,\(mode(fix))"
  }

  /// Standard deviations of a circle: 68 % of the errors lie within 1.515 of them.
  private static func gst(_ located: LocatedFix) -> String? {
    let fix = located.fix
    guard let radius = fix.knownHorizontalRadius68,
      let deviation = FixedDecimal.text(radius.value / 1.515, decimals: 3, minimum: 1)
    else { return nil }
    let height = located.verticalAccuracy.flatMap { FixedDecimal.text($0, decimals: 3, minimum: 1) } ?? ""
    return "GPGST,\(Timestamp(fix.time)?.nmeaTime ?? ""),,,,,\(deviation),\(deviation),\(height)"
  }

  /// GGA's quality indicator. A fix that is not credible is written as no fix, because readers know no better value.
  private static func quality(_ fix: PositionFix) -> Int {
    if fix.qualityFlag != nil { return 0 }
    if fix.isSimulated { return 8 }
    switch fix.kind {
    // The kind of an imported fix is usually unknown, and readers may drop estimates.
    case .estimated: return fix.isImported ? 1 : 6
    case .twoDimensional, .threeDimensional: return 1
    case .differential: return 2
    case .rtkFixed: return 4
    case .rtkFloat: return 5
    }
  }

  /// RMC's mode indicator, with the same meaning.
  private static func mode(_ fix: PositionFix) -> String {
    if fix.qualityFlag != nil { return "N" }
    if fix.isSimulated { return "S" }
    switch fix.kind {
    case .estimated: return fix.isImported ? "A" : "E"
    case .twoDimensional, .threeDimensional: return "A"
    case .differential: return "D"
    case .rtkFixed: return "R"
    case .rtkFloat: return "F"
    }
  }

  /// `ddmm.mmmmmm,N,dddmm.mmmmmm,E`; empty fields if a number is invalid.
  private static func position(_ coordinate: Coordinate) -> String {
    guard let latitude = degreesAndMinutes(coordinate.latitude.degrees, degreeDigits: 2),
      let longitude = degreesAndMinutes(coordinate.longitude.degrees, degreeDigits: 3)
    else { return ",,," }
    return "\(latitude),\(coordinate.latitude.degrees < 0 ? "S" : "N"),"
      + "\(longitude),\(coordinate.longitude.degrees < 0 ? "W" : "E")"
  }

  /// Rounded once, as an integer of millionths of a minute, so that 59.9999999 minutes carry into the degrees.
  private static func degreesAndMinutes(_ degrees: Double, degreeDigits: Int) -> String? {
    guard degrees.isFinite, degrees.magnitude <= 180 else { return nil }
    let total = Int64((degrees.magnitude * 60_000_000).rounded())
    let minutes = total % 60_000_000
    return FixedDecimal.padded(total / 60_000_000, to: degreeDigits)
      + "\(FixedDecimal.padded(minutes / 1_000_000, to: 2)).\(FixedDecimal.padded(minutes % 1_000_000, to: 6))"
  }

  /// `$…*hh` CR LF, with the XOR of the characters between `$` and `*`.
  package static func sentence(_ body: String) -> [UInt8] {
    let checksum = body.utf8.reduce(0 as UInt8, ^)
    let hex = String(checksum, radix: 16, uppercase: true)
    return Array("$\(body)*\(hex.utf8.count < 2 ? "0" : "")\(hex)\r\n".utf8)
  }
}
