import Geodesy
package import TrackFormats

/// A fix for people: an aligned block for a single fix, one line per fix for a stream.
package enum TextFormat {
  /// One fix as a block, a row for each known value.
  package static func block(_ located: LocatedFix, _ look: Presentation = .pipe) -> [UInt8] {
    let fix = located.fix
    var rows: [(String, StyledText)] = [
      (
        "Position",
        StyledText(position(located, look), .heading) + "  " + radii(located, look)
      )
    ]
    if let place = located.place { rows.append(("Place", "\(TerminalText.sanitized(place, limit: 400))")) }
    if let altitude = located.altitude {
      let accuracy = located.verticalAccuracy.map { "  \(radius($0, look))" } ?? ""
      rows.append(("Altitude", "\(meters(altitude)) above mean sea level\(accuracy)"))
    } else if let height = located.ellipsoidalAltitude {
      rows.append(("Altitude", "\(meters(height)) above the ellipsoid"))
    }
    if let movement = movement(fix, look) { rows.append(("Movement", "\(movement)")) }
    if let time = TimeText.moment(fix.time, look) {
      let doubt: StyledText = fix.timeValidity == .confirmed ? "" : .warning(" (not confirmed)")
      let age = located.age.flatMap { FixedDecimal.text($0.inSeconds, decimals: 1) }
      rows.append(("Time", StyledText(time) + doubt + StyledText(age.map { ", \($0) s ago" } ?? "")))
    }
    rows.append(("Fix", "\(solution(fix))"))
    let origin = [fix.device, fix.receiver].compactMap(\.self).map { TerminalText.sanitized($0) }
    if !origin.isEmpty { rows.append(("Receiver", "\(origin.joined(separator: ", "))")) }
    let remarks = remarks(located)
    if !remarks.isEmpty { rows.append(("Note", .warning(remarks.joined(separator: "; ")))) }
    return TextTable.bytes(labeled(rows, look), look)
  }

  /// The radius. If it consists mostly of the movement since the position was measured, the radius at that time comes first, so that the
  /// receiver does not look worse than it is.
  private static func radii(_ located: LocatedFix, _ look: Presentation) -> StyledText {
    let (fix, now) = (located.fix, located.fix.horizontalRadius68.value)
    guard let age = located.age, age <= PositionFix.speedLifetime,
      let measured = fix.horizontalRadius68(beforeGrowingFor: age), now > 2 * measured.value
    else { return StyledText(radius(now, look), role(ofRadius: fix)) }
    var original = fix
    original.horizontalRadius68 = measured
    return StyledText(radius(measured.value, look), role(ofRadius: original))
      + " when measured, \(radius(now, look)) now"
  }

  /// Rows of a label and a value; a value that is wider than the terminal continues on further lines below it.
  package static func labeled(
    _ rows: [(String, StyledText)], _ look: Presentation, width label: Int = 10, role: TextRole = .dim
  ) -> [StyledText] {
    rows.flatMap { title, value -> [StyledText] in
      let lines = look.width.map { TextTable.wrapped(value, within: max(20, $0 - label)) } ?? [value]
      return lines.enumerated().map { index, line in
        StyledText(index == 0 ? title : "", role).padded(to: label) + line
      }
    }
  }

  /// One fix of a stream.
  ///
  /// - Parameter look: contains the number of columns of the terminal, to which the line is shortened: first the
  ///   coordinates are rounded to 5 decimals (1 m); then the kind of the fix, the altitude and the movement are
  ///   omitted.
  package static func line(_ located: LocatedFix, _ look: Presentation = .pipe) -> [UInt8] {
    var text = StyledText()
    for detail in Detail.allCases {
      text = parts(located, detail, look).joined(separator: "  ")
      guard let width = look.width, text.width > width else { break }
    }
    // Remarks that make a fix doubtful are never omitted: the line is wrapped instead.
    return TextTable.bytes(look.width.map { TextTable.wrapped(text, within: $0) } ?? [text], look)
  }

  /// The parts of a line that are printed, from all to the fewest.
  private enum Detail: Int, CaseIterable { case all, rounded, withoutKind, withoutAltitude, withoutMovement }

  private static func parts(_ located: LocatedFix, _ detail: Detail, _ look: Presentation) -> [StyledText] {
    let fix = located.fix
    var parts: [StyledText] = [
      .dim(TimeText.clock(fix.time, look) ?? "--:--:--"),
      "\(position(located, decimals: detail == .all ? 7 : 5, look))",
      StyledText(radius(fix.horizontalRadius68.value, look), role(ofRadius: fix)),
    ]
    if detail.rawValue < Detail.withoutAltitude.rawValue, let altitude = located.altitude {
      parts.append("\(meters(altitude))")
    }
    if detail != .withoutMovement, let movement = movement(fix, look) { parts.append("\(movement)") }
    if detail.rawValue < Detail.withoutKind.rawValue { parts.append("\(solution(fix))") }
    return parts + remarks(located).map { .warning($0) }
  }

  /// The position in the notations that the user requested, otherwise in degrees.
  private static func position(_ located: LocatedFix, decimals: Int = 7, _ look: Presentation) -> String {
    guard !located.notations.isEmpty else { return position(located.fix.coordinate, decimals: decimals, look) }
    return located.notations.map { style in
      guard style.notation == .decimal else { return style.text(located.fix.coordinate) ?? "?" }
      return position(located.fix.coordinate, decimals: style.precision ?? decimals, look)
    }.joined(separator: "  ")
  }

  static func position(_ coordinate: Coordinate, decimals: Int = 7, _ look: Presentation) -> String {
    "\(latitude(coordinate, decimals, look)), \(longitude(coordinate, decimals, look))"
  }

  static func latitude(_ coordinate: Coordinate, _ decimals: Int, _ look: Presentation) -> String {
    angle(coordinate.latitude, decimals, look, "N", "S")
  }

  static func longitude(_ coordinate: Coordinate, _ decimals: Int, _ look: Presentation) -> String {
    angle(coordinate.longitude, decimals, look, "E", "W")
  }

  private static func angle(
    _ angle: Angle, _ decimals: Int, _ look: Presentation, _ positive: String, _ negative: String
  ) -> String {
    let text = FixedDecimal.text(angle.degrees.magnitude, decimals: decimals) ?? "?"
    return "\(text)\(look.degree) \(angle.degrees < 0 ? negative : positive)"
  }

  /// `±2.5 m`.
  static func radius(_ value: Double, _ look: Presentation) -> String { "\(look.plusMinus)\(meters(value))" }

  /// A receiver under an open sky is accurate to 10 m; a suspect position is bad, however small its radius is.
  static func role(ofRadius fix: PositionFix) -> TextRole {
    if fix.qualityFlag != nil { return .bad }
    return fix.horizontalRadius68.value <= 10 ? .good : .warning
  }

  /// Two decimals below one meter, because such values occur only with RTK; otherwise one.
  static func meters(_ value: Double) -> String {
    "\(FixedDecimal.text(value, decimals: value.magnitude < 1 ? 2 : 1) ?? "?") m"
  }

  private static func movement(_ fix: PositionFix, _ look: Presentation) -> String? {
    guard let speed = fix.speedMetersPerSecond.flatMap({ FixedDecimal.text($0, decimals: 1) }) else { return nil }
    let course = fix.course.flatMap { FixedDecimal.direction($0.degrees, decimals: 0) }
    return course.map { "\(speed) m/s towards \($0)\(look.degree)" } ?? "\(speed) m/s"
  }

  static func solution(_ fix: PositionFix) -> String {
    fix.satellitesUsed.map { "\(fix.kind.text), \($0) satellite\($0 == 1 ? "" : "s")" } ?? fix.kind.text
  }

  static func remarks(_ located: LocatedFix) -> [String] {
    var remarks: [String] = []
    if located.isCached, !located.isYoungEnough { remarks.append("last known, not current") }
    if located.isAccuracyMet == false { remarks.append("less accurate than requested") }
    if let qualityFlag = located.fix.qualityFlag {
      switch qualityFlag {
      case .frozen: remarks.append("suspect: the position is frozen")
      case .jammed: remarks.append("suspect: the receiver reports jamming or spoofing")
      case .implausible: remarks.append("suspect: no vehicle can move like that")
      }
    }
    if located.fix.timeValidity == .timeOfDayOnly { remarks.append("the receiver sent no date") }
    if located.fix.isSimulated { remarks.append("simulated") }
    return remarks
  }
}

extension FixKind {
  /// The kind of a fix, for people.
  var text: String {
    switch self {
    case .estimated: "estimated"
    case .twoDimensional: "2D"
    case .threeDimensional: "3D"
    case .differential: "differential"
    case .rtkFloat: "RTK float"
    case .rtkFixed: "RTK fixed"
    }
  }
}
