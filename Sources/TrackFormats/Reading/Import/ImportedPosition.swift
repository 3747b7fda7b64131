import Geodesy

/// A position of another program's file, as far as the file describes it. Numbers are unchecked until `fix` checks them.
struct ImportedPosition: Hashable, Sendable {
  var time: GNSSTime?
  /// Degrees.
  var latitude: Double?
  var longitude: Double?
  /// Meters.
  var heightAboveMeanSeaLevel: Double?
  var heightAboveEllipsoid: Double?
  /// Meters of the geoid above the ellipsoid, from which a missing height follows.
  var geoidSeparation: Double?
  /// Meters, 68 %.
  var horizontalRadius: Double?
  var verticalRadius: Double?
  /// Meters per second.
  var speed: Double?
  var speedRadius: Double?
  /// Degrees.
  var course: Double?
  var courseRadius: Double?
  var satellites: Int?
  var hdop: Double?
  var kind: FixKind?
  var technologies: Technologies = []
  var isDateUnconfirmed = false
  var isSimulated = false
  var qualityFlag: FixQualityFlag?

  /// Greater numbers are errors: the height of a geostationary satellite, and the speed of light.
  private static let mostMeters = 4e7
  private static let mostMetersPerSecond = 3e8

  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(checkingLatitude: latitude, longitude: longitude)
  }

  /// The fix; `nil` without a position or a time. Values that are not valid are unknown.
  var fix: PositionFix? {
    guard let time, let coordinate else { return nil }
    func meters(_ value: Double?, above least: Double = -Self.mostMeters) -> Meters? {
      value.flatMap { $0 > least && $0 < Self.mostMeters ? Meters($0) : nil }
    }
    var fix = PositionFix(
      time: time, timeValidity: isDateUnconfirmed ? .dateUnconfirmed : .confirmed,
      receivedAt: Instant(nanoseconds: time.nanosecondsSince1970), coordinate: coordinate,
      horizontalRadius68: PositionFix.greatestRadius68, kind: kind ?? .estimated, technologies: technologies)
    fix.isImported = true
    if let radius = meters(horizontalRadius, above: 0), radius < PositionFix.greatestRadius68 {
      fix.horizontalRadius68 = radius
    }
    fix.heightAboveMeanSeaLevel = meters(heightAboveMeanSeaLevel)
    fix.heightAboveEllipsoid = meters(heightAboveEllipsoid)
    if let separation = meters(geoidSeparation) {
      switch (fix.heightAboveMeanSeaLevel, fix.heightAboveEllipsoid) {
      case (let height?, nil): fix.heightAboveEllipsoid = height + separation
      case (nil, let height?): fix.heightAboveMeanSeaLevel = height - separation
      case (_, _): break
      }
    }
    if fix.heightAboveMeanSeaLevel != nil || fix.heightAboveEllipsoid != nil {
      fix.verticalRadius68 = meters(verticalRadius, above: 0)
    }
    fix.speedMetersPerSecond = speed.flatMap { $0 >= 0 && $0 < Self.mostMetersPerSecond ? $0 : nil }
    fix.speedRadius68MetersPerSecond = speedRadius.flatMap { $0 > 0 && $0 < Self.mostMetersPerSecond ? $0 : nil }
    fix.course = course.flatMap { $0 >= 0 && $0 <= 360 ? Angle(degrees: $0 == 360 ? 0 : $0) : nil }
    fix.courseRadius68 = courseRadius.flatMap { $0 >= 0 && $0 <= 180 ? Angle(degrees: $0) : nil }
    fix.satellitesUsed = satellites.flatMap { (0...255).contains($0) ? $0 : nil }
    // 99 and above stand for "none".
    fix.hdop = hdop.flatMap { $0 > 0 && $0 < 99 ? $0 : nil }
    fix.isSimulated = isSimulated
    fix.qualityFlag = qualityFlag
    return fix
  }
}

