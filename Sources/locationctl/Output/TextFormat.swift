import Geodesy
package import TrackFormats

/// A fix for people: an aligned block for a single fix, one line per fix for a stream.
package enum TextFormat {
  /// One fix as a block, a row for each known value.
  package static func block(_ located: LocatedFix) -> [UInt8] {
    let fix = located.fix
    var rows: [(String, String)] = [
      ("Position", "\(position(located))  ±\(meters(fix.horizontalRadius68.value))")
    ]
    if let altitude = located.altitude {
      let accuracy = located.verticalAccuracy.map { "  ±\(meters($0))" } ?? ""
      rows.append(("Altitude", "\(meters(altitude)) above mean sea level\(accuracy)"))
    } else if let height = located.ellipsoidalAltitude {
      rows.append(("Altitude", "\(meters(height)) above the ellipsoid"))
    }
    if let movement = movement(fix) { rows.append(("Movement", movement)) }
    if let time = Timestamp(fix.time) {
      let doubt = fix.timeValidity == .confirmed ? "" : " (not confirmed)"
      let age = located.age.flatMap { FixedDecimal.text($0.inSeconds, decimals: 1) }
      rows.append(("Time", "\(time.iso8601)\(doubt)\(age.map { ", \($0) s ago" } ?? "")"))
    }
    rows.append(("Fix", solution(fix)))
    let origin = [fix.device, fix.receiver].compactMap(\.self).map { TerminalText.sanitized($0) }
    if !origin.isEmpty { rows.append(("Receiver", origin.joined(separator: ", "))) }
    let remarks = remarks(located)
    if !remarks.isEmpty { rows.append(("Note", remarks.joined(separator: "; "))) }
    return Array(rows.map { "\($0.0)\(String(repeating: " ", count: 10 - $0.0.utf8.count))\($0.1)\n" }.joined().utf8)
  }

  /// One fix of a stream.
  ///
  /// - Parameter width: the columns of the terminal, to which the line is shortened: first the coordinates are rounded to 5 decimals,
  ///   which are 1 m; then the kind of the fix, the altitude and the movement are omitted. `nil`: no limit.
  package static func line(_ located: LocatedFix, width: Int? = nil) -> [UInt8] {
    var text = ""
    for detail in Detail.allCases {
      text = parts(located, detail).joined(separator: "  ")
      guard let width, text.count > width else { break }
    }
    return Array("\(text)\n".utf8)
  }

  /// How much a line contains, from all to the least.
  private enum Detail: Int, CaseIterable { case all, rounded, withoutKind, withoutAltitude, withoutMovement }

  private static func parts(_ located: LocatedFix, _ detail: Detail) -> [String] {
    let fix = located.fix
    var parts = [
      Timestamp(fix.time)?.clock ?? "--:--:--", position(located, decimals: detail == .all ? 7 : 5),
      "±\(meters(fix.horizontalRadius68.value))",
    ]
    if detail.rawValue < Detail.withoutAltitude.rawValue, let altitude = located.altitude {
      parts.append(meters(altitude))
    }
    if detail != .withoutMovement, let movement = movement(fix) { parts.append(movement) }
    if detail.rawValue < Detail.withoutKind.rawValue { parts.append(solution(fix)) }
    return parts + remarks(located)
  }

  /// The position in the notations that the user requested, else in degrees.
  private static func position(_ located: LocatedFix, decimals: Int = 7) -> String {
    guard !located.notations.isEmpty else { return position(located.fix.coordinate, decimals: decimals) }
    return located.notations.map { style in
      guard style.notation == .decimal else { return style.text(located.fix.coordinate) ?? "?" }
      return position(located.fix.coordinate, decimals: style.precision ?? decimals)
    }.joined(separator: "  ")
  }

  private static func position(_ coordinate: Coordinate, decimals: Int) -> String {
    func angle(_ angle: Angle, _ positive: String, _ negative: String) -> String {
      let text = FixedDecimal.text(angle.degrees.magnitude, decimals: decimals) ?? "?"
      return "\(text)° \(angle.degrees < 0 ? negative : positive)"
    }
    return "\(angle(coordinate.latitude, "N", "S")), \(angle(coordinate.longitude, "E", "W"))"
  }

  /// Millimeters are only meaningful with RTK.
  private static func meters(_ value: Double) -> String {
    "\(FixedDecimal.text(value, decimals: value.magnitude < 1 ? 2 : 1) ?? "?") m"
  }

  private static func movement(_ fix: PositionFix) -> String? {
    guard let speed = fix.speedMetersPerSecond.flatMap({ FixedDecimal.text($0, decimals: 1) }) else { return nil }
    let course = fix.course.flatMap { FixedDecimal.direction($0.degrees, decimals: 0) }
    return course.map { "\(speed) m/s towards \($0)°" } ?? "\(speed) m/s"
  }

  private static func solution(_ fix: PositionFix) -> String {
    let kind =
      switch fix.kind {
      case .estimated: "estimated"
      case .twoDimensional: "2D"
      case .threeDimensional: "3D"
      case .differential: "differential"
      case .rtkFloat: "RTK float"
      case .rtkFixed: "RTK fixed"
      }
    return fix.satellitesUsed.map { "\(kind), \($0) satellite\($0 == 1 ? "" : "s")" } ?? kind
  }

  private static func remarks(_ located: LocatedFix) -> [String] {
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
