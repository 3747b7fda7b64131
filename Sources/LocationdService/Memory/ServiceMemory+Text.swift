import Geodesy

/// The file form of the memory: one fact per line, `key value…`, so that a person can read and repair it. Unreadable lines are
/// skipped: a damaged file costs a slower start, never a failure.
extension ServiceMemory {
  /// The largest file that is read, in bytes.
  package static let maximumFileSize = 64 * 1024

  /// The memory as text.
  package var text: String {
    var lines = ["# Written by swift-corelocation; safe to delete."]
    if let lastGoodTime { lines.append("time \(lastGoodTime.nanosecondsSince1970)") }
    if let agreedBootID { lines.append("clock \(agreedBootID)") }
    // A path that the user named may contain a newline, which would be read back as a line of its own.
    for (id, baud) in speeds where !id.contains(where: \.isNewline) { lines.append("speed \(baud) \(id)") }
    for (id, note) in receivers where !id.contains(where: { $0.isNewline || $0 == "\t" }) {
      lines.append("receiver \(id)\t\(note.text)")
    }
    if let lastFix {
      var line = Self.line(for: lastFix)
      if let source = lastFixSource, !source.contains(where: \.isWhitespace) { line += " source=\(source)" }
      if isLastFixTracked { line += " tracked=1" }
      lines.append(line)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The memory that `text` describes.
  package init(text: String) {
    self.init()
    for line in text.split(separator: "\n") {
      guard let space = line.firstIndex(of: " ") else { continue }
      let rest = line[line.index(after: space)...]
      switch line[..<space] {
      case "time": lastGoodTime = Int64(rest).map(GNSSTime.init(nanosecondsSince1970:))
      case "clock":
        // A UUID as the kernel writes it.
        let isOne = rest.utf8.count == 36 && rest.allSatisfy { $0 == "-" || $0.isHexDigit }
        agreedBootID = isOne ? String(rest) : nil
      case "speed": rememberSpeed(line: rest)
      case "receiver": rememberReceiver(line: rest)
      case "fix": rememberFix(line: rest)
      default: continue
      }
    }
  }

  private mutating func rememberSpeed(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let baud = Int(parts[0]), (300...4_000_000).contains(baud) else { return }
    _ = remember(speed: baud, of: String(parts[1]))
  }

  private mutating func rememberReceiver(line: Substring) {
    guard let tab = line.firstIndex(of: "\t"), let note = RememberedReceiver(text: line[line.index(after: tab)...])
    else {
      return
    }
    _ = remember(note, of: String(line[..<tab]))
  }

  private static func line(for fix: PositionFix) -> String {
    var parts = [
      "fix", "time=\(fix.time.nanosecondsSince1970)", "validity=\(fix.timeValidity.rawValue)",
      "latitude=\(fix.coordinate.latitude.degrees)", "longitude=\(fix.coordinate.longitude.degrees)",
      "radius68=\(fix.horizontalRadius68.value)", "kind=\(fix.kind.rawValue)",
      "technologies=\(fix.technologies.rawValue)", "simulated=\(fix.isSimulated ? 1 : 0)",
    ]
    func add(_ key: String, _ value: Double?) { if let value { parts.append("\(key)=\(value)") } }
    add("ellipsoid", fix.heightAboveEllipsoid?.value)
    add("sealevel", fix.heightAboveMeanSeaLevel?.value)
    add("vertical68", fix.verticalRadius68?.value)
    add("speed", fix.speedMetersPerSecond)
    add("speed68", fix.speedRadius68MetersPerSecond)
    add("course", fix.course?.degrees)
    add("course68", fix.courseRadius68?.degrees)
    if let satellites = fix.satellitesUsed { parts.append("satellites=\(satellites)") }
    add("hdop", fix.hdop)
    if let receiver = fix.receiver { parts.append("receiver=\(receiver.filter { $0 != " " && $0 != "\n" })") }
    if let device = fix.device, !device.contains(where: { $0 == " " || $0 == "\n" }) {
      parts.append("device=\(device)")
    }
    return parts.joined(separator: " ")
  }

  // The widest plausible ranges of a receiver's values, in meters and meters per second.
  private static let heights = -100_000.0...100_000_000
  private static let errors = 0.000_001...100_000_000
  private static let speeds = 100_000.0
  private static let dilutions = 0.01..<100

  private mutating func rememberFix(line: Substring) {
    var values: [Substring: Substring] = [:]
    for part in line.split(separator: " ").prefix(32) {
      guard let equals = part.firstIndex(of: "=") else { return }
      values[part[..<equals]] = part[part.index(after: equals)...]
    }
    lastFix = Self.fix(from: values)
    lastFixSource = values["source"].map(String.init)
    isLastFixTracked = values["tracked"] == "1"
  }

  private static func fix(from values: [Substring: Substring]) -> PositionFix? {
    func number(_ key: Substring) -> Double? { values[key].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
    func number(_ key: Substring, in range: ClosedRange<Double>) -> Double? {
      number(key).flatMap { range.contains($0) ? $0 : nil }
    }
    guard let time = values["time"].flatMap({ Int64($0) }),
      let validity = values["validity"].flatMap({ UInt8($0) }).flatMap(TimeValidity.init(rawValue:)),
      let latitude = number("latitude"), let longitude = number("longitude"),
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude),
      let radius = number("radius68"), radius > 0,
      let kind = values["kind"].flatMap({ UInt8($0) }).flatMap(FixKind.init(rawValue:)),
      let technologies = values["technologies"].flatMap({ UInt8($0) })
    else { return nil }
    // `receivedAt` belongs to the clock of another run; the age of a remembered fix follows from its `time`.
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: time), timeValidity: validity, receivedAt: Instant(nanoseconds: 0),
      coordinate: coordinate, horizontalRadius68: Meters(radius), kind: kind,
      technologies: Technologies(rawValue: technologies))
    fix.isSimulated = values["simulated"] == "1"
    fix.heightAboveEllipsoid = number("ellipsoid", in: heights).map { Meters($0) }
    fix.heightAboveMeanSeaLevel = number("sealevel", in: heights).map { Meters($0) }
    fix.verticalRadius68 = number("vertical68", in: errors).map { Meters($0) }
    fix.speedMetersPerSecond = number("speed", in: 0...speeds)
    fix.speedRadius68MetersPerSecond = number("speed68", in: errors)
    fix.course = number("course", in: 0...(360.0).nextDown).map { Angle(degrees: $0) }
    fix.courseRadius68 = number("course68", in: 0...180).map { Angle(degrees: $0) }
    fix.satellitesUsed = values["satellites"].flatMap { UInt8($0) }.map(Int.init)
    fix.hdop = number("hdop").flatMap { dilutions.contains($0) ? $0 : nil }
    fix.receiver = values["receiver"].map(String.init)
    fix.device = values["device"].map(String.init)
    return fix
  }
}