/// Values by the JSON keys of `locationctl fix`, which the exported formats use too.
extension ImportedPosition {
  /// Sets a number by its key; returns `false` if there is no such key.
  @discardableResult
  mutating func set(_ key: String, _ number: Double?) -> Bool {
    switch key {
    case FixKey.horizontalAccuracy.rawValue: horizontalRadius = number
    case FixKey.verticalAccuracy.rawValue: verticalRadius = number
    case FixKey.speed.rawValue: speed = number
    case FixKey.speedAccuracy.rawValue: speedRadius = number
    case FixKey.course.rawValue: course = number
    case FixKey.courseAccuracy.rawValue: courseRadius = number
    case FixKey.satellitesUsed.rawValue: satellites = number.flatMap { Int(exactly: $0.rounded()) }
    case FixKey.hdop.rawValue: hdop = number
    default: return false
    }
    return true
  }

  /// Sets a text by its key.
  mutating func set(_ key: String, text: String) {
    switch key {
    case FixKey.fix.rawValue: kind = FixKind.named(text) ?? kind
    case FixKey.suspect.rawValue: qualityFlag = FixQualityFlag.named(text)
    case FixKey.simulated.rawValue: isSimulated = text == "true"
    case FixKey.timeConfirmed.rawValue: isDateUnconfirmed = text == "false"
    case FixKey.technologies.rawValue: for word in text.split(separator: " ") { technologies.add(named: String(word)) }
    default: set(key, ImportedNumber.parse(text))
    }
  }
}

extension FixKind {
  fileprivate static func named(_ name: String) -> FixKind? {
    (0...5).compactMap { FixKind(rawValue: $0) }.first { $0.contractName == name }
  }
}

extension FixQualityFlag {
  fileprivate static func named(_ name: String) -> FixQualityFlag? {
    (0...2).compactMap { FixQualityFlag(rawValue: $0) }.first { $0.contractName == name }
  }
}

extension Technologies {
  /// Adds a technology by its name in the output of this program, in files of GPSLogger or in Google's files.
  mutating func add(named name: String) {
    switch name.lowercased() {
    case "gnss", "gps": insert(.gnss)
    case "wifi": insert(.wifi)
    case "cell": insert(.cell)
    case "companion": insert(.companion)
    default: break
    }
  }
}

/// Parses numbers and times of other programs' files.
enum ImportedNumber {
  /// Parses a finite decimal number, which white space may surround.
  static func parse(_ text: String) -> Double? {
    let trimmed = trimmed(text)
    guard !trimmed.isEmpty, trimmed.utf8.count <= JSONTokenizer.maximumNumber,
      trimmed.utf8.allSatisfy({ JSONTokenizer.isOfNumber($0) }), let number = Double(trimmed), number.isFinite
    else { return nil }
    return number
  }

  static func trimmed(_ text: String) -> Substring {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return text[first...last]
  }
}

enum ImportedTime {
  /// A time in the form of XML Schema (ISO 8601); UTC if it has no zone. A number is a count of seconds or milliseconds since 1970.
  static func parse(_ text: String) -> GNSSTime? {
    let trimmed = ImportedNumber.trimmed(text)
    if let reading = DateTimeText.parse(trimmed) { return reading.clock + (.zero - (reading.offset ?? .zero)) }
    return ImportedNumber.parse(String(trimmed)).flatMap { parse(sinceEpoch: $0) }
  }

  /// Counts from this on are milliseconds: as seconds they would be after the year 5000.
  private static let leastMilliseconds = 1e11

  static func parse(sinceEpoch count: Double) -> GNSSTime? {
    let milliseconds = (count.magnitude >= leastMilliseconds ? count : count * 1000).rounded()
    guard milliseconds.magnitude < 9e12 else { return nil }
    return GNSSTime(nanosecondsSince1970: Int64(milliseconds) * 1_000_000)
  }
}
